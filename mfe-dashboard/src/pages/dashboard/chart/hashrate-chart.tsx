import {
  ALGORITHMS,
  hashrateUnit,
  meanOf,
  ratesKnown,
  TIMEFRAME_NAMES,
  unitLabel,
  type Answer,
  type Series,
  type Timeframe,
} from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import {
  App,
  downloadChartPng,
  downloadCsv,
  QueryError,
  Loading,
  Segmented,
  SeriesChart,
  Skeleton,
  useFormat,
  usePhone,
} from '@pool/shared/ui/core';
import { useRef, type ReactNode } from 'react';
import { useHashrateHistory } from '../../../api/hashrate-history';
import { ChartMenu } from './chart-menu';
import { chartCsv, chartFileName } from './chart-csv';
import { useChartPlace, usualTimeframe } from './chart-place';
import styles from './hashrate-panel.module.css';

type Live = Answer<'GET /proxyLiveHashchart/'>;

/** The hashrate chart: the live view, which updates itself, or a history. Timeframe and time zone are in the URL. */
export function HashrateChart({
  live,
  liveFailed,
  figures,
}: {
  live: Live | undefined;
  liveFailed: boolean;
  figures: ReactNode;
}) {
  const { t } = useTranslation();
  const { session, settings } = useServices();
  const { message } = App.useApp();
  const format = useFormat();
  const { timeframe: chosen, choose } = useChartPlace();
  const day = useHashrateHistory('d1', chosen === null || chosen === 'd1');
  const timeframe = chosen ?? usualTimeframe(day.data?.accepted, live?.current.m5);
  const other = useHashrateHistory(timeframe, timeframe !== 'd1' && timeframe !== 'h2');
  const history = timeframe === 'd1' ? day : other;
  const phone = usePhone();
  const picture = useRef<SVGSVGElement>(null);
  const series = timeframe === 'h2' ? live?.series : history.data;
  const failed = timeframe === 'h2' ? liveFailed : history.error !== null;
  const name = (ending: string) => chartFileName(session.account, session.algorithm, timeframe, ending);

  const moment = (at: number) => format.dayClock(at, true);
  /** What the picture shows: account, algorithm, unit, period, zone. */
  const captionOf = ({ accepted }: Series, { from, to }: DOMStringMap) =>
    [
      t('dashboard.hashrate'),
      session.account,
      ALGORITHMS[session.algorithm].label,
      unitLabel(hashrateUnit(Math.max(0, ...accepted.map((hs) => hs ?? 0)))),
      `\u2066${moment(Number(from))} – ${moment(Number(to))} ${format.zone(Number(from))}\u2069`,
    ].join(' · ');

  const download = {
    csv: () => series && downloadCsv(name('csv'), ...chartCsv(series)),
    png: () =>
      picture.current &&
      series &&
      void downloadChartPng(name('png'), picture.current, captionOf(series, picture.current.dataset)).catch(() =>
        message.error(t('dashboard.pngFailed')),
      ),
  };
  // For a day the mean is the 24 h figure above the chart; for other timeframes the mean of the points.
  const mean = (shown: Series) => {
    const known = meanOf(shown.accepted);
    if (known === null) return undefined;
    const value = timeframe === 'd1' && live ? live.current.h24 : known;
    const unit = hashrateUnit(Math.max(value, ...shown.accepted.map((hs) => hs ?? 0)));
    return {
      value,
      label: t(timeframe === 'd1' ? 'dashboard.mean24h' : 'dashboard.mean', {
        value: format.hashrateText(value, unit),
      }),
    };
  };
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
            onChange={(next) => choose('timeframe', next)}
            options={TIMEFRAME_NAMES.map((value) => ({ value, label: t(`dashboard.timeframe.${value}`) }))}
          />
          <ChartMenu
            zone={settings.timeZone}
            onZone={(next) => choose('tz', next)}
            disabled={!series}
            onCsv={download.csv}
            onPng={download.png}
          />
        </div>
      </div>
      {timeframe !== 'h2' && !(liveFailed && history.data) && <QueryError query={history} className={styles.error} />}
      {series ? (
        <div data-ready="chart interactive">
          <SeriesChart
            ref={picture}
            series={series}
            lane
            rates={!live || ratesKnown(live.quality24h.shares)}
            label={`${t('dashboard.hashrate')}, ${t(`dashboard.timeframe.${timeframe}`)}`}
            mean={mean(series)}
          />
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
