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

/** A page of a list that is read from an offset, by the query of a call, with the cursor of the next one. */
export async function paged<Q extends { cursor?: string }, P extends { rows: readonly unknown[]; total: number }>(
  query: Q,
  read: (query: Q & { offset: number }) => Promise<P>,
): Promise<P & { nextCursor: string | null }> {
  const offset = offsetOf(query.cursor);
  const page = await read({ ...query, offset });
  return { ...page, nextCursor: nextCursor(offset, page.rows.length, page.total) };
}
