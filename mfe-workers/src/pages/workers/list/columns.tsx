import { OFFLINE_AFTER_S, ratesKnown, unitLabel, WORKER_STATES, type HashrateUnit, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { BellOff, DASH, Percent, Sparkline, StateGlyph, TimeAgo, useFormat } from '@pool/shared/ui/core';
import type { DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import styles from './list.module.css';
import { lostOf } from './losses';
import { shownNames, type ShownNames } from './shown-names';
import { shownIn, type ColumnKey, type View } from './view';
import { WorkerHashrate } from '../inspector/worker-hashrate';
import { WorkerLink } from './worker-link';

/** What columns are made with. `words`: names of the states, translated once and not in each row. */
type Made = {
  t: ReturnType<typeof useTranslation>['t'];
  format: ReturnType<typeof useFormat>;
  unit: HashrateUnit;
  satsPerHs: number | undefined;
  names: ShownNames;
  accounts: ShownNames;
  groups: ShownNames;
  words: Record<string, string>;
};
type Column = Omit<DataColumn<Worker>, 'key'>;

/** Sorted from the largest. */
const LARGEST = { numeric: true, sortable: true, first: 'descend' } as const;

const hashrate =
  (window: 'm5' | 'h1' | 'h24', width: number, drop?: number) =>
  ({ t, unit }: Made): Column => ({
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

const rate =
  (key: 'rejectRate' | 'staleRate', drop: number) =>
  ({ t }: Made): Column => ({
    title: t(`workers.${key}`),
    ...LARGEST,
    width: 88,
    drop,
    render: (worker) => <Rate rate={worker[key]} worker={worker} />,
  });

/** Keys of those that the list is sorted by are names in the address (list-place.ts). */
const COLUMNS: Record<ColumnKey, (made: Made) => Column> = {
  name: ({ t, names }) => ({
    title: t('workers.name'),
    width: names.width,
    names: true,
    sortable: true,
    className: styles.name,
    render: (worker) => <WorkerLink worker={worker} shown={names.of(worker.name)} />,
  }),
  account: ({ t, accounts }) => ({
    title: t('workers.account'),
    width: accounts.width,
    sortable: true,
    className: styles.group,
    render: ({ account = '' }) => <bdi title={account}>{accounts.of(account)}</bdi>,
  }),
  group: ({ t, groups }) => ({
    title: t('workers.group'),
    width: groups.width,
    drop: 5,
    sortable: true,
    className: styles.group,
    render: ({ group }) => (group === null ? DASH : <bdi title={group}>{groups.of(group)}</bdi>),
  }),
  trouble: ({ t, format, words }) => ({
    title: t('workers.state'),
    width: 150,
    sortable: true,
    className: styles.state,
    render: (worker) => <State worker={worker} t={t} format={format} words={words} />,
  }),
  spark: ({ t }) => ({
    title: t('workers.spark'),
    width: 120,
    drop: 1,
    render: (worker) => <Sparkline points={worker.spark} ending={endingOf(worker)} />,
  }),
  m5: hashrate('m5', 96, 2),
  h1: hashrate('h1', 92, 3),
  h24: hashrate('h24', 92),
  rejectRate: rate('rejectRate', 4),
  staleRate: rate('staleRate', 6),
  lost: ({ t, format, satsPerHs }) => ({
    title: (
      <>
        {t('workers.lost')} <bdi className={styles.unit}>sats</bdi>
      </>
    ),
    ...LARGEST,
    width: 88,
    drop: 3,
    render: (worker) => (satsPerHs === undefined ? DASH : format.count(Math.round(lostOf(worker) * satsPerHs))),
  }),
  difficulty: ({ t, format }) => ({
    title: t('workers.difficulty'),
    ...LARGEST,
    width: 108,
    drop: 7,
    render: ({ difficulty }) => (difficulty === null ? DASH : format.difficulty(difficulty)),
  }),
  lastShareAt: ({ t }) => ({
    title: t('workers.lastShare'),
    ...LARGEST,
    width: 88,
    render: (worker) => <LastShare worker={worker} />,
  }),
  address: ({ t }) => ({
    title: t('workers.address'),
    width: 130,
    drop: 8,
    className: styles.group,
    render: ({ address }) => (address ? <bdi dir="ltr">{address}</bdi> : DASH),
  }),
  software: ({ t }) => ({
    title: t('workers.software'),
    width: 190,
    drop: 10,
    className: styles.group,
    render: ({ software }) => (software ? <bdi title={software}>{software}</bdi> : DASH),
  }),
  connectedAt: ({ t, format }) => ({
    title: t('workers.connectedAt'),
    ...LARGEST,
    width: 130,
    drop: 9,
    render: ({ connectedAt }) => (connectedAt === null ? DASH : <bdi>{format.moment(connectedAt)}</bdi>),
  }),
  port: ({ t }) => ({
    title: t('workers.port'),
    width: 100,
    drop: 11,
    render: (worker) => entranceOf(worker),
  }),
};

/** The columns that the view shows, in its order. */
export function useColumns(
  workers: readonly Worker[],
  unit: HashrateUnit,
  view: View,
  satsPerHs: number | undefined,
): DataColumn<Worker>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const [names, accounts, groups] = useMemo(
    () => [
      shownNames(
        128,
        workers.map(({ name }) => name),
      ),
      shownNames(
        106,
        workers.flatMap(({ account }) => account ?? []),
      ),
      shownNames(
        96,
        workers.flatMap(({ group }) => group ?? []),
      ),
    ],
    [workers],
  );
  // Watchers are not told addresses, and a list of one sub-account does not name it.
  const facts = ['address', 'account'] as const;
  const missing = facts.filter((key) => !workers.some((worker) => worker[key])).join();
  return useMemo(() => {
    const words = Object.fromEntries(WORKER_STATES.map((state) => [state, t(`ui.state.${state}`)]));
    const made = { t, format, unit, satsPerHs, names, accounts, groups, words };
    return shownIn(view).flatMap((key) => (missing.includes(key) ? [] : [{ key, ...COLUMNS[key](made) }]));
  }, [t, format, unit, view, satsPerHs, names, accounts, groups, missing]);
}

/** The port that it came in at, `3333 · TLS`. */
export const entranceOf = ({ port, tls }: Worker) =>
  port === undefined ? DASH : <bdi dir="ltr">{tls ? `${port} · TLS` : port}</bdi>;

type StateProps = Pick<Made, 't' | 'format' | 'words'> & { worker: Worker };
function State({ worker: { state, backSince, disconnectedAt, muted }, t, format, words }: StateProps) {
  return (
    <>
      <StateGlyph state={disconnectedAt === undefined ? state : 'low'} />{' '}
      {disconnectedAt !== undefined
        ? t('workers.disconnected')
        : backSince === undefined
          ? words[state]
          : t('workers.backSince', { time: format.clock(backSince) })}
      {muted && <BellOff className={styles.muted} size={14} role="img" aria-label={t('workers.muted')} />}
    </>
  );
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
