/** Cursors are opaque to clients; internally they are the number of rows before the page, or an id. */
import { problems } from '../../platform/refused';

export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = /^o\d{1,9}$/.test(cursor) ? Number(cursor.slice(1)) : NaN;
  if (Number.isNaN(offset))
    throw problems.invalid('The cursor is invalid.', [{ path: 'cursor', message: 'is not valid' }]);
  return offset;
}

export const cursorAt = (offset: number): string => `o${offset}`;
export const nextCursor = (offset: number, shown: number, total: number): string | null =>
  offset + shown < total && shown > 0 ? cursorAt(offset + shown) : null;

/** A page of a list that is read from an offset, with the cursor of the next one. */
export async function paged<P extends { rows: readonly unknown[]; total: number }>(
  cursor: string | undefined,
  read: (offset: number) => Promise<P>,
): Promise<P & { nextCursor: string | null }> {
  const offset = offsetOf(cursor);
  const page = await read(offset);
  return { ...page, nextCursor: nextCursor(offset, page.rows.length, page.total) };
}
