/** Calls `write` with parts of at most `max` rows, so that each statement stays below the statement timeout. */
export async function inParts<T>(
  rows: readonly T[],
  max: number,
  write: (part: T[]) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < rows.length; i += max) await write(rows.slice(i, i + max));
}
