import {
  cloneElement,
  useEffect,
  useId,
  useRef,
  useState,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { useAnchored } from './anchored';
import s from './tooltip.module.css';

type Trigger = 'hover' | 'focus' | 'click';
type TooltipProps = {
  title: ReactNode;
  trigger?: readonly Trigger[];
  /** One element, which takes HTML attributes. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
};

/** Milliseconds between showing and hiding: the pointer may cross the gap to the tooltip. */
const DELAY_MS = 100;
const GAP = 8;
const ON_HOVER: readonly Trigger[] = ['hover', 'focus'];

class DelayedCall {
  private timer: ReturnType<typeof setTimeout> | undefined;
  run(work: () => void): void {
    this.cancel();
    this.timer = setTimeout(work, DELAY_MS);
  }
  cancel(): void {
    clearTimeout(this.timer);
  }
}

/** Above the element, else below it, within the window. */
function place(tip: HTMLElement, of: Element): void {
  const around = of.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const below = around.top - height - GAP < 0;
  const middle = around.left + around.width / 2;
  const left = Math.max(GAP, Math.min(middle - width / 2, document.documentElement.clientWidth - width - GAP));
  tip.style.left = `${left}px`;
  tip.style.top = `${below ? around.bottom + GAP : around.top - height - GAP}px`;
  tip.dataset.below = String(below);
  tip.style.setProperty('--middle', `${middle - left}px`);
}

/** A short text about its element. It stays while the pointer is on it, and Escape hides it. */
export function Tooltip({ title, trigger = ON_HOVER, children }: TooltipProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const [target, setTarget] = useState<Element | null>(null);
  const [later] = useState(() => new DelayedCall());
  const open = shown && Boolean(title);

  const show = (now: boolean, element?: Element) => {
    later.cancel();
    if (element) setTarget(element);
    setShown(now);
  };
  const soon = (now: boolean, element?: Element) => later.run(() => show(now, element));
  useEffect(() => () => later.cancel(), [later]);

  const { props } = children;
  const on = (name: Trigger) => trigger.includes(name);
  const element = cloneElement(children, {
    'aria-describedby': open ? id : props['aria-describedby'],
    ...(on('hover') && {
      onMouseEnter: (event) => {
        props.onMouseEnter?.(event);
        soon(true, event.currentTarget);
      },
      onMouseLeave: (event) => {
        props.onMouseLeave?.(event);
        soon(false);
      },
    }),
    ...(on('focus') && {
      onFocus: (event) => {
        props.onFocus?.(event);
        // A click also moves the focus: then the pointer shows it.
        if (event.currentTarget.matches(':focus-visible')) show(true, event.currentTarget);
      },
      onBlur: (event) => {
        props.onBlur?.(event);
        show(false);
      },
    }),
    ...(on('click') && {
      onClick: (event) => {
        props.onClick?.(event);
        // A pointer that is over it has shown it already, a finger has not.
        show(on('hover') || !open, event.currentTarget);
      },
    }),
  });
  return (
    <>
      {element}
      {open && target && (
        <Tip id={id} of={target} onHover={on('hover') ? soon : undefined} onClose={() => show(false)}>
          {title}
        </Tip>
      )}
    </>
  );
}

type TipProps = { id: string; of: Element; onHover?(now: boolean): void; onClose(): void; children: ReactNode };

function Tip({ id, of, onHover, onClose, children }: TipProps) {
  const tip = useRef<HTMLDivElement>(null);
  useAnchored(tip, of, { place, onOutside: onClose });
  useEffect(() => {
    const hide = ({ key }: KeyboardEvent) => key === 'Escape' && onClose();
    addEventListener('keydown', hide, true);
    return () => removeEventListener('keydown', hide, true);
  }, [onClose]);
  return createPortal(
    <div
      ref={tip}
      id={id}
      role="tooltip"
      popover="manual"
      className={s.tip}
      onMouseEnter={() => onHover?.(true)}
      onMouseLeave={() => onHover?.(false)}
    >
      {children}
    </div>,
    document.body,
  );
}
