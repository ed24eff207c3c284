import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import s from './button.module.css';

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & {
  /** `primary`: the one action of a page or a dialog. */
  type?: 'default' | 'primary' | 'text' | 'link';
  size?: 'small' | 'middle' | 'large';
  icon?: ReactNode;
  iconPlacement?: 'start' | 'end';
  /** Shows that the action is under way, and ignores clicks. */
  loading?: boolean;
  danger?: boolean;
  htmlType?: 'button' | 'submit' | 'reset';
  /** A link that looks like a button. */
  href?: string;
  target?: string;
  rel?: string;
  ref?: Ref<HTMLElement>;
};

/** A button with the look and the props of antd's, from static styles, so that the first view needs nothing of antd. */
export function Button({
  type = 'default',
  size = 'middle',
  icon,
  iconPlacement = 'start',
  loading = false,
  danger = false,
  htmlType = 'button',
  href,
  target,
  rel,
  className,
  children,
  onClick,
  disabled,
  ref,
  ...rest
}: ButtonProps) {
  const mark = loading ? <LoaderCircle className={s.spin} /> : icon;
  const common = {
    ...rest,
    className: [s.button, className].filter(Boolean).join(' '),
    'data-type': type,
    'data-size': size,
    'data-danger': danger || undefined,
    'data-bare': (children === undefined || children === null) && mark ? true : undefined,
    'data-mark': mark ? iconPlacement : undefined,
    'aria-busy': loading || undefined,
  };
  // The mark comes and goes, so it stands after the text: a translator may have moved that.
  const content = (
    <>
      {children}
      {mark}
    </>
  );
  if (href !== undefined && !disabled)
    return (
      <a
        {...(common as object)}
        ref={ref as Ref<HTMLAnchorElement>}
        href={href}
        target={target}
        rel={rel}
        onClick={onClick as never}
      >
        {content}
      </a>
    );
  return (
    <button
      {...common}
      ref={ref as Ref<HTMLButtonElement>}
      type={htmlType}
      disabled={disabled}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {content}
    </button>
  );
}
