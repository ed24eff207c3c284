import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { HASHPRICE_PATH } from '@pool/shared/public-pages';
import { Btc, formatDay, StateGlyph, Usd, useFormat } from '@pool/shared/ui/core';
import { use, type ReactNode } from 'react';
import type { LandingData } from '../data';
import styles from './day.module.css';
import { recompute, type PoolDay } from './recompute';

/** What the last closed day paid one unit of hashrate, step by step, and whether this browser comes to the same. */
export default function Day({ data }: { data: LandingData }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const rows = use(data.day());
  const day = rows?.[0]?.day;
  if (!rows || day === undefined) return null;
  const equal = rows.every((row) => {
    const own = recompute(row);
    return own.grossSat === row.grossSat && own.feeSat === row.feeSat && own.netSat === row.netSat;
  });
  return (
    <section className={styles.day} aria-labelledby="day">
      <h2 id="day" className={styles.title}>
        {t('landing.day.title')}
      </h2>
      <p className={styles.text}>{t('landing.day.text', { day: formatDay(language, 'utc', day, true) })}</p>
      <div className={styles.cards}>
        {rows.map((row) => (
          <Math key={row.algorithm} row={row} />
        ))}
      </div>
      <p className={styles.end}>
        <span>
          <StateGlyph state={equal ? 'confirmed' : 'failed'} /> {t(equal ? 'landing.day.equal' : 'landing.day.differs')}
        </span>
        <a href={HASHPRICE_PATH}>{t('landing.day.history')}</a>
        <a href="/api/poolDay" download={`pool-day-${day}.json`}>
          {t('landing.day.file')}
        </a>
      </p>
    </section>
  );
}

function Math({ row }: { row: PoolDay }) {
  const { t } = useTranslation();
  const { count, percent, price } = useFormat();
  const { label, priceUnit } = ALGORITHMS[row.algorithm];
  return (
    <dl aria-label={label}>
      <Line label={t('landing.day.price', { algorithm: label })} how={`1 ${priceUnit} × 24 h`}>
        {price(row.priceBtc)} BTC
      </Line>
      <Line label={t('landing.day.gross')} how={`1 ${priceUnit} × ${price(row.priceBtc)} BTC`}>
        <Btc sats={row.grossSat} />
      </Line>
      <Line label={t('landing.day.fee')} how={`${count(row.grossSat)} sat × ${percent(row.feePercent / 100)}`}>
        <Btc sats={-row.feeSat} />
      </Line>
      <Line label={t('landing.day.net')} how={`${count(row.grossSat)} − ${count(row.feeSat)} sat`}>
        <b>
          <Btc sats={row.netSat} />
        </b>{' '}
        <Usd sats={row.netSat} price={row.btcPriceUsd} />
      </Line>
    </dl>
  );
}

const Line = ({ label, how, children }: { label: string; how: string; children: ReactNode }) => (
  <div className={styles.line}>
    <dt>
      {label}
      <bdi dir="ltr" className={styles.how}>
        {how}
      </bdi>
    </dt>
    <dd>
      <bdi dir="ltr">{children}</bdi>
    </dd>
  </div>
);
