import { thresholdReached, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useBalance, yesterdayOf, useIsOfAll } from '@pool/shared/remote';
import { Btc, QueryState, Figure, PayoutSentence, Skeleton, Strip, Usd, useFormat } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import styles from './balance-strip.module.css';

export function BalanceStrip() {
  const balance = useBalance();
  return (
    <div className={`${common.panels} ${common.frame}`}>
      <QueryState query={balance}>
        <Strip className={common.five}>
          {['key', 'b', 'c', 'd', 'e'].map((cell) => (
            <div key={cell} className={styles.bones}>
              <Skeleton width="40%" height={12} />
              <Skeleton width="75%" height={cell === 'key' ? 26 : 20} />
              <Skeleton width="60%" height={14} />
            </div>
          ))}
        </Strip>
      </QueryState>
      {balance.data && <Figures balance={balance.data} />}
    </div>
  );
}

function Figures({ balance }: { balance: Answer<'GET /payment/'> }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const isOfAll = useIsOfAll();
  const { unpaidSat, thresholdSat, yesterdayEstimated, todayEstimateSat, paidTotalSat, payouts } = balance;
  const yesterdaySat = yesterdayOf(balance);
  const reached = thresholdReached(balance);
  return (
    <Strip label={t('payments.strip')} className={isOfAll ? '' : common.five}>
      <Figure
        className={styles.unpaid}
        size="key"
        label={t('payments.unpaid')}
        value={<Btc short sats={unpaidSat} />}
        sub={<PayoutSentence balance={balance} />}
      />
      <Figure
        label={t(yesterdayEstimated ? 'payments.yesterday-estimate' : 'payments.yesterday')}
        value={<Btc short sats={yesterdaySat} />}
        sub={<Usd sats={yesterdaySat} price={balance.yesterdayBtcPriceUsd} />}
      />
      <Figure
        label={t('payments.today')}
        value={<Btc short sats={todayEstimateSat} />}
        sub={<Usd sats={todayEstimateSat} price={balance.todayBtcPriceUsd} />}
      />
      {!isOfAll && (
        <Figure
          label={t('payments.threshold')}
          value={<Btc set sats={thresholdSat} />}
          sub={t('payments.reached', { percent: percent(reached, 0) })}
        />
      )}
      <Figure
        label={t('payments.paid')}
        value={<Btc short sats={paidTotalSat} />}
        sub={t('payments.payouts-count', { count: payouts })}
      />
    </Strip>
  );
}
