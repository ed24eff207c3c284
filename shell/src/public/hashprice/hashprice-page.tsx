import { ALGORITHM_NAMES, ALGORITHMS, isAlgorithm, meanOf } from '@pool/shared';
import type { NetworkDifficulty } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { changeParams, useSearchParams } from '@pool/shared/router';
import {
  Button,
  Download,
  downloadCsv,
  Empty,
  Facts,
  Notice,
  PageHeader,
  Panel,
  Percent,
  QueryState,
  Segmented,
  Skeleton,
  TimeAgo,
  useFormat,
  useNow,
} from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { publicApi } from '../api';
import { algorithmOf } from '../calculator/inputs';
import { HashpriceChart, type Point } from './hashprice-chart';
import styles from './hashprice.module.css';

const MONTH = 30;
/** An answer of the feed that is older than this is said to be old; it is asked every ten minutes. */
const OLD_S = 3600;
/** `/pages/hashprice`: what the pool paid for a unit of hashrate, day by day; algorithm and currency are in the address. */
export default function HashpricePage() {
  const { t } = useTranslation();
  const { usd, price } = useFormat();
  const [params, setParams] = useSearchParams();
  const algorithm = algorithmOf(params);
  const inUsd = params.get('in') === 'usd';
  const query = useQuery({
    queryKey: ['hashprice', algorithm],
    queryFn: ({ signal }) => publicApi('GET /hashprice', { query: { algorithm }, signal }),
    staleTime: 60_000,
  });
  const write = (values: Record<string, string | null>) => setParams(changeParams(params, values), { replace: true });
  const points = query.data?.days.map(({ day, priceBtc, btcPriceUsd }) => ({
    day,
    value: inUsd ? priceBtc * btcPriceUsd : priceBtc,
  }));
  const say = (value: number): string => (inUsd ? usd(value) : `${price(value)} BTC`);
  const unit = `${inUsd ? '$' : 'BTC'} / ${ALGORITHMS[algorithm].priceUnit}`;
  return (
    <>
      <PageHeader title={t('public.hashprice')} sub={t('hashprice.sub')} />
      <div className={common.panels}>
        <div className={styles.choices}>
          <Segmented
            aria-label={t('algorithm.choose')}
            value={algorithm}
            options={ALGORITHM_NAMES.map((name) => ({ value: name, label: ALGORITHMS[name].label }))}
            onChange={(value) => isAlgorithm(value) && write({ algorithm: value })}
          />
          <Segmented
            aria-label={t('hashprice.money')}
            value={inUsd ? 'usd' : 'btc'}
            options={[
              { value: 'btc', label: 'BTC' },
              { value: 'usd', label: 'USD' },
            ]}
            onChange={(value) => write({ in: value === 'usd' ? value : null })}
          />
        </div>
        <Panel
          title={t('hashprice.chart', { unit })}
          extra={
            query.data?.days.length ? (
              <Button
                size="small"
                icon={<Download />}
                onClick={() =>
                  downloadCsv(
                    `hashprice-${algorithm}.csv`,
                    ['day_utc', 'price_btc', 'btc_price_usd'],
                    query.data.days.map(({ day, priceBtc, btcPriceUsd }) => [day, priceBtc, btcPriceUsd]),
                  )
                }
              >
                {t('hashprice.csv')}
              </Button>
            ) : undefined
          }
        >
          <QueryState query={query}>
            <Skeleton height={300} />
          </QueryState>
          {points?.length === 0 && <Empty title={t('hashprice.none')} />}
          {points && points.length > 0 && (
            <>
              <HashpriceChart points={points} say={say} />
              <Numbers points={points} say={say} />
            </>
          )}
        </Panel>
        {query.data?.network && <Network network={query.data.network} />}
      </div>
    </>
  );
}

function Numbers({ points, say }: { points: readonly Point[]; say(value: number): string }) {
  const { t } = useTranslation();
  const { day: dayText } = useFormat();
  const sorted = points.toSorted((a, b) => a.value - b.value);
  const on = ({ value, day }: Point) => t('hashprice.on', { value: say(value), day: dayText(day, true) });
  const [least, most, today] = [sorted[0], sorted.at(-1), points.at(-1)];
  if (!least || !most || !today) return null;
  return (
    <Facts
      rows={[
        { label: t('hashprice.today'), value: say(today.value) },
        { label: t('hashprice.mean'), value: say(meanOf(points.slice(-MONTH).map(({ value }) => value)) ?? 0) },
        { label: t('hashprice.least'), value: on(least) },
        { label: t('hashprice.most'), value: on(most) },
      ]}
    />
  );
}

/** Difficulty as the operator's feed said it, with its age. */
function Network({ network }: { network: NetworkDifficulty }) {
  const { t } = useTranslation();
  const { count, day } = useFormat();
  const at = Date.parse(network.at) / 1000;
  const isOld = useNow() - at > OLD_S;
  return (
    <Panel title={t('hashprice.network')}>
      {isOld && (
        <Notice tone="warn" state="low">
          {t('hashprice.old')}
        </Notice>
      )}
      <Facts
        rows={[
          { label: t('hashprice.difficulty'), value: count(network.difficulty) },
          { label: t('hashprice.change'), value: <Change percent={network.changePercent} /> },
          { label: t('hashprice.when'), value: day(network.changeAt.slice(0, 10), true) },
          { label: t('hashprice.blocks'), value: count(network.remainingBlocks) },
          { label: t('hashprice.at'), value: <TimeAgo at={at} /> },
        ]}
      />
    </Panel>
  );
}

const Change = ({ percent }: { percent: number }) => (
  <bdi dir="ltr" translate="no">
    {percent > 0 && <span>+</span>}
    <Percent rate={percent / 100} />
  </bdi>
);
