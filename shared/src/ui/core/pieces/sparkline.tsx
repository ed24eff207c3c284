import { areaPath, linePath } from '../chart/shape';
import s from './sparkline.module.css';

const WIDTH = 104;
const HEIGHT = 24;
const FLOOR = HEIGHT - 1;
/** Space above the line, and at the end for the dot of a low worker. */
const TOP = 3;
const END = WIDTH - 3;

type Props = {
  /** H/s in equal steps, null for a gap, the latest last. */
  points: readonly (number | null)[];
  /** `low`: the line ends with an amber dot. `offline`: it falls to a dotted line. */
  ending?: 'low' | 'offline';
};

/** A small chart of the last 24 h, hidden from screen readers: the numbers are beside it. */
export function Sparkline({ points, ending }: Props) {
  const max = Math.max(...points.map((point) => point ?? 0), Number.MIN_VALUE);
  const step = points.length > 1 ? END / (points.length - 1) : 0;
  const xy = (index: number, value: number): [number, number] => [index * step, FLOOR - (value / max) * (FLOOR - TOP)];
  const lastKnown = points.findLastIndex((point) => point !== null);
  // An hour without shares falls to the dotted line, as the end of an offline worker does: an outage has one picture.
  const gaps = points.flatMap((point, start) => {
    const end = points.findIndex((later, index) => index > start && later !== null);
    if (point === null || end <= start + 1) return [];
    const [[x1, y1], [x2, y2]] = [xy(start, point), xy(end, points[end] ?? 0)];
    return `M${x1} ${y1}V${FLOOR}H${x2}V${y2}`;
  });
  const [x, y] = lastKnown < 0 ? [0, FLOOR] : xy(lastKnown, points[lastKnown] ?? 0);
  return (
    <svg
      className={s.spark}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      aria-hidden="true"
    >
      <path className={s.area} d={areaPath(points, xy, FLOOR)} />
      <path className={s.line} d={linePath(points, xy)} />
      {gaps.length > 0 && <path className={s.floor} d={gaps.join('')} />}
      {lastKnown >= 0 && ending === 'low' && <circle className={s.dot} cx={x} cy={y} r="2.25" />}
      {ending === 'offline' && (
        <>
          {lastKnown >= 0 && <path className={s.fall} d={`M${x} ${y}V${FLOOR}`} />}
          <path className={s.floor} d={`M${x} ${FLOOR}H${Math.max(END, x + 10)}`} />
        </>
      )}
    </svg>
  );
}
