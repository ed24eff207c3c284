import { ALGORITHMS, hashrateText } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServiceQuery } from '@pool/shared/remote';
import {
  Btc,
  Button,
  Download,
  downloadBlob,
  formatDay,
  Hashrate,
  Notice,
  QueryError,
  SkeletonRows,
  StateGlyph,
  Usd,
  useFormat,
} from '@pool/shared/ui/core';
import { Drawer } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import type { ReactNode } from 'react';
import { Changes } from './changes';
import styles from './math.module.css';
import { differences, recompute, type EarningMath, type Figure } from './recompute';

export type EarningKey = Pick<EarningMath, 'day' | 'account' | 'algorithm'>;

/** How one earning was computed, step by step, and whether this browser comes to the same figures. */
export function MathDrawer({ earning, onClose }: { earning: EarningKey; onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { day, account, algorithm } = earning;
  const query = useServiceQuery(({ api }) => ({
    queryKey: ['payments', 'math', { account, algorithm, day }],
    queryFn: ({ signal }) =>
      api('GET /earnings/{day}/math', { params: { day }, query: { accountName: account, algorithm }, signal }),
  }));
  const { data, error } = query;
  return (
    <Drawer
      open
      title={t('payments.math.title', {
        day: formatDay(language, 'utc', day, true),
        algorithm: ALGORITHMS[algorithm].label,
      })}
      onClose={onClose}
    >
      <QueryError query={query} />
      {data ? <Computation math={data} /> : !error && <SkeletonRows rows={8} />}
    </Drawer>
  );
}

/** Value as it is in the answer: every digit, left to right. */
const useExact = () => {
  const { local } = useFormat();
  return (value: number) => local(value.toLocaleString('en', { maximumFractionDigits: 20, useGrouping: false }));
};

function Computation({ math }: { math: EarningMath }) {
  const { t } = useTranslation();
  const { count, local, moment, percent } = useFormat();
  const exact = useExact();
  const own = recompute(math);
  const wrong = differences(math, own);
  const { newcomer, adjustments } = math;
  const algorithm = ALGORITHMS[math.algorithm].label;
  const file = `earning-${math.account}-${math.day}-${math.algorithm}.json`;
  const save = () => {
    const json = JSON.stringify({ ...math, recomputed: own, differences: wrong }, null, 2);
    downloadBlob(file, new Blob([json], { type: 'application/json' }));
  };
  const step = (figure: Figure, value: ReactNode, how: string, note?: string) => (
    <Step label={t(`payments.math.${figure}`)} value={value} how={how} note={note} differs={wrong.includes(figure)} />
  );
  return (
    <>
      <Notice tone={wrong.length > 0 ? 'bad' : 'info'} state={wrong.length > 0 ? 'failed' : 'confirmed'}>
        {wrong.length > 0 ? t('payments.math.differs', { count: wrong.length }) : t('payments.math.equal')}
      </Notice>
      <ol className={styles.steps} aria-label={t('payments.math.steps')}>
        <Step
          label={t('payments.math.work')}
          value={<bdi>{exact(math.work)}</bdi>}
          note={t('payments.math.work-note', { count: math.shares, account: math.account, algorithm })}
        />
        {step(
          'measuredHashrate',
          <Hashrate hs={math.measuredHashrate} />,
          `${exact(math.work)} × ${exact(math.hashesPerDifficulty)} / ${exact(math.seconds)} s`,
        )}
        {newcomer &&
          step(
            'meanHashrate',
            <Hashrate hs={math.meanHashrate} />,
            `${local(hashrateText(math.measuredHashrate))} × ${exact(100 + newcomer.adjustPercent)} / 100`,
            t('payments.math.newcomer'),
          )}
        <Step
          label={t('payments.col.price')}
          value={<bdi>{exact(math.priceBtc)} BTC</bdi>}
          note={
            t('payments.col.price-unit', { unit: math.priceUnit }) +
            (newcomer?.poolPriceBtc == null
              ? ''
              : ` · ${t('payments.math.newcomer-price', { price: exact(newcomer.poolPriceBtc) })}`)
          }
        />
        {step(
          'computedGrossSat',
          <Btc sats={math.computedGrossSat} />,
          `${exact(math.meanHashrate / math.priceUnitHs)} ${math.priceUnit} × ${exact(math.priceBtc)} BTC = ` +
            `${exact(math.exactGrossSat)} sat`,
          t('payments.math.down'),
        )}
        {adjustments.map(({ at, grossSat, grossSatBefore, note }) => (
          <Step
            key={at}
            label={t('payments.math.adjusted', { time: moment(at) })}
            value={<Btc sats={grossSat} />}
            how={`${count(grossSatBefore)} → ${count(grossSat)} sat`}
            note={note}
          />
        ))}
        {step('feeSat', <Btc sats={math.feeSat} />, `${count(math.grossSat)} sat × ${percent(math.feePercent / 100)}`)}
        {math.referralPercent > 0 &&
          step(
            'referralSat',
            <Btc sats={math.referralSat} />,
            `${count(math.feeSat)} sat × ${percent(math.referralPercent / 100)}`,
            t('payments.col.referral-hint'),
          )}
        {step(
          'netSat',
          <Btc sats={math.netSat} />,
          `${count(math.grossSat)} − ${count(math.feeSat)} = ${count(math.netSat)} sat`,
        )}
        <Step
          label={t('payments.math.usd')}
          value={<Usd sats={math.netSat} price={math.btcPriceUsd} />}
          how={`1 BTC = ${exact(math.btcPriceUsd)} USD`}
        />
      </ol>
      <Changes day={math.day} account={math.account} algorithm={math.algorithm} />
      <p className={styles.closed}>{t('payments.math.closed', { time: moment(math.closedAt) })}</p>
      <Button icon={<Download />} onClick={save}>
        {t('payments.math.download')}
      </Button>
    </>
  );
}

type StepProps = { label: string; value: ReactNode; how?: string; note?: string; differs?: boolean };

/** `differs`: this browser came to another figure. */
function Step({ label, value, how, note, differs }: StepProps) {
  const { t } = useTranslation();
  return (
    <li className={styles.step}>
      <span className={common.quiet}>{label}</span>
      <span className={common.strong}>{value}</span>
      {how && (
        <bdi dir="ltr" className={styles.how}>
          {how}
        </bdi>
      )}
      {differs && (
        <span className={styles.differs}>
          <StateGlyph state="failed" />
          {t('payments.math.other')}
        </span>
      )}
      {note && <span className={styles.note}>{note}</span>}
    </li>
  );
}
