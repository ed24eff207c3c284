import { ALGORITHMS, type AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { poolStatisticsQuery, useApi, useBtcPrice } from '@pool/shared/remote';
import { useFormat } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import styles from './nav/side-nav.module.css';

/** The pool's figures under the navigation. A figure that cannot be loaded is left out, never shown as zero; so is a price that nobody has set. */
export function PoolFacts({ algorithm }: { algorithm: AlgorithmName }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pool = useQuery(poolStatisticsQuery(useApi()));
  const btc = useBtcPrice();
  const mine = pool.data?.find((row) => row.algo === algorithm);
  const hashrate = mine && format.hashrate(mine.hashrate);
  const { priceUnit } = ALGORITHMS[algorithm];
  return (
    <dl className={styles.facts}>
      {hashrate && (
        <Fact title={t('pool.hashrate')}>
          {hashrate.value} <span className={styles.unit}>{hashrate.unit}</span>
        </Fact>
      )}
      {mine?.priceSet && (
        <Fact title={t('pool.hashprice')}>
          {format.price(mine.priceBtc)} <span className={styles.unit}>BTC/{priceUnit.replace('/s', '')}</span>
        </Fact>
      )}
      {btc.data?.at && <Fact title={t('pool.btcPrice')}>{format.usd(btc.data.price)}</Fact>}
    </dl>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);
