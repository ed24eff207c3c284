/** A menu button (WAI-ARIA) with the props of antd's Dropdown, which is 98 KiB more to load. */
import {
  cloneElement,
  Fragment,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type HTMLAttributes,
  type Key,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ownDirection } from '../pieces/own-direction';
import { useAnchored } from './anchored';
import s from './dropdown.module.css';

type Choice = {
  type?: undefined;
  key: Key;
  label: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  /** Default: one of several choices beside a selected one, else an action. */
  role?: 'menuitemradio' | 'menuitemcheckbox';
  'aria-checked'?: boolean;
  onClick?(): void;
};
type Group = { type: 'group'; key?: Key; label: ReactNode; children?: readonly MenuItem[] };
type MenuItem = Choice | Group | { type: 'divider' };
export type MenuProps = {
  items: readonly MenuItem[];
  /** The entries beside one of them are the choices that it is selected from. */
  selectedKeys?: readonly Key[];
  onClick?(info: { key: string }): void;
};
type DropdownProps = {
  menu: MenuProps;
  /** The side of the button where the menu begins; it opens to the other one where the window ends. */
  placement?: 'bottomLeft' | 'bottomRight' | 'topLeft';
  /** One element, which takes HTML attributes. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
};
/** Where the focus goes when the menu opens. */
type Opened = { button: HTMLElement; at: 'first' | 'last' };

export function Dropdown({ menu, placement = 'bottomLeft', children }: DropdownProps) {
  const id = useId();
  const [opened, setOpened] = useState<Opened | null>(null);
  const { props } = children;
  return (
    <>
      {cloneElement(children, {
        'aria-haspopup': 'menu',
        'aria-expanded': opened !== null,
        'aria-controls': opened ? id : undefined,
        onClick: (event) => {
          props.onClick?.(event);
          setOpened(opened ? null : { button: event.currentTarget, at: 'first' });
        },
        onKeyDown: (event) => {
          props.onKeyDown?.(event);
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpened({ button: event.currentTarget, at: event.key === 'ArrowUp' ? 'last' : 'first' });
        },
      })}
      {opened && (
        <OpenMenu
          id={id}
          {...opened}
          menu={menu}
          placement={placement}
          onClose={(withFocus) => {
            setOpened(null);
            if (withFocus) opened.button.focus();
          }}
        />
      )}
    </>
  );
}

/** A longer list has a field that leaves the entries with what is typed; a menu with groups is not a list. */
const MANY = 12;
const GAP = 4;
/** Pixels between the menu and the window's edge. */
const MARGIN = 8;

/** Below or above the button, within the window; scrolls where there is no room for all of it. */
function place(box: HTMLElement, of: Element, placement: DropdownProps['placement']): void {
  const around = of.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const { width } = box.getBoundingClientRect();
  // Also of what is scrolled away.
  const height = box.scrollHeight + box.offsetHeight - box.clientHeight;
  const above = around.top - GAP - MARGIN;
  const below = clientHeight - around.bottom - GAP - MARGIN;
  const isAbove = placement === 'topLeft' ? above >= Math.min(height, below) : below < height && above > below;
  const room = isAbove ? above : below;
  const isAtRight = (placement === 'bottomRight') !== (getComputedStyle(box).direction === 'rtl');
  const left = isAtRight ? around.right - width : around.left;
  box.style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - width - MARGIN))}px`;
  box.style.top = `${isAbove ? around.top - GAP - Math.min(height, room) : around.bottom + GAP}px`;
  box.style.maxBlockSize = `${room}px`;
}

const itemsOf = (box: HTMLElement): HTMLElement[] => [...box.querySelectorAll<HTMLElement>('button:enabled')];

/** The item that a key moves the focus to; a letter: the next item that begins with it. */
function itemByKey(items: readonly HTMLElement[], key: string, isTyping: boolean): HTMLElement | undefined {
  const at = items.findIndex((item) => item === document.activeElement);
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at < 0 ? -1 : at - 1);
  if (isTyping) return undefined;
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length > 1 || key === ' ') return undefined;
  const letter = key.toLocaleLowerCase();
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
    item.textContent.trim().toLocaleLowerCase().startsWith(letter),
  );
}

/** An entry that is more than a text is found by its key. */
function matches(item: MenuItem, search: string): boolean {
  if (item.type !== undefined) return search === '';
  const text = typeof item.label === 'string' ? item.label : String(item.key);
  return text.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
}

type OpenMenuProps = Required<Pick<DropdownProps, 'menu' | 'placement'>> &
  Opened & { id: string; onClose(withFocus: boolean): void };

function OpenMenu({ id, button, at, menu, placement, onClose }: OpenMenuProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const isLong = menu.items.length > MANY && menu.items.every(({ type }) => type !== 'group');
  const items = isLong ? menu.items.filter((item) => matches(item, search)) : menu.items;
  useAnchored(box, button, {
    place: (element, of) => place(element, of, placement),
    onOutside: () => onClose(false),
  });
  useLayoutEffect(() => {
    if (box.current)
      itemsOf(box.current)
        .at(at === 'last' ? -1 : 0)
        ?.focus({ preventScroll: at === 'first' });
  }, [at]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    // The page has shortcuts and rows that open: a key in the menu is not meant for them.
    event.stopPropagation();
    // Keys of an input method choose characters.
    if (event.nativeEvent.isComposing) return;
    // The browser then moves the focus from the button.
    if (key === 'Tab' || key === 'Escape') onClose(true);
    if (ctrlKey || metaKey || altKey) return;
    const choices = itemsOf(event.currentTarget);
    const isTyping = event.target === field.current;
    // A letter is typed into the field, wherever the focus is.
    if (isLong && !isTyping && key.length === 1 && key !== ' ') return field.current?.focus();
    if (isTyping && key === 'Enter') return choices[0]?.click();
    const next = itemByKey(choices, key, isTyping);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div
      ref={box}
      role="presentation"
      popover="manual"
      className={s.menu}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
    >
      {isLong && (
        <input
          ref={field}
          type="search"
          className={s.search}
          value={search}
          placeholder={t('ui.search')}
          aria-label={t('ui.search')}
          aria-controls={id}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <div id={id} role="menu" tabIndex={-1} aria-label={button.getAttribute('aria-label') ?? button.textContent}>
        <Items items={items} menu={menu} onClose={onClose} />
      </div>
    </div>
  );
}

function Items({ items, menu, onClose }: Pick<OpenMenuProps, 'menu' | 'onClose'> & Pick<MenuProps, 'items'>) {
  const id = useId();
  const { selectedKeys = [], onClick } = menu;
  const isChoice = items.some((item) => item.type === undefined && selectedKeys.includes(item.key));
  return items.map((item, index) => {
    if (item.type === 'divider') return <div key={`divider ${index}`} role="separator" className={s.divider} />;
    if (item.type === 'group') {
      const title = `${id}-${index}`;
      const heading = (
        <div id={title} role="presentation" className={s.title}>
          {item.label}
        </div>
      );
      return item.children ? (
        <div key={item.key ?? title} role="group" aria-labelledby={title}>
          {heading}
          <Items items={item.children} menu={menu} onClose={onClose} />
        </div>
      ) : (
        <Fragment key={item.key ?? title}>{heading}</Fragment>
      );
    }
    const { key, label, icon, disabled, role, onClick: onItem } = item;
    const checked = isChoice ? selectedKeys.includes(key) : item['aria-checked'];
    return (
      <button
        key={key}
        type="button"
        role={role ?? (isChoice ? 'menuitemradio' : 'menuitem')}
        aria-checked={checked}
        tabIndex={-1}
        disabled={disabled}
        className={s.item}
        onClick={() => {
          onClose(true);
          onItem?.();
          onClick?.({ key: String(key) });
        }}
      >
        {icon}
        <span className={s.label}>{ownDirection(label)}</span>
      </button>
    );
  });
}
