import { ALGORITHMS, TIMEFRAMES, type Timeframe } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServices, useServiceQuery } from '@pool/shared/remote';
import { Tooltip, useFormat } from '@pool/shared/ui/core';
import { useEventWords, useFarmEvents } from '@pool/shared/ui/waiting';
import { clustersOf, outageBars, type Marked, type Times } from './clusters';
import styles from './tools.module.css';

const REFETCH_MS = 60_000;

const useChartEvents = (historyTimeframe: Timeframe) =>
  useServiceQuery(({ api, session: { account, algorithm } }) => ({
    queryKey: ['chartEvents', { account, algorithm, historyTimeframe }],
    queryFn: ({ signal }) =>
      api('GET /chartEvents', { query: { historyTimeframe, algorithm, userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  }));

type Plot = Omit<Times, 'toEnd'> & { top: number; floor: number };

/** The worst first: a mark of several events has the shape of the first of these. */
const KINDS = ['outage', 'off', 'switch', 'payout', 'price'] as const;
const SHAPES = {
  outage: 'M1 1H9V9H1Z',
  off: 'M0 .5H10L5 9.5Z',
  switch: 'M5 0L10 5L5 10L0 5Z',
  payout: 'M5 .5A4.5 4.5 0 1 0 5 9.5A4.5 4.5 0 1 0 5 .5Z',
  price: 'M5 .5L10 9.5H0Z',
} satisfies Record<Marked['kind'], string>;
const TOLD = 6;
/** What is asked for moves on by the hour, not with each point. */
const STEP_S = 3600;

/** A list of what happened, on the time axis. `end`: the last point of the series, Unix seconds. */
export function ChartMarks({ plot, timeframe, end }: { plot: Plot; timeframe: Timeframe; end: number }) {
  const { t } = useTranslation();
  const { data = [] } = useChartEvents(timeframe);
  const { data: off = [] } = useFarmEvents(Math.floor((end - TIMEFRAMES[timeframe].span) / STEP_S) * STEP_S);
  const marks = [...data, ...off.map((event): Marked => ({ kind: 'off', at: event.since, event }))];
  marks.sort((a, b) => a.at - b.at);
  const tell = useMarkWords();
  const times = { ...plot, toEnd: plot.to >= end };
  const clusters = clustersOf(marks, times);
  if (clusters.length === 0) return null;
  return (
    <>
      {outageBars(data, times).map(({ x, width }) => (
        <span key={x} className={styles.out} style={{ left: x, width, top: plot.floor - 1 }} />
      ))}
      <ul className={styles.marks} aria-label={t('dashboard.events')}>
        {clusters.map(({ x, events }) => {
          const kind = KINDS.find((one) => events.some((event) => event.kind === one));
          const lines = events.slice(0, TOLD).map(tell);
          if (events.length > TOLD) lines.push(t('dashboard.events.more', { count: events.length - TOLD }));
          return (
            <li key={x} style={{ left: x, top: plot.floor }}>
              <Tooltip
                trigger={['hover', 'focus']}
                title={lines.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              >
                <button type="button" className={styles.mark} aria-label={lines.join('. ')}>
                  <i style={{ blockSize: plot.floor - plot.top }} />
                  <Shape kind={kind ?? 'price'} />
                </button>
              </Tooltip>
            </li>
          );
        })}
      </ul>
    </>
  );
}

const Shape = ({ kind }: { kind: Marked['kind'] }) => (
  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" data-kind={kind}>
    <path d={SHAPES[kind]} />
  </svg>
);

export function EventKey() {
  const { t } = useTranslation();
  return (
    <span className={styles.key}>
      {KINDS.map((kind) => (
        <span key={kind}>
          <Shape kind={kind} />
          {t(`dashboard.events.key.${kind}`)}
        </span>
      ))}
    </span>
  );
}

function useMarkWords(): (event: Marked) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const { algorithm } = useServices().session;
  const moment = (at: number) => `${format.dayClock(at)} ${format.zone(at)}`;
  const wordsOf = useEventWords();
  const what = (event: Marked): string => {
    switch (event.kind) {
      case 'off':
        return wordsOf(event.event);
      case 'outage': {
        const until = event.until === null ? t('dashboard.events.now') : moment(event.until);
        return t(`dashboard.events.outage.${event.why}`, { until });
      }
      case 'switch':
        return t(event.to === null ? 'dashboard.events.lost' : 'dashboard.events.switch', {
          to: event.to ?? event.from,
          why: t(`dashboard.events.why.${event.why}`),
        });
      case 'payout':
        return t('dashboard.events.payout', { amount: format.btc(event.amountSat) });
      case 'price':
        return t('dashboard.events.price', {
          before: format.price(event.before),
          price: format.price(event.priceBtc),
          unit: ALGORITHMS[algorithm].priceUnit,
        });
    }
  };
  return (event) => `${moment(event.at)}: ${what(event)}`;
}
