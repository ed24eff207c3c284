/**
 * The pressed key in small letters; on a layout of another script (Russian, Arabic) as a US keyboard has it. Empty when
 * a browser fills in a form: its event names no key.
 */
export function keyOf({ key = '', code = '', shiftKey }: KeyboardEvent): string {
  if (/[\0-\u024f]/.test(key)) return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return code.replace('Key', '').toLowerCase();
}
