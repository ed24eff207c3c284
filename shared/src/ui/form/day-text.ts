import { formatDay } from '../core';
import { westernDigits } from '../../domain/digits';

/** The month, from 0, whose name or its beginning is `word`; -1: none. */
function monthOf(language: string, word: string): number {
  const names = Array.from({ length: 12 }, (_, month) =>
    formatDay(language, 'utc', new Date(Date.UTC(2025, month, 1)), false)
      .replace(/[\d\s.]+/g, '')
      .toLowerCase(),
  );
  return names.findIndex((name) => word.startsWith(name) || (word.length >= 3 && name.startsWith(word)));
}

/** `24 Nov 2026` in the page's language. `day`: `2026-11-24`. */
export const textOfDay = (language: string, day: string): string => formatDay(language, 'utc', day, true);

/** The day that a text names, as `2026-11-24`: `24 Nov 2026`, `24.11.2026`, `24/11/2026`; null: none. */
export function dayOfText(language: string, text: string): string | null {
  const western = westernDigits(text).trim().toLowerCase();
  const numbers = (western.match(/\d+/g) ?? []).map(Number);
  const word = /\p{L}[\p{L}\p{M}]*/u.exec(western)?.[0];
  const [first = 0, second = 0, third = 0] = numbers;
  const [year, month, date] =
    word !== undefined
      ? [second, monthOf(language, word) + 1, first]
      : /^\d{4}\D/.test(western)
        ? [first, second, third]
        : [third, second, first];
  if (numbers.length !== (word === undefined ? 3 : 2) || year < 1000 || year > 9999) return null;
  const at = new Date(Date.UTC(year, month - 1, date));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === date ? at.toISOString().slice(0, 10) : null;
}
