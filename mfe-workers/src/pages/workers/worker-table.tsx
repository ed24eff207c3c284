import { OFFLINE_AFTER_S, type HashrateUnit, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { DASH, Percent, Sparkline, StateMark, TimeAgo, useFormat } from '@pool/shared/ui/core';
import { memo, useImperativeHandle, useRef, type Ref } from 'react';
import styles from './list.module.css';
import type { ListPlace, SortKey } from './list-place';
import { SortHeader } from './sort-header';
import { scrollToRow, useWindow } from './use-window';
import { WorkerHashrate } from './worker-hashrate';
import { WorkerLink } from './worker-link';

const ROW_HEIGHT = 50;
/** Height of the sticky app bar and table head, pixels. */
const COVERED = 64 + 54;

type Column = { sort?: SortKey; label: string; className: string; unit?: boolean };
const COLUMNS: readonly Column[] = [
  { sort: 'name', label: 'workers.name', className: 'name' },
  { sort: 'trouble', label: 'workers.state', className: 'state' },
  { label: 'workers.spark', className: 'spark' },
  { sort: 'm5', label: 'workers.m5', className: 'number fourth', unit: true },
  { sort: 'h1', label: 'workers.h1', className: 'number third', unit: true },
  { sort: 'h24', label: 'workers.h24', className: 'number', unit: true },
  { sort: 'rejectRate', label: 'workers.rejectRate', className: 'number second' },
  { sort: 'staleRate', label: 'workers.staleRate', className: 'number second' },
  { sort: 'difficulty', label: 'workers.difficulty', className: 'number first' },
  { sort: 'lastShareAt', label: 'workers.lastShare', className: 'number' },
];
const classes = (names: string) =>
  names
    .split(' ')
    .map((name) => styles[name])
    .join(' ');
const classNames = COLUMNS.map((column) => classes(column.className));

export type ListHandle = { scrollTo(index: number): void };
export type ListProps = {
  ref: Ref<ListHandle>;
  workers: readonly Worker[];
  unit: HashrateUnit;
  openId: number | null;
  place: ListPlace;
  onSort(sort: SortKey): void;
};

/** A table with only the visible rows in the document; `aria-rowcount` has the number of all rows. */
export function WorkerTable({ ref, workers, unit, openId, place, onSort }: ListProps) {
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const { start, end } = useWindow(body, workers.length, ROW_HEIGHT);
  useImperativeHandle(ref, () => ({ scrollTo: (index) => scrollToRow(body.current, index, ROW_HEIGHT, COVERED) }), []);
  const shownUnit = unit === 'H' ? 'H/s' : `${unit}H/s`;
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={t('workers.list')} aria-rowcount={workers.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map(({ sort, label, unit: hasUnit }, i) => (
              <SortHeader key={label} className={classNames[i]} sort={sort} place={place} onSort={onSort}>
                {t(label)}
                {hasUnit && (
                  <>
                    {' '}
                    <bdi className={styles.unit}>{shownUnit}</bdi>
                  </>
                )}
              </SortHeader>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <tr aria-hidden="true" style={{ blockSize: start * ROW_HEIGHT }} />
          {workers.slice(start, end).map((worker, i) => (
            <Row key={worker.id} worker={worker} index={start + i} unit={unit} open={worker.id === openId} />
          ))}
          <tr aria-hidden="true" style={{ blockSize: (workers.length - end) * ROW_HEIGHT }} />
        </tbody>
      </table>
    </div>
  );
}

const Row = memo(function Row({
  worker,
  index,
  unit,
  open,
}: {
  worker: Worker;
  index: number;
  unit: HashrateUnit;
  open: boolean;
}) {
  const { count } = useFormat();
  const cells = [
    <WorkerLink key="name" worker={worker} />,
    <StateMark key="state" state={worker.state} />,
    <Sparkline key="spark" points={worker.spark} ending={endingOf(worker)} />,
    <WorkerHashrate key="m5" worker={worker} window="m5" unit={unit} />,
    <WorkerHashrate key="h1" worker={worker} window="h1" unit={unit} />,
    <WorkerHashrate key="h24" worker={worker} window="h24" unit={unit} />,
    <Rate key="reject" rate={worker.rejectRate} worker={worker} />,
    <Rate key="stale" rate={worker.staleRate} worker={worker} />,
    worker.difficulty === null ? DASH : count(worker.difficulty),
    <LastShare key="last" worker={worker} />,
  ];
  return (
    <tr aria-rowindex={index + 2} className={open ? styles.open : undefined} data-row={worker.id}>
      {cells.map((cell, i) => (
        <td key={COLUMNS[i]?.label} className={classNames[i]}>
          {cell}
        </td>
      ))}
    </tr>
  );
});

export const endingOf = ({ state }: Worker) => (state === 'low' ? 'low' : state === 'offline' ? 'offline' : undefined);

/** Time since the last share; marked as late unless the worker is inactive. */
export const LastShare = ({ worker: { lastShareAt, state } }: { worker: Worker }) => (
  <TimeAgo bare at={lastShareAt} lateAfter={state === 'inactive' ? undefined : OFFLINE_AFTER_S} />
);

/** Highlight reject and stale rates from one percent. */
const HIGH_RATE = 0.01;

function Rate({ rate, worker }: { rate: number; worker: Worker }) {
  return (
    <span className={rate >= HIGH_RATE ? styles.warn : undefined}>
      <Percent rate={worker.h24 > 0 ? rate : null} />
    </span>
  );
}
