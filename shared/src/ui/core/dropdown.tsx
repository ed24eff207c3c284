/**
 * antd's Dropdown, fetched when the pointer or the focus is on a trigger, and rendered when one is used: most pages are
 * read without a menu. Until then only the trigger is rendered; a click on it opens the menu as soon as it is loaded.
 */
import type AntDropdown from 'antd/es/dropdown';
import type { DropdownProps } from 'antd/es/dropdown';
import { cloneElement, useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type ReactElement } from 'react';
import s from './dropdown.module.css';

type Props = DropdownProps & { children: ReactElement<{ onClick?: (event: MouseEvent) => void }> };

let loaded: typeof AntDropdown | undefined;
/** Fetches the code of menus. */
export const loadDropdown = async (): Promise<typeof AntDropdown> =>
  (loaded ??= (await import('../antd/dropdown')).default);
const prefetch = (): void => void loadDropdown().catch(() => undefined);

const triggerIn = (place: HTMLElement | null) => place?.querySelector<HTMLElement>('button, a, [tabindex]');

export function Dropdown({ children, open, onOpenChange, ...rest }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);
  const [Real, setReal] = useState(() => loaded);
  const [opened, setOpened] = useState(false);

  useEffect(() => {
    if (Real || !opened) return;
    let current = true;
    loadDropdown().then(
      (component) => {
        if (!current) return;
        hadFocus.current = place.current?.contains(document.activeElement) ?? false;
        setReal(() => component);
      },
      () => current && setOpened(false),
    );
    return () => {
      current = false;
    };
  }, [Real, opened]);

  // antd's component renders the trigger again: restore the focus.
  useLayoutEffect(() => {
    if (Real && hadFocus.current) triggerIn(place.current)?.focus();
    hadFocus.current = false;
  }, [Real]);

  const { menu } = rest;
  const trigger = Real ? (
    <Real
      autoFocus
      {...rest}
      menu={
        menu && {
          ...menu,
          onClick: (info) => {
            // The rest of the key press would go to the trigger, which has the focus by then, and open the menu again.
            if (info.domEvent.type === 'keydown') info.domEvent.preventDefault();
            menu.onClick?.(info);
          },
        }
      }
      open={open ?? opened}
      onOpenChange={(now, info) => {
        setOpened(now);
        // The focused item is removed with the menu: return the focus to the trigger.
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
    <span
      ref={place}
      className={s.place}
      onPointerEnter={Real ? undefined : prefetch}
      onFocus={Real ? undefined : prefetch}
    >
      {trigger}
    </span>
  );
}
