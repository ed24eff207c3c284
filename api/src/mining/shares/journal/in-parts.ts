import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows of a chunk: one to two milliseconds of work with each line of a journal. */
const CHUNK_ROWS = 500;

/** Chunks of `rows`, each in an iteration of the event loop of its own, so that others are served in between. */
export async function* inChunks<T>(rows: readonly T[]): AsyncGenerator<T[]> {
  for (let i = 0; i < rows.length; i += CHUNK_ROWS) {
    if (i > 0) await nextTurn();
    yield rows.slice(i, i + CHUNK_ROWS);
  }
}

/** Calls `write` with parts of at most `max` rows, so that each statement stays below the statement timeout. */
export async function inParts<T>(
  rows: readonly T[],
  max: number,
  write: (part: T[]) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < rows.length; i += max) await write(rows.slice(i, i + max));
}
