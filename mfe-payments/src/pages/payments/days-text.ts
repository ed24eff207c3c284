import { localeOf } from '@pool/shared/ui/core';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Two UTC days as one text: `1 – 20 Nov 2026`. */
export function formatDays(language: string, from: string, to: string): string {
  let format = formats.get(language);
  if (!format)
    formats.set(
      language,
      (format = new Intl.DateTimeFormat(localeOf(language), {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      })),
    );
  return format.formatRange(new Date(from), new Date(to));
}
