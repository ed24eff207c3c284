import { useTranslation } from '@pool/shared/i18n';
import { Btc, QueryError, Figure, Loading, Skeleton, Strip, useFormat } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { useStats } from '../../api/lists';
import styles from './stats-strip.module.css';

/** Eight decimals, because shares of fees are small; zero is short. */
const Amount = ({ sats }: { sats: number }) => <Btc short={sats === 0} sats={sats} />;

/** Referral totals: amounts and number of users. Words are there before the numbers, so that nothing moves. */
export function StatsStrip() {
  const { t } = useTranslation();
  const { count } = useFormat();
  const stats = useStats();
  const { data, error } = stats;
  const figure = (name: string, value: (of: NonNullable<typeof data>) => ReactNode, hint = false, size?: 'key') => (
    <Figure
      size={size}
      label={t(`referral.${name}`)}
      value={data ? value(data) : <Skeleton width={120} height="1lh" />}
      sub={hint && t(`referral.${name}-hint`)}
    />
  );
  const strip = (
    <Strip label={data && t('referral.stats')} className={styles.strip}>
      {figure(
        'available',
        ({ availableSat }) => (
          <Amount sats={availableSat} />
        ),
        true,
        'key',
      )}
      {figure(
        'accrued',
        ({ accruedSat }) => (
          <Amount sats={accruedSat} />
        ),
        true,
      )}
      {figure('paid', ({ paidSat }) => (
        <Amount sats={paidSat} />
      ))}
      {figure('referred', ({ referred }) => count(referred))}
      {figure('active', ({ active }) => count(active), true)}
    </Strip>
  );
  return (
    <div className={styles.frame}>
      <QueryError query={stats} />
      {data ? strip : !error && <Loading>{strip}</Loading>}
    </div>
  );
}
