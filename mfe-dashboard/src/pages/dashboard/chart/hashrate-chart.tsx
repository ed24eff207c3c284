import {
  hashrateUnit,
  meanOf,
  ratesKnown,
  TIMEFRAME_NAMES,
  type Answer,
  type Series,
  type Timeframe,
  type Settings,
} from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useServices } from '@pool/shared/remote';
import {
  QueryError,
  Loading,
  Segmented,
  SeriesChart,
  Skeleton,
  useFormat,
  usePhone,
  Button,
  Tooltip,
} from '@pool/shared/ui/core';
import { Suspense, useRef, type ComponentProps, type ReactNode } from 'react';
import { useHashrateHistory } from '../../../api/hashrate-history';
import { loadLater } from '../load-later';
import { useChartPlace, usualTimeframe } from './chart-place';
import styles from './hashrate-panel.module.css';

type Zone = Settings['timeZone'];

/** Switches the chart's time zone. `children`: what loads later. */
function ChartMenu({ zone, onZone, children }: { zone: Zone; onZone(zone: Zone): void; children: ReactNode }) {
  const { t } = useTranslation();
  const other = zone === 'utc' ? 'local' : 'utc';
  const zoneSwitch = t('dashboard.zoneSwitch', {
    zone: t(`dashboard.zone.${zone}`),
    other: t(`dashboard.zone.${other}`),
  });
  return (
    <div className={styles.menu}>
      <Tooltip title={zoneSwitch}>
        <Button type="text" size="small" aria-label={zoneSwitch} onClick={() => onZone(other)}>
          {t(`dashboard.zone.${zone}`)}
        </Button>
      </Tooltip>
      <div className={styles.more}>{children}</div>
    </div>
  );
}

// Not in the first view: what a chart can do and say beside its series.
const ChartActions = lazyPart(['dashboard-later', 'timeline'], async () => (await loadLater()).ChartActions, null);
const ChartMarks = lazyPart(
  ['dashboard-later', 'timeline', 'events'],
  async () => (await loadLater()).ChartMarks,
  null,
);
const Comparison = lazyPart('dashboard-later', async () => (await loadLater()).Comparison);

type Live = Answer<'GET /proxyLiveHashchart/'>;

type HashrateChartProps = { live: Live | undefined; liveFailed: boolean; figures: ReactNode };

/** The hashrate chart: the live view, which updates itself, or a history. What it shows is in the URL. */
export function HashrateChart({ live, liveFailed, figures }: HashrateChartProps) {
  const { t } = useTranslation();
  const { settings } = useServices();
  const format = useFormat();
  const [{ timeframe: chosen, group, compare, events }, set] = useChartPlace();
  const day = useHashrateHistory({ timeframe: 'd1', group }, chosen === undefined || chosen === 'd1');
  const timeframe = chosen ?? usualTimeframe(day.data?.accepted, live?.current.m5);
  const other = useHashrateHistory({ timeframe, group }, timeframe !== 'd1' && timeframe !== 'h2');
  const history = timeframe === 'd1' ? day : other;
  const phone = usePhone();
  const picture = useRef<SVGSVGElement>(null);
  const series = timeframe === 'h2' ? live?.series : history.data;
  const failed = timeframe === 'h2' ? liveFailed : history.error !== null;

  // The mean of a day is the 24 h figure above the chart; that of other timeframes is the mean of the points.
  const mean = (shown: Series) => {
    const known = meanOf(shown.accepted);
    if (known === null) return undefined;
    const value = timeframe === 'd1' && live ? live.current.h24 : known;
    const unit = hashrateUnit(Math.max(value, ...shown.accepted.map((hs) => hs ?? 0)));
    return {
      value,
      label: t(timeframe === 'd1' && live?.current.minedSince === undefined ? 'dashboard.mean24h' : 'dashboard.mean', {
        value: format.hashrateText(value, unit),
      }),
    };
  };
  const chart = (shown: Series) => (others?: ComponentProps<typeof SeriesChart>['others']) => (
    <SeriesChart
      ref={picture}
      series={shown}
      lane
      rates={!live || ratesKnown(live.quality24h.shares)}
      label={`${t('dashboard.hashrate')}, ${t(`dashboard.timeframe.${timeframe}`)}`}
      mean={mean(shown)}
      nothing={
        live && live.current.m5 > 0
          ? t('dashboard.firstPoint', { time: format.clock(shown.from + (shown.accepted.length + 1) * shown.step) })
          : undefined
      }
      others={others}
      over={(plot) =>
        events === 'on' && (
          <ChartMarks plot={plot} timeframe={timeframe} end={shown.from + (shown.accepted.length - 1) * shown.step} />
        )
      }
    />
  );
  return (
    <>
      <div className={styles.top}>
        {figures}
        <div className={styles.controls}>
          <Segmented<Timeframe>
            size={phone ? 'middle' : 'small'}
            className={styles.timeframes}
            aria-label={t('dashboard.timeframe')}
            value={timeframe}
            onChange={(next) => set({ timeframe: next })}
            options={TIMEFRAME_NAMES.map((value) => ({ value, label: t(`dashboard.timeframe.${value}`) }))}
          />
          <ChartMenu zone={settings.timeZone} onZone={(tz) => set({ tz })}>
            {series && <ChartActions timeframe={timeframe} series={series} picture={picture} />}
          </ChartMenu>
        </div>
      </div>
      {timeframe !== 'h2' && !(liveFailed && history.data) && <QueryError query={history} className={styles.error} />}
      {series ? (
        <div data-ready="chart interactive" data-plot="">
          {compare === undefined ? (
            chart(series)()
          ) : (
            <Suspense fallback={chart(series)()}>
              <Comparison timeframe={timeframe} series={series} chart={chart(series)} />
            </Suspense>
          )}
        </div>
      ) : failed ? (
        <div className={styles.chartSkeleton} />
      ) : (
        <Loading className={styles.chartSkeleton}>
          <Skeleton height="100%" />
        </Loading>
      )}
    </>
  );
}
