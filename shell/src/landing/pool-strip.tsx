import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Figure, Quantity, Usd, useFormat } from '@pool/shared/ui/core';
import { Suspense, use } from 'react';
import type { LandingData } from './data';
import styles from './pool-strip.module.css';

/** Five figures of the pool; those that cannot be loaded are left out. */
export function PoolStrip({ data }: { data: LandingData }) {
  return (
    <div className={styles.strip}>
      <Suspense fallback={null}>
        <Figures {...data} />
      </Suspense>
    </div>
  );
}

const hasPrice = ({ priceSet }: { priceSet: boolean }): boolean => priceSet;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function Figures({ statistics, price }: Pick<LandingData, 'statistics' | 'price'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = use(statistics);
  const usd = use(price);
  const place = { size: 'key', className: styles.figure } as const;
  return (
    <>
      {rows && (
        <Figure
          {...place}
          label={t('landing.miners')}
          value={<bdi dir="ltr">{format.count(sum(rows.map((row) => row.minersOnline)))}</bdi>}
        />
      )}
      {rows && (
        <Figure
          {...place}
          label={t('landing.workers')}
          value={<bdi dir="ltr">{format.count(sum(rows.map((row) => row.workersOnline)))}</bdi>}
        />
      )}
      {rows?.filter(hasPrice).map((row) => (
        <Figure
          {...place}
          key={row.algo}
          label={t('landing.price', { algorithm: ALGORITHMS[row.algo].label, unit: ALGORITHMS[row.algo].priceUnit })}
          value={<Quantity value={format.price(row.priceBtc)} unit="BTC" />}
        />
      ))}
      {usd !== null && <Figure {...place} label={t('landing.bitcoin')} value={<Usd usd={usd} />} />}
    </>
  );
}
