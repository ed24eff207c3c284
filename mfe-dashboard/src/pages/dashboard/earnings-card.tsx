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
  const { yesterdayEstimated, yesterdayBtcPriceUsd, todayEstimateSat, todayBtcPriceUsd, lastDaysSat } = balance;
  const yesterday = yesterdayEstimated ? 'yesterdayEstimate' : 'yesterday';
  const figures = [
    { what: 'yesterday', label: yesterday, sats: yesterdayOf(balance), price: yesterdayBtcPriceUsd },
    { what: 'todayEstimate', label: 'todayEstimate', sats: todayEstimateSat, price: todayBtcPriceUsd },
  ] as const;
  const bars = dayBars(lastDaysSat, todayEstimateSat, at, useFormat(), useServices().pages['payments.earnings']);
  return (
    <div className={styles.earnings}>
      {figures.map(({ what, label, sats, price }) => (
        <Figure
          key={what}
          label={t(`dashboard.${label}`)}
          value={
            <Explain what={what}>
              <Btc sats={sats} short />
            </Explain>
          }
          sub={<Usd sats={sats} price={price} />}
        />
      ))}
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
