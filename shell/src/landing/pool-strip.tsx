import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useFormat } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { useAnswer, type LandingData } from './data';
import styles from './pool-strip.module.css';

const hasPrice = ({ priceSet }: { priceSet: boolean }): boolean => priceSet;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Five figures of the pool; those that cannot be loaded are left out. */
export function PoolStrip({ data: { statistics, price } }: { data: Pick<LandingData, 'statistics' | 'price'> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = useAnswer(statistics);
  const usd = useAnswer(price);
  // The figures appear together: one that came later would move the others.
  if (rows === undefined || usd === undefined) return <dl className={styles.strip} />;
  return (
    <dl className={styles.strip}>
      {rows && <Figure title={t('landing.miners')}>{format.count(sum(rows.map((row) => row.minersOnline)))}</Figure>}
      {rows && <Figure title={t('landing.workers')}>{format.count(sum(rows.map((row) => row.workersOnline)))}</Figure>}
      {rows?.filter(hasPrice).map((row) => (
        <Figure
          key={row.algo}
          title={t('landing.price', { algorithm: ALGORITHMS[row.algo].label, unit: ALGORITHMS[row.algo].priceUnit })}
        >
          {format.price(row.priceBtc)} <span className={styles.unit}>BTC</span>
        </Figure>
      ))}
      {usd !== null && <Figure title={t('landing.bitcoin')}>{format.usd(usd)}</Figure>}
    </dl>
  );
}

const Figure = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.figure}>
    <dt>{title}</dt>
    <dd>
      <bdi dir="ltr">{children}</bdi>
    </dd>
  </div>
);
