import {
  ALGORITHM_NAMES,
  ALGORITHMS,
  isAlgorithm,
  DEFAULT_BTC_PRICE_USD,
  DEFAULT_FEE_PERCENT,
  type AlgorithmName,
} from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { HASHPRICE_PATH } from '@pool/shared/public-pages';
import { changeParams, Link, useSearchParams } from '@pool/shared/router';
import { Button, Loading, Notice, PageHeader, Panel, Segmented, SkeletonRows, useFormat } from '@pool/shared/ui/core';
import { useQuery } from '@pool/shared/query';
import { btcPriceQuery, poolStatisticsQuery } from '@pool/shared/remote';
import common from '@pool/shared/ui/common.module.css';
import styles from './calculator.module.css';
import { algorithmOf, machineOf, SECOND, TERM_PARAMS, termsOf, type Prices } from './inputs';
import { MachineForm, machineParams } from './machine-form';
import { NumberField } from './number-field';
import { ProfitChart } from './profit-chart';
import { profitOf, type Terms } from './profit';
import { Result } from './result';
import { publicApi } from '../api';

/** Prices of today, and the fee. `of`: their day; null: a default is among them. Undefined while they load. */
function usePrices(algorithm: AlgorithmName): (Prices & { of: string | null; failed: boolean }) | undefined {
  const price = useQuery(btcPriceQuery(publicApi));
  const pool = useQuery(poolStatisticsQuery(publicApi));
  const row = pool.data?.find(({ algo }) => algo === algorithm);
  const failed = !price.data || !row;
  if (failed && (price.isPending || pool.isPending)) return undefined;
  return {
    btcPrice: price.data?.price ?? DEFAULT_BTC_PRICE_USD,
    hashprice: row?.priceBtc ?? ALGORITHMS[algorithm].defaultPriceBtc,
    feePercent: row?.feePercent ?? DEFAULT_FEE_PERCENT,
    of: row?.priceSet ? (price.data?.at ?? null) : null,
    failed,
  };
}

const COMPARE = 'compare';
/** Values of one machine, which mean nothing for another algorithm. */
const OF_ALGORITHM = ['hashrate', 'power', 'cost', 'hashprice'];

/** `/pages/calculator`: every input is in the address. */
export default function CalculatorPage() {
  const { t } = useTranslation();
  const { usd, day } = useFormat();
  const [params, setParams] = useSearchParams();
  const algorithm = algorithmOf(params);
  const prices = usePrices(algorithm);
  const compares = params.has(COMPARE);
  const write = (values: Record<string, number | string | null>) =>
    setParams(changeParams(params, values), { replace: true });
  const header = <PageHeader title={t('public.calculator')} sub={t('calculator.sub')} />;
  if (!prices)
    return (
      <>
        {header}
        <Panel>
          <Loading>
            <SkeletonRows rows={8} />
          </Loading>
        </Panel>
      </>
    );
  const terms = termsOf(params, prices);
  const machines = (compares ? (['', SECOND] as const) : ([''] as const)).map((suffix) => machineOf(params, suffix));
  const profits = machines.map((machine) => profitOf(machine, terms));
  const [first, second] = profits;
  const titleOf = (index: number) =>
    compares ? t('calculator.machineNumber', { number: index + 1 }) : t('calculator.result');
  const term = (name: keyof typeof TERM_PARAMS, unit: string) => (
    <NumberField
      label={t(`calculator.${name}`)}
      value={terms[name as keyof Omit<Terms, 'algorithm'>]}
      unit={unit}
      onChange={(value) => write({ [TERM_PARAMS[name]]: value })}
    />
  );
  return (
    <>
      {header}
      <div className={styles.page}>
        <div className={common.panels}>
          <Panel stacked title={t('calculator.terms')}>
            <Segmented
              aria-label={t('algorithm.choose')}
              value={algorithm}
              options={ALGORITHM_NAMES.map((name) => ({ value: name, label: ALGORITHMS[name].label }))}
              onChange={(value) => {
                if (!isAlgorithm(value)) return;
                const machine = OF_ALGORITHM.flatMap((name) => [name, name + SECOND]);
                write({ ...Object.fromEntries(machine.map((name) => [name, null])), algorithm: value });
              }}
            />
            {term('electricity', '$ / kWh')}
            {term('feePercent', '%')}
            {term('uptimePercent', '%')}
            {term('btcPrice', '$')}
            {term('hashprice', `BTC / ${ALGORITHMS[algorithm].priceUnit.replace('/s', '')}`)}
            <p className={styles.prices}>
              {prices.of !== null
                ? t('calculator.pricesOf', { day: day(prices.of, true) })
                : t(prices.failed ? 'calculator.pricesFailed' : 'calculator.pricesDefault')}{' '}
              <Link to={`${HASHPRICE_PATH}?algorithm=${algorithm}`}>{t('hashprice.link')}</Link>
            </p>
          </Panel>
          {machines.map((machine, index) => (
            <Panel
              key={index}
              title={compares ? titleOf(index) : t('calculator.machine')}
              extra={
                index === machines.length - 1 && (
                  <Button size="small" onClick={() => write({ [COMPARE]: compares ? null : 1 })}>
                    {t(compares ? 'calculator.one' : 'calculator.compare')}
                  </Button>
                )
              }
            >
              <MachineForm
                key={algorithm}
                algorithm={algorithm}
                machine={machine}
                onChange={(change) => write(machineParams(change, index === 0 ? '' : SECOND))}
              />
            </Panel>
          ))}
        </div>
        <div className={common.panels} aria-live="polite">
          {first && second && (
            <Notice tone="info">
              {t('calculator.difference', {
                better: second.profit > first.profit ? 2 : 1,
                amount: usd(Math.abs(second.profit - first.profit)),
              })}
            </Notice>
          )}
          {profits.map((profit, index) => (
            <Result key={index} title={titleOf(index)} profit={profit} />
          ))}
          <ProfitChart machines={machines} terms={terms} />
        </div>
      </div>
    </>
  );
}
