import { serverTime, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { PageLink, useBalance, useServices, yesterdayOf } from '@pool/shared/remote';
import { Btc, Figure, Loading, Panel, Skeleton, SmallBars, Usd, useFormat } from '@pool/shared/ui/core';
import { dayBars } from './chart/day-bars';
import { Explain } from './explain/explain';
import styles from './money.module.css';

export function EarningsCard() {
  const { data, error, dataUpdatedAt } = useBalance();
  return (
    <Panel>
      {data ? (
        <Earnings balance={data} at={serverTime(dataUpdatedAt)} />
      ) : error ? (
        <Unknown />
      ) : (
        <Loading className={styles.earnings}>
          <Skeleton height={66} width="80%" />
          <Skeleton height={66} width="80%" />
          <div className={styles.bars}>
            <Skeleton height={84} />
          </div>
        </Loading>
      )}
    </Panel>
  );
}

/** `at`: time of the response, Unix milliseconds. */
function Earnings({ balance, at }: { balance: Answer<'GET /payment/'>; at: number }) {
  const { t } = useTranslation();
  const { yesterdayEstimated, todayEstimateSat, lastDaysSat } = balance;
  const yesterdaySat = yesterdayOf(balance);
  const bars = dayBars(lastDaysSat, todayEstimateSat, at, useFormat(), useServices().pages['payments.earnings']);
  return (
    <div className={styles.earnings}>
      <Figure
        label={t(yesterdayEstimated ? 'dashboard.yesterdayEstimate' : 'dashboard.yesterday')}
        value={
          <Explain what="yesterday">
            <Btc sats={yesterdaySat} short />
          </Explain>
        }
        sub={<Usd sats={yesterdaySat} price={balance.yesterdayBtcPriceUsd} />}
      />
      <Figure
        label={t('dashboard.todayEstimate')}
        value={
          <Explain what="todayEstimate">
            <Btc sats={todayEstimateSat} short />
          </Explain>
        }
        sub={<Usd sats={todayEstimateSat} price={balance.todayBtcPriceUsd} />}
      />
      <div className={styles.bars}>
        <SmallBars bars={bars} label={t('dashboard.earningsChart')} />
        <p className={styles.caption}>
          <PageLink page="payments.earnings" keepWords>
            {t('dashboard.last14Days')}
          </PageLink>
        </p>
      </div>
    </div>
  );
}

/** Shown after an error: dashes, never zeros. The unpaid card has the error message and Retry. */
function Unknown() {
  const { t } = useTranslation();
  return (
    <div className={styles.earnings}>
      <Figure label={t('dashboard.yesterday')} value={<Btc sats={null} />} />
      <Figure label={t('dashboard.todayEstimate')} value={<Btc sats={null} />} />
    </div>
  );
}
