import s from './sparkline.module.css';

const WIDTH = 104;
const HEIGHT = 24;
const FLOOR = HEIGHT - 1;
/** Room above the line, and at the end for the low worker's dot. */
const TOP = 3;
const END = WIDTH - 3;

const round = (n: number) => Math.round(n * 10) / 10;

/** Line pieces of `points`, broken at gaps, as path data in the 104 x 24 box. */
export function sparkPieces(points: readonly (number | null)[]): {
  line: string;
  area: string;
  last: { x: number; y: number } | null;
} {
  const max = Math.max(...points.map((p) => p ?? 0), Number.MIN_VALUE);
  const step = points.length > 1 ? END / (points.length - 1) : 0;
  let line = '';
  let area = '';
  let last: { x: number; y: number } | null = null;
  let start: number | null = null;
  points.forEach((point, index) => {
    const x = round(index * step);
    if (point !== null) {
      const y = round(FLOOR - (point / max) * (FLOOR - TOP));
      line += `${start === null ? 'M' : 'L'}${x} ${y}`;
      area += start === null ? `M${x} ${FLOOR}L${x} ${y}` : `L${x} ${y}`;
      start ??= x;
      last = { x, y };
    }
    if (start !== null && last && (point === null || index === points.length - 1)) {
      area += `L${last.x} ${FLOOR}Z`;
      start = null;
    }
  });
  return { line, area, last };
}

type Props = {
  /** H/s, equal steps, null is a gap; the latest last. */
  points: readonly (number | null)[];
  /** A low worker's line ends in an amber dot, an offline one's falls to a dotted floor. */
  ending?: 'low' | 'offline';
};

/** The last 24 h at a glance; the numbers stand beside it, so it is hidden from screen readers. Time runs left to right in every language. */
export function Sparkline({ points, ending }: Props) {
  const { line, area, last } = sparkPieces(points);
  return (
    <svg
      className={s.spark}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      aria-hidden="true"
    >
      <path className={s.area} d={area} />
      <path className={s.line} d={line} />
      {last && ending === 'low' && <circle className={s.dot} cx={last.x} cy={last.y} r="2.25" />}
      {ending === 'offline' && (
        <>
          {last && <path className={s.fall} d={`M${last.x} ${last.y}V${FLOOR}`} />}
          <path className={s.floor} d={`M${last?.x ?? 0} ${FLOOR}H${Math.max(END, (last?.x ?? 0) + 10)}`} />
        </>
      )}
    </svg>
  );
}
