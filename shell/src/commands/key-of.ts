/** The pressed key in small letters; on a layout of another script (Russian, Arabic) as a US keyboard has it. */
export function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (/[\p{ASCII}\p{Script=Latin}]/u.test(key)) return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return code.replace('Key', '').toLowerCase();
}
