import { thresholdReached, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useBalance, useBtcPrice, useIsOfAll } from '@pool/shared/remote';
import { Btc, QueryState, Figure, Meter, Panel, PayoutSentence, Skeleton, Usd, useFormat } from '@pool/shared/ui/core';
import { Explain } from './explain/explain';
import styles from './money.module.css';

export function UnpaidCard() {
  const { t } = useTranslation();
  const balance = useBalance();
  const { data, error } = balance;
  return (
    <Panel className={styles.card}>
      <QueryState query={balance} className={styles.card}>
        <div className={styles.unpaid}>
          <Skeleton width={220} height={50} />
          <Skeleton width={150} height={22} />
        </div>
        <Skeleton height={6} />
        <Skeleton width="70%" height={22} />
      </QueryState>
      {data && <Unpaid balance={data} />}
      {!data && error && <Figure size="key" label={t('dashboard.unpaid')} value={<Btc sats={null} short />} />}
    </Panel>
  );
}

function Unpaid({ balance }: { balance: Answer<'GET /payment/'> }) {
  const { t } = useTranslation();
  const { percent, btc } = useFormat();
  const price = useBtcPrice().data?.price;
  const { unpaidSat, thresholdSat } = balance;
  const progress = thresholdReached(balance);
  // Each account has a threshold of its own.
  const isOfAll = useIsOfAll();
  return (
    <>
      <div className={styles.unpaid}>
        <Figure
          size="key"
          label={t('dashboard.unpaid')}
          value={
            <>
              <Explain what="unpaid">
                <Btc sats={unpaidSat} short />
              </Explain>
              <span className={styles.usd}>
                <Usd sats={unpaidSat} price={price} />
              </span>
            </>
          }
        />
        {!isOfAll && (
          <p className={styles.progress}>
            <strong>{percent(progress, 0)}</strong> {t('dashboard.ofThreshold', { amount: btc(thresholdSat, 'set') })}
          </p>
        )}
      </div>
      {!isOfAll && <Meter value={progress} label={t('dashboard.thresholdProgress')} />}
      <p className={styles.sentence}>
        <PayoutSentence balance={balance} />
      </p>
    </>
  );
}
