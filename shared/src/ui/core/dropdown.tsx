/**
 * antd's Dropdown, fetched when the page is idle or the trigger is used: menus are a quarter of antd's share of a first paint,
 * and nobody opens one before it. Until then the trigger stands there alone; a click on it opens the menu as soon as it has come.
 */
import type AntDropdown from 'antd/es/dropdown';
import type { DropdownProps } from 'antd/es/dropdown';
import { cloneElement, useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type ReactElement } from 'react';
import { whenIdle } from './idle';
import s from './dropdown.module.css';

export type { DropdownProps };
type Props = DropdownProps & { children: ReactElement<{ onClick?: (event: MouseEvent) => void }> };

let loaded: typeof AntDropdown | undefined;
const load = async (): Promise<typeof AntDropdown> => (loaded ??= (await import('antd/es/dropdown')).default);

export function Dropdown({ children, open, onOpenChange, ...rest }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);
  const [Real, setReal] = useState(() => loaded);
  const [opened, setOpened] = useState(false);

  useEffect(() => {
    if (Real) return;
    let current = true;
    const show = () =>
      void load().then(
        (component) => {
          if (!current) return;
          hadFocus.current = place.current?.contains(document.activeElement) ?? false;
          setReal(() => component);
        },
        () => undefined,
      );
    const cancel = opened ? (show(), undefined) : whenIdle(show);
    return () => {
      current = false;
      cancel?.();
    };
  }, [Real, opened]);

  // The trigger is drawn anew inside antd's component: whoever stood on it stays on it.
  useLayoutEffect(() => {
    if (Real && hadFocus.current) place.current?.querySelector<HTMLElement>('button, a, [tabindex]')?.focus();
    hadFocus.current = false;
  }, [Real]);

  const trigger = Real ? (
    <Real
      {...rest}
      open={open ?? opened}
      onOpenChange={(now, info) => {
        setOpened(now);
        onOpenChange?.(now, info);
      }}
    >
      {children}
    </Real>
  ) : (
    cloneElement(children, {
      onClick: (event) => {
        children.props.onClick?.(event);
        setOpened(true);
        onOpenChange?.(true, { source: 'trigger' });
      },
    })
  );
  return (
    <span ref={place} className={s.place}>
      {trigger}
    </span>
  );
}
