/** What an entry of the audit log changed, field by field. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

export type Line = { field: string; before: string; after: string };

/** Fields that differ; of an entry without a state before, all it says. */
export function linesOf(before: unknown, after: unknown): Line[] {
  if (!isRecord(before) && !isRecord(after)) {
    const line = { field: '', before: textOf(before), after: textOf(after) };
    return line.before === line.after ? [] : [line];
  }
  const [from, to] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return fields
    .map((field) => ({ field, before: textOf(from[field]), after: textOf(to[field]) }))
    .filter((line) => line.before !== line.after);
}
