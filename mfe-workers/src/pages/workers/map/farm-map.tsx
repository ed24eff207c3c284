import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Link, useLocation, useNavigate } from '@pool/shared/router';
import { Button, StateMark, useFormat, usePhone } from '@pool/shared/ui/core';
import { useWidth } from '@pool/shared/ui/table';
import {
  memo,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import { sumOf } from '../list/losses';
import styles from './farm-map.module.css';
import {
  CELLS,
  cellOf,
  cornerOf,
  hallsOf,
  LABEL,
  layoutOf,
  shareOf,
  workerAfter,
  workerAt,
  type Layout,
} from './map-layout';

/** Colour and opacity of each kind of cell: lightness differs too, for readers who tell few colours apart. */
const PAINT = {
  off: ['--bad-g', 1],
  some: ['--warn-g', 1],
  most: ['--warn-g', 0.5],
  all: ['--ok-g', 0.3],
  inactive: ['--line3', 1],
} as const;

function draw(canvas: HTMLCanvasElement, { blocks, step, height }: Layout, width: number): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const sharp = Math.min(2, devicePixelRatio || 1);
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  context.scale(sharp, sharp);
  const colours = getComputedStyle(canvas);
  const size = step - (step > 9 ? 2 : 1);
  const cells = blocks.flatMap(({ hall, columns, x, y }) =>
    hall.workers.map((worker, at) => ({
      cell: cellOf(worker),
      x: x + (at % columns) * step,
      y: y + Math.floor(at / columns) * step,
    })),
  );
  for (const kind of CELLS) {
    const [colour, alpha] = PAINT[kind];
    context.fillStyle = colours.getPropertyValue(colour);
    context.strokeStyle = colours.getPropertyValue(kind === 'off' ? '--surface' : colour);
    context.globalAlpha = alpha;
    for (const { cell, x, y } of cells) {
      if (cell !== kind) continue;
      if (kind === 'inactive') context.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
      else context.fillRect(x, y, size, size);
      if (kind !== 'off' || size < 7) continue;
      const [near, far] = [size * 0.25, size * 0.75];
      context.beginPath();
      context.moveTo(x + near, y + near);
      context.lineTo(x + far, y + far);
      context.moveTo(x + far, y + near);
      context.lineTo(x + near, y + far);
      context.stroke();
    }
  }
}

type Props = {
  /** Workers in the order of their names. */
  workers: readonly Worker[];
  onGroup(name: string): void;
};

/**
 * The farm as one picture: a cell a worker, by hall and name, coloured by its share of its own usual hour. The list of
 * workers is its table. On a phone a hall at a time, the worst first.
 */
export function FarmMap({ workers, onGroup }: Props) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const navigate = useNavigate();
  const { search } = useLocation();
  const phone = usePhone();
  const [area, width] = useWidth<HTMLDivElement>(640);
  const readingId = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [id, setId] = useState<number | null>(null);
  const { shown, beside, choose } = useHalls(workers, phone);
  const layout = useMemo(() => layoutOf(shown, width), [shown, width]);
  useEffect(() => {
    const paint = () => canvas.current && draw(canvas.current, layout, width);
    paint();
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributeFilter: ['data-mode'] });
    return () => theme.disconnect();
  }, [layout, width]);

  const current = workers.find((worker) => worker.id === id);
  const corner = current && cornerOf(layout, current.id);
  const pathOf = (worker: Worker) => ({ pathname: `../${worker.id}`, search });
  const open = (worker: Worker) => void navigate(pathOf(worker));
  const under = ({ nativeEvent: { offsetX, offsetY } }: MouseEvent) => workerAt(layout, offsetX, offsetY);
  const point = (event: PointerEvent) => {
    const worker = event.pointerType === 'touch' ? undefined : under(event);
    if (worker) setId(worker.id);
  };
  // A finger reads with the first tap; the name below the map opens.
  const click = (event: MouseEvent) => {
    const worker = under(event);
    if (!worker) return;
    setId(worker.id);
    if ((event.nativeEvent as globalThis.PointerEvent).pointerType !== 'touch') open(worker);
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = workerAfter(layout, id, event.key);
    if (next) setId(next.id);
    else if (event.key === 'Enter' && current) open(current);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.map}>
      {beside.some(Boolean) && (
        <div className={styles.pick}>
          {beside.map((hall, side) =>
            hall ? (
              <Button key={side} onClick={() => choose(hall.name)}>
                <bdi>{hall.name ?? t('workers.group.none')}</bdi>
              </Button>
            ) : (
              <span key={side} />
            ),
          )}
        </div>
      )}
      <div
        ref={area}
        className={styles.area}
        dir="ltr"
        role="application"
        tabIndex={0}
        aria-label={t('workers.map.title')}
        aria-describedby={readingId}
        onKeyDown={press}
        style={{ blockSize: layout.height }}
      >
        <canvas ref={canvas} className={styles.canvas} onPointerMove={point} onClick={click} />
        {layout.blocks.map(({ hall: { name, workers: all }, x, y }) => (
          <button
            key={name ?? ''}
            type="button"
            tabIndex={-1}
            className={styles.hall}
            style={{ insetInlineStart: x, insetBlockStart: y - LABEL }}
            onClick={() => onGroup(name ?? '')}
          >
            <bdi>{name ?? t('workers.group.none')}</bdi> <span>{count(all.length)}</span>
          </button>
        ))}
        {corner && (
          <span
            className={styles.cursor}
            style={{
              insetInlineStart: corner.x - 2,
              insetBlockStart: corner.y - 2,
              inlineSize: layout.step + 2,
              blockSize: layout.step + 2,
            }}
          />
        )}
      </div>
      <p id={readingId} className={styles.reading} aria-live="polite">
        {current ? <Reading worker={current} to={pathOf(current)} /> : <span>{t('workers.map.hint')}</span>}
      </p>
      <Legend workers={workers} />
    </div>
  );
}

/** The halls that are shown: on a phone one, and those before and after it. */
function useHalls(workers: readonly Worker[], phone: boolean) {
  const [chosen, choose] = useState<string | null>();
  const halls = useMemo(() => hallsOf(workers), [workers]);
  const worst = useMemo(() => {
    const lost = halls.map((hall) => sumOf(hall.workers, (worker) => 1 - (shareOf(worker) ?? 1)));
    return lost.indexOf(Math.max(...lost));
  }, [halls]);
  const known = halls.findIndex(({ name }) => name === chosen);
  const at = known < 0 ? Math.max(0, worst) : known;
  const shown = useMemo(() => (phone ? halls.slice(at, at + 1) : halls), [halls, phone, at]);
  return { shown, beside: phone ? [halls[at - 1], halls[at + 1]] : [], choose };
}

/** What the cell under the pointer or the cursor is. */
function Reading({ worker, to }: { worker: Worker; to: ComponentProps<typeof Link>['to'] }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const share = shareOf(worker);
  return (
    <>
      <Link to={to}>
        <bdi>{worker.name}</bdi>
      </Link>{' '}
      <StateMark state={worker.state} />
      {worker.group !== null && <bdi>{worker.group}</bdi>}
      {share != null && <span>{t('workers.map.share', { share: percent(share, 0) })}</span>}
    </>
  );
}

/** What the colours mean, with the number of workers of each. */
const Legend = memo(function Legend({ workers }: Pick<Props, 'workers'>) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const numbers = { off: 0, some: 0, most: 0, all: 0, inactive: 0 };
  for (const worker of workers) numbers[cellOf(worker)] += 1;
  return (
    <ul className={styles.legend} aria-label={t('workers.map.colours')}>
      {CELLS.map((cell) => (
        <li key={cell} data-cell={cell}>
          <span>{t(`workers.map.cell.${cell}`)}</span> <b>{count(numbers[cell])}</b>
        </li>
      ))}
    </ul>
  );
});
