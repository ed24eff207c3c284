import { ALGORITHMS, DEFAULT_ALGORITHM, type Series } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { poolStatisticsQuery } from '@pool/shared/remote';
import { areaPath, DASH, linePath, useFormat, useMediaQuery } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { publicApi } from '../public/api';
import styles from './live-proof.module.css';

const REFRESH_MS = 10 * 60_000;

/** Live figures of the pool, beside the form. A figure that cannot be loaded is a dash, never zero. */
export function LiveProof() {
  const wide = useMediaQuery('(min-width: 900px)');
  return wide ? <Panel /> : null;
}

function Panel() {
  const { t } = useTranslation();
  const format = useFormat();
  const pool = useQuery(poolStatisticsQuery(publicApi));
  const chart = useQuery({
    queryKey: ['poolHashchart', DEFAULT_ALGORITHM],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => publicApi('GET /poolHashchart', { query: { algorithm: DEFAULT_ALGORITHM }, signal }),
  });
  const mine = pool.data?.find((row) => row.algo === DEFAULT_ALGORITHM);
  const hashrate = mine && format.hashrate(mine.hashrate);
  const workers = pool.data?.reduce((sum, row) => sum + row.workersOnline, 0);
  return (
    <aside className={styles.panel} aria-label={t('auth.proof')}>
      <div className={styles.words}>
        <p className={styles.promise}>
          {t('auth.promise1')}
          <br />
          {t('auth.promise2')}
        </p>
        <dl className={styles.figures}>
          <Figure title={t('pool.hashrate')} value={hashrate?.value} unit={hashrate?.unit} />
          <Figure title={t('auth.workersOnline')} value={workers === undefined ? undefined : format.count(workers)} />
          <Figure
            title={t('pool.hashprice')}
            value={mine?.priceSet ? format.price(mine.priceBtc) : undefined}
            unit={`BTC/${ALGORITHMS[DEFAULT_ALGORITHM].priceUnit.replace('/s', '')}`}
          />
        </dl>
      </div>
      {chart.data && <Area series={chart.data} label={t('auth.chart')} />}
    </aside>
  );
}

const Figure = ({ title, value, unit }: { title: string; value: ReactNode; unit?: string }) => (
  <div>
    <dt>{title}</dt>
    <dd>
      <bdi dir="ltr">
        {value ?? DASH} {value !== undefined && unit && <span>{unit}</span>}
      </bdi>
    </dd>
  </div>
);

/** 30 days of the pool over the full width; time runs from left to right in every language. */
function Area({ series, label }: { series: Series; label: string }) {
  const points = series.accepted;
  const top = Math.max(0, ...points.map((point) => point ?? 0)) * 1.08;
  if (top === 0) return null;
  const xy = (index: number, value: number): [number, number] => [
    (index / Math.max(1, points.length - 1)) * 1000,
    300 - (value / top) * 300,
  ];
  return (
    <svg className={styles.chart} viewBox="0 0 1000 300" preserveAspectRatio="none" role="img" aria-label={label}>
      <defs>
        <linearGradient id="proof" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={styles.top} />
          <stop offset="1" className={styles.bottom} />
        </linearGradient>
      </defs>
      <path d={areaPath(points, xy, 300)} fill="url(#proof)" />
      <path d={linePath(points, xy)} className={styles.line} />
    </svg>
  );
}
