/** Tables as CSV files: raw units and UTC times in ISO 8601, for computing with them. */
export type CsvValue = string | number | boolean | Date | null | undefined;

const NUMBER = /^-?\d+(\.\d+)?$/;
/** What begins a formula; some programs read full-width signs as the plain ones. */
const SIGN = '[=+\\-@＝＋－＠]';
/** What a program may take away before it: blanks, marks that are not seen, quotation marks. */
const IGNORED = `[\\s\\p{Cc}\\p{Cf}"'“”„«»\`]*`;
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${IGNORED}${SIGN})`, 'u');
/** The same behind what separates cells, here or in a spreadsheet of another language, or when lines are pasted. */
const NEXT_FORMULA = new RegExp(`[,;|\\t\\r\\n](?=${IGNORED}${SIGN})`, 'gu');
/** Puts an apostrophe before what a spreadsheet would run as a formula; numbers stay numbers. */
function harmless(text: string): string {
  if (NUMBER.test(text)) return text;
  return (FORMULA.test(text) ? "'" : '') + text.replace(NEXT_FORMULA, "$&'");
}

/** A hashrate in H/s without a fraction, which is below its error. */
export const wholeHs = (hs: number | null | undefined): number | null | undefined =>
  typeof hs === 'number' ? Math.round(hs) : hs;
/** A rate as a fraction of one with six decimals: a part per million. */
export const shortRate = (rate: number): number => Number(rate.toFixed(6));

/** What a spreadsheet takes for a decimal mark, and what then stands between cells. */
type Form = { decimal: string; between: string };
const PLAIN: Form = { decimal: '.', between: ',' };

/** Form of a CSV: spreadsheets in a language with a decimal comma want a semicolon between cells. */
export function csvForm(language: string): Form {
  const decimal = new Intl.NumberFormat(`${language}-u-nu-latn`)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal');
  return decimal?.value === ',' ? { decimal: ',', between: ';' } : PLAIN;
}

const DECIMAL = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 });
/** Digits only: programs read `4.9e-7` as a text. */
function digits(value: number): string {
  const text = `${value}` as const;
  return text.includes('e') ? DECIMAL.format(text) : text;
}

function cell(value: CsvValue, { decimal }: Form): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value ?? '');
  const text =
    value instanceof Date ? value.toISOString() : typeof value === 'number' ? digits(value) : harmless(value);
  if (typeof value === 'number' || NUMBER.test(text)) return text.replace('.', decimal);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `form`: of a user's spreadsheet; the plain one is for programs. */
export const toCsv = (header: readonly string[], rows: readonly (readonly CsvValue[])[], form = PLAIN): string =>
  [header, ...rows].map((row) => row.map((value) => cell(value, form)).join(form.between)).join('\r\n') + '\r\n';

/** Columns of a CSV: what each heading has of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;
export const csvTable = <Row>(
  columns: CsvColumns<Row>,
  rows: readonly Row[],
): [header: string[], rows: CsvValue[][]] => [
  Object.keys(columns),
  rows.map((row) => Object.values(columns).map((valueOf) => valueOf(row))),
];

/** Event of the window: a file was made of what a page shows; `detail` is its name. */
export const EXPORTED = 'pool:exported';

export function downloadBlob(name: string, content: Blob): void {
  window.dispatchEvent(new CustomEvent(EXPORTED, { detail: name }));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The click only starts the download, so the URL must stay valid for a while.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The byte order mark says UTF-8 to spreadsheets; numbers are as those of the page's language read them. */
export function downloadCsv(name: string, header: readonly string[], rows: readonly (readonly CsvValue[])[]): void {
  const text = toCsv(header, rows, csvForm(document.documentElement.lang || 'en'));
  downloadBlob(name, new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
}
