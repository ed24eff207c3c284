import { useTranslation } from '@pool/shared/i18n';
import { Btc, QueryError, Figure, Loading, Skeleton, Strip, useFormat } from '@pool/shared/ui/core';
import { useStats } from '../../api/stats';
import styles from './stats-strip.module.css';

/** Eight decimals, because shares of fees are small; zero is short. */
const Amount = ({ sats }: { sats: number }) => <Btc short={sats === 0} sats={sats} />;

/** Referral totals: amounts and number of users. */
export function StatsStrip() {
  const { t } = useTranslation();
  const { count } = useFormat();
  const stats = useStats();
  const { data, error } = stats;
  return (
    <div className={styles.frame}>
      <QueryError query={stats} />
      {data && (
        <Strip label={t('referral.stats')} className={styles.strip}>
          <Figure
            size="key"
            label={t('referral.available')}
            value={<Amount sats={data.availableSat} />}
            sub={t('referral.available-hint')}
          />
          <Figure
            label={t('referral.accrued')}
            value={<Amount sats={data.accruedSat} />}
            sub={t('referral.accrued-hint')}
          />
          <Figure label={t('referral.paid')} value={<Amount sats={data.paidSat} />} />
          <Figure label={t('referral.referred')} value={count(data.referred)} />
          <Figure label={t('referral.active')} value={count(data.active)} sub={t('referral.active-hint')} />
        </Strip>
      )}
      {!data && !error && (
        <Loading>
          <Strip className={styles.strip}>
            {['a', 'b', 'c', 'd', 'e'].map((cell) => (
              <div key={cell} className={styles.bones}>
                <Skeleton width="45%" height={12} />
                <Skeleton width="75%" height={20} />
              </div>
            ))}
          </Strip>
        </Loading>
      )}
    </div>
  );
}
