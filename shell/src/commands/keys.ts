/** Keys that do something on every page. */
import { useWindowEvent } from '../use-window-event';

type KeyAction = { do: 'palette' } | { do: 'help' } | { do: 'mode' } | { do: 'page'; index: number };

/** Single keys, for the list of shortcuts; `1` to `9` are the links of the navigation. */
export const SINGLE_KEYS = { palette: '/', help: '?', mode: 'T' } as const;

const typesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role=combobox], [role=slider]'));
const isDialogOpen = (): boolean => document.querySelector('dialog[open], [role=dialog], [role=menu]') !== null;

/**
 * The pressed key in small letters; on a layout of another script (Russian, Arabic) as a US keyboard has it. Empty when
 * a browser fills in a form: its event names no key.
 */
function keyOf({ key = '', code = '', shiftKey }: KeyboardEvent): string {
  if (/[\0-\u024f]/.test(key)) return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return code.replace('Key', '').toLowerCase();
}

/** What a key press asks for; null: nothing of the page. `single`: whether keys without Ctrl or Cmd count. */
function actionOf(event: KeyboardEvent, single: boolean): KeyAction | null {
  const { ctrlKey, metaKey, altKey, defaultPrevented, repeat } = event;
  if (defaultPrevented || repeat || altKey) return null;
  if (ctrlKey || metaKey) return keyOf(event) === 'k' ? { do: 'palette' } : null;
  if (!single || typesText(event.target) || isDialogOpen()) return null;
  const key = keyOf(event);
  if (key === SINGLE_KEYS.palette) return { do: 'palette' };
  if (key === SINGLE_KEYS.help) return { do: 'help' };
  if (key === SINGLE_KEYS.mode.toLowerCase()) return { do: 'mode' };
  return /^[1-9]$/.test(key) ? { do: 'page', index: Number(key) - 1 } : null;
}

export const useKeys = (single: boolean, act: (action: KeyAction) => void): void =>
  useWindowEvent('keydown', (event) => {
    const action = actionOf(event, single);
    if (!action) return;
    event.preventDefault();
    act(action);
  });
