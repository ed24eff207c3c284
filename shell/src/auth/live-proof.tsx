import { ALGORITHMS, DEFAULT_ALGORITHM, type Series } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { poolStatisticsQuery } from '@pool/shared/remote';
import { areaPath, DASH, Figure, Hashrate, linePath, Quantity, useFormat, useMediaQuery } from '@pool/shared/ui/core';
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
  const workers = pool.data?.reduce((sum, row) => sum + row.workersOnline, 0);
  return (
    <aside className={styles.panel} aria-label={t('auth.proof')}>
      <div className={styles.words}>
        <p className={styles.promise}>
          {t('auth.promise1')}
          <br />
          {t('auth.promise2')}
        </p>
        <div className={styles.figures}>
          <Figure size="key" label={t('pool.hashrate')} value={<Hashrate hs={mine?.hashrate} />} />
          <Figure
            size="key"
            label={t('auth.workersOnline')}
            value={<bdi dir="ltr">{workers === undefined ? DASH : format.count(workers)}</bdi>}
          />
          <Figure
            size="key"
            label={t('pool.hashprice')}
            value={
              <Quantity
                value={mine?.priceSet ? format.price(mine.priceBtc) : null}
                unit={`BTC/${ALGORITHMS[DEFAULT_ALGORITHM].priceUnit.replace('/s', '')}`}
              />
            }
          />
        </div>
      </div>
      {chart.data && <Area series={chart.data} label={t('auth.chart')} />}
    </aside>
  );
}

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
