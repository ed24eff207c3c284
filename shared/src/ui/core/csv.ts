/** A table as a file: raw units, UTC times in ISO 8601, so that it can be added up elsewhere. */
export type CsvValue = string | number | boolean | Date | null | undefined;

const NUMBER = /^-?\d+(\.\d+)?$/;
/** A text a spreadsheet would run as a formula gets an apostrophe in front; numbers, negative ones and exact amounts as text too, stay numbers. */
const harmless = (text: string): string => (!NUMBER.test(text) && /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = value instanceof Date ? value.toISOString() : harmless(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const toCsv = (header: readonly string[], rows: readonly (readonly CsvValue[])[]): string =>
  [header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';

/** Offers `content` as a file. */
export function downloadBlob(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The click has only begun the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** `name` with its ending. The byte order mark tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, header: readonly string[], rows: readonly (readonly CsvValue[])[]): void {
  downloadBlob(name, new Blob(['\ufeff', toCsv(header, rows)], { type: 'text/csv;charset=utf-8' }));
}
