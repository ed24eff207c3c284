import { OFFLINE_AFTER_S, ratesKnown, unitLabel, WORKER_STATES, type HashrateUnit, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { BellOff, DASH, Percent, Sparkline, StateGlyph, TimeAgo, useFormat } from '@pool/shared/ui/core';
import type { DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import styles from './list.module.css';
import { lostOf } from './losses';
import { shownNames } from './shown-names';
import { shownIn, type View } from './view';
import { WorkerHashrate } from '../inspector/worker-hashrate';
import { WorkerLink } from './worker-link';

/** Columns of the list; keys of those it sorts by are names in the address (list-place.ts). */
export function useColumns(
  workers: readonly Worker[],
  unit: HashrateUnit,
  view: View,
  satsPerHs: number | undefined,
): DataColumn<Worker>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const names = useMemo(
    () =>
      shownNames(
        128,
        workers.map(({ name }) => name),
      ),
    [workers],
  );
  const groups = useMemo(
    () =>
      shownNames(
        96,
        workers.flatMap(({ group }) => group ?? []),
      ),
    [workers],
  );
  // Watchers are not told addresses.
  const hasAddresses = workers.some(({ address }) => address);
  return useMemo(() => {
    // Translated once, not in each row.
    const words = Object.fromEntries(WORKER_STATES.map((state) => [state, t(`ui.state.${state}`)]));
    const hashrate = (window: 'm5' | 'h1' | 'h24', width: number, drop?: number): DataColumn<Worker> => ({
      key: window,
      title: (
        <>
          {t(`workers.${window}`)} <bdi className={styles.unit}>{unitLabel(unit)}</bdi>
        </>
      ),
      width,
      drop,
      numeric: true,
      sortable: true,
      render: (worker) => <WorkerHashrate worker={worker} window={window} unit={unit} />,
    });
    const title = (key: string) => ({ key, title: t(`workers.${key}`) });
    /** Sorted from the largest. */
    const largest = { numeric: true, sortable: true, first: 'descend' } as const;
    const rate = (key: 'rejectRate' | 'staleRate', drop: number): DataColumn<Worker> => ({
      ...title(key),
      ...largest,
      width: 88,
      drop,
      render: (worker) => <Rate rate={worker[key]} worker={worker} />,
    });
    const columns: DataColumn<Worker>[] = [
      {
        ...title('name'),
        width: names.width,
        names: true,
        sortable: true,
        className: styles.name,
        render: (worker) => <WorkerLink worker={worker} shown={names.of(worker.name)} />,
      },
      {
        ...title('group'),
        width: groups.width,
        drop: 5,
        sortable: true,
        className: styles.group,
        render: ({ group }) => (group === null ? DASH : <bdi title={group}>{groups.of(group)}</bdi>),
      },
      {
        key: 'trouble',
        title: t('workers.state'),
        width: 150,
        sortable: true,
        className: styles.state,
        render: ({ state, backSince, disconnectedAt, muted }) => (
          <>
            <StateGlyph state={disconnectedAt === undefined ? state : 'low'} />{' '}
            {disconnectedAt !== undefined
              ? t('workers.disconnected')
              : backSince === undefined
                ? words[state]
                : t('workers.backSince', { time: format.clock(backSince) })}
            {muted && <BellOff className={styles.muted} size={14} role="img" aria-label={t('workers.muted')} />}
          </>
        ),
      },
      {
        ...title('spark'),
        width: 120,
        drop: 1,
        render: (worker) => <Sparkline points={worker.spark} ending={endingOf(worker)} />,
      },
      hashrate('m5', 96, 2),
      hashrate('h1', 92, 3),
      hashrate('h24', 92),
      rate('rejectRate', 4),
      rate('staleRate', 6),
      {
        key: 'lost',
        title: (
          <>
            {t('workers.lost')} <bdi className={styles.unit}>sats</bdi>
          </>
        ),
        ...largest,
        width: 88,
        drop: 3,
        render: (worker) => (satsPerHs === undefined ? DASH : format.count(Math.round(lostOf(worker) * satsPerHs))),
      },
      {
        ...title('difficulty'),
        ...largest,
        width: 108,
        drop: 7,
        render: ({ difficulty }) => (difficulty === null ? DASH : format.difficulty(difficulty)),
      },
      {
        key: 'lastShareAt',
        title: t('workers.lastShare'),
        ...largest,
        width: 88,
        render: (worker) => <LastShare worker={worker} />,
      },
      {
        ...title('address'),
        width: 130,
        drop: 8,
        className: styles.group,
        render: ({ address }) => (address ? <bdi dir="ltr">{address}</bdi> : DASH),
      },
      {
        ...title('software'),
        width: 190,
        drop: 10,
        className: styles.group,
        render: ({ software }) => (software ? <bdi title={software}>{software}</bdi> : DASH),
      },
      {
        ...title('connectedAt'),
        ...largest,
        width: 130,
        drop: 9,
        render: ({ connectedAt }) => (connectedAt === null ? DASH : <bdi>{format.moment(connectedAt)}</bdi>),
      },
    ];
    const shown = shownIn(view).filter((key) => key !== 'address' || hasAddresses);
    return shown.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  }, [t, format, unit, view, satsPerHs, names, groups, hasAddresses]);
}

export const endingOf = ({ state }: Worker) => (state === 'low' || state === 'offline' ? state : undefined);

/** Silence of a worker that should run is marked. */
export const LastShare = ({ worker: { lastShareAt, state } }: { worker: Worker }) => (
  <TimeAgo bare at={lastShareAt} lateAfter={state === 'offline' ? OFFLINE_AFTER_S : undefined} />
);

/** One percent is where a loss begins to cost. */
const NOTABLE = 0.01;

function Rate({ rate, worker }: { rate: number; worker: Worker }) {
  const known = ratesKnown(worker.shares24h) ? rate : null;
  return (
    <span className={known !== null && known >= NOTABLE ? styles.warn : undefined}>
      <Percent rate={known} />
    </span>
  );
}
