import { useTranslation } from '@pool/shared/i18n';
import { Btc, DASH, Facts, Panel, useFormat } from '@pool/shared/ui/core';
import styles from './calculator.module.css';
import { DAYS, type Profit } from './profit';

const PERIODS = ['day', 'month', 'year'] as const;
const ROWS = ['income', 'electricity', 'profit'] as const;
const SATS = 1e8;

/** Earnings, cost and profit per day, month and year, and when it pays. */
export function Result({ title, profit }: { title: string; profit: Profit }) {
  const { t } = useTranslation();
  const { usd, decimal, count } = useFormat();
  const { btc, breakEvenElectricity, breakEvenBtc, paybackDays } = profit;
  return (
    <Panel title={title}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            {PERIODS.map((period) => (
              <th key={period} scope="col">
                {t(`calculator.per.${period}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row) => (
            <tr key={row} className={row === 'profit' ? styles.sum : undefined}>
              <th scope="row">{t(`calculator.${row}`)}</th>
              {PERIODS.map((period) => (
                <td key={period}>
                  <bdi dir="ltr">{usd((row === 'electricity' ? -1 : 1) * profit[row] * DAYS[period])}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Facts
        rows={[
          { label: t('calculator.btcDay'), value: <Btc sats={Math.round(btc * SATS)} /> },
          {
            label: t('calculator.breakEvenElectricity'),
            value:
              breakEvenElectricity === null ? DASH : <bdi dir="ltr">{decimal(breakEvenElectricity, 4)} $ / kWh</bdi>,
          },
          {
            label: t('calculator.breakEvenBtc'),
            value: breakEvenBtc === null ? DASH : <bdi dir="ltr">{usd(breakEvenBtc)}</bdi>,
          },
          {
            label: t('calculator.payback'),
            value:
              paybackDays === null
                ? t('calculator.noCost')
                : paybackDays === Infinity
                  ? t('calculator.never')
                  : t('calculator.days', { count: Math.ceil(paybackDays), value: count(Math.ceil(paybackDays)) }),
          },
        ]}
      />
    </Panel>
  );
}
