/**
 * antd's Dropdown, fetched when the page is idle or the trigger is used: menus are a quarter of antd's share of a first paint,
 * and nobody opens one before it. Until then the trigger stands there alone; a click on it opens the menu as soon as it has come.
 */
import type AntDropdown from 'antd/es/dropdown';
import type { DropdownProps } from 'antd/es/dropdown';
import { cloneElement, useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type ReactElement } from 'react';
import { whenIdle } from './idle';
import s from './dropdown.module.css';

type Props = DropdownProps & { children: ReactElement<{ onClick?: (event: MouseEvent) => void }> };

let loaded: typeof AntDropdown | undefined;
const load = async (): Promise<typeof AntDropdown> => (loaded ??= (await import('antd/es/dropdown')).default);

const triggerIn = (place: HTMLElement | null) => place?.querySelector<HTMLElement>('button, a, [tabindex]');

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
    if (Real && hadFocus.current) triggerIn(place.current)?.focus();
    hadFocus.current = false;
  }, [Real]);

  const trigger = Real ? (
    <Real
      autoFocus
      {...rest}
      open={open ?? opened}
      onOpenChange={(now, info) => {
        setOpened(now);
        // What was chosen is gone with the menu: the focus goes back to where it came from.
        if (!now && info.source === 'menu') triggerIn(place.current)?.focus();
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
