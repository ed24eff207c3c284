/** What admins edit, as cells of text: the same for a form, a sheet, and what is pasted from a spreadsheet. */
import { asDecimal } from '@pool/shared/ui/form';

type Id = { id: number };

export type EditField<Row> = {
  key: string;
  title: string;
  /** The value as text; empty: none. */
  text: (row: Row) => string;
  /** Values to choose from; without them any text that `isValid`. */
  choices?: readonly { value: string; label: string }[];
  isValid: (text: string) => boolean;
  rule: string;
};

/** Texts that differ from what was read, by row and field. */
export type Drafts = ReadonlyMap<number, Readonly<Record<string, string>>>;

const normal = (text: string): string => text.trim().toLowerCase();
/** A pasted text as the value of a field: choices by value or by label, others as they are. */
const valueOf = <Row>({ choices }: EditField<Row>, text: string): string =>
  choices?.find(({ value, label }) => normal(value) === normal(text) || normal(label) === normal(text))?.value ??
  text.trim();

/** Sets one cell; a text equal to what was read is no draft. */
export function withCell<Row extends Id>(drafts: Drafts, row: Row, field: EditField<Row>, text: string): Drafts {
  const next = new Map(drafts);
  const { [field.key]: _, ...others } = drafts.get(row.id) ?? {};
  const draft = text === field.text(row) ? others : { ...others, [field.key]: text };
  if (Object.keys(draft).length) next.set(row.id, draft);
  else next.delete(row.id);
  return next;
}

/** Sets the block of cells that a spreadsheet copied, from (`rowAt`, `fieldAt`) on, as far as there are cells. */
export function withPasted<Row extends Id>(
  drafts: Drafts,
  rows: readonly Row[],
  fields: readonly EditField<Row>[],
  { rowAt, fieldAt, text }: { rowAt: number; fieldAt: number; text: string },
): Drafts {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  let next = drafts;
  lines.forEach((line, down) => {
    line.split('\t').forEach((cell, right) => {
      const row = rows[rowAt + down];
      const field = fields[fieldAt + right];
      if (row && field) next = withCell(next, row, field, valueOf(field, cell));
    });
  });
  return next;
}

/** Sets the cells below to the text of this one. */
export function filledDown<Row extends Id>(drafts: Drafts, rows: readonly Row[], field: EditField<Row>, rowAt: number) {
  const from = rows[rowAt];
  if (!from) return drafts;
  const text = drafts.get(from.id)?.[field.key] ?? field.text(from);
  return rows.slice(rowAt + 1).reduce((next, row) => withCell(next, row, field, text), drafts);
}

export type Difference<Row> = { row: Row; field: EditField<Row>; before: string; after: string; valid: boolean };

/** What the drafts would change, row by row. A row that has meanwhile become the same is no difference. */
export function differencesOf<Row extends Id>(
  drafts: Drafts,
  rows: readonly Row[],
  fields: readonly EditField<Row>[],
): Difference<Row>[] {
  return rows.flatMap((row) => {
    const draft = drafts.get(row.id) ?? {};
    return fields.flatMap((field) => {
      const after = draft[field.key];
      const before = field.text(row);
      return after === undefined || after === before
        ? []
        : [{ row, field, before, after, valid: field.isValid(after) }];
    });
  });
}

export const labelOf = <Row>({ choices }: EditField<Row>, text: string): string =>
  choices?.find(({ value }) => value === text)?.label ?? text;

/** `1,5` and Arabic digits as people write them: `1.5`; null: not a number. */
export function numberOf(text: string): number | null {
  const western = asDecimal(text);
  return /^\d+(\.\d+)?$/.test(western) ? Number(western) : null;
}
