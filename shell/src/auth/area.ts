/** Paths of an area chart without axes, in a box of `width` x `height`, from zero; a gap interrupts both. */
export function areaPaths(
  points: readonly (number | null)[],
  width: number,
  height: number,
): { line: string; area: string } {
  const top = Math.max(0, ...points.map((point) => point ?? 0)) * 1.08;
  if (top === 0 || points.length < 2) return { line: '', area: '' };
  const place = (value: number, index: number): string =>
    `${round((index / (points.length - 1)) * width)} ${round(height - (value / top) * height)}`;
  const pieces: string[][] = [];
  let piece: string[] | undefined;
  points.forEach((value, index) => {
    if (value === null) {
      piece = undefined;
      return;
    }
    if (!piece) pieces.push((piece = []));
    piece.push(place(value, index));
  });
  const drawn = pieces.filter(({ length }) => length > 1);
  const xOf = (at: string | undefined): string => at?.split(' ')[0] ?? '0';
  return {
    line: drawn.map((at) => `M${at.join('L')}`).join(''),
    area: drawn.map((at) => `M${xOf(at[0])} ${height}L${at.join('L')}L${xOf(at.at(-1))} ${height}Z`).join(''),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
