/** Writes rows with a few statements: each must fit the time a statement may take. */
export async function inParts<T>(
  rows: readonly T[],
  most: number,
  write: (part: T[]) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < rows.length; i += most) await write(rows.slice(i, i + most));
}
