import type { AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServiceQuery } from '@pool/shared/remote';
import { DASH, formatDay, useFormat } from '@pool/shared/ui/core';
import styles from './changes.module.css';

/** Why a closed day differs from the day before and from the mean of its week: satoshis of each cause, which add up. */
export function Changes({ day, account, algorithm }: { day: string; account: string; algorithm?: AlgorithmName }) {
  const { t } = useTranslation();
  const { change, language, sats } = useFormat();
  const { data } = useServiceQuery(({ api }) => ({
    queryKey: ['payments', 'changes', { account, algorithm, day }],
    queryFn: ({ signal }) =>
      api('GET /earnings/{day}/changes', { params: { day }, query: { accountName: account, algorithm }, signal }),
  }));
  const [first] = data?.against ?? [];
  if (!data || !first) return null;
  const { against, netSat } = data;
  const amount = (moved: number, before: number) => (
    <bdi dir="ltr">
      {moved < 0 ? '−' : '+'}
      {sats(Math.abs(moved))}
      {before > 0 && <small>{change(moved / before, 2)}</small>}
    </bdi>
  );
  const causes = [...new Set(against.flatMap(({ lines }) => lines.map(({ cause }) => cause)))];
  return (
    <details className={styles.changes} open={algorithm !== undefined}>
      <summary>
        {formatDay(language, 'utc', day)}: {amount(netSat - first.beforeSat, first.beforeSat)} ·{' '}
        <span className={styles.why}>{t('payments.change.why')}</span>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('payments.change.cause')}</th>
            {against.map(({ days }) => (
              <th key={days} scope="col">
                {days === 1 ? t('payments.change.day-before') : t('payments.change.days-before', { count: days })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <tr key={cause}>
              <th scope="row">{t(`payments.change.${cause}`)}</th>
              {against.map(({ days, beforeSat, lines }) => {
                const line = lines.find((one) => one.cause === cause);
                return <td key={days}>{line ? amount(line.sats, beforeSat) : DASH}</td>;
              })}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('payments.change.difference')}</th>
            {against.map(({ days, beforeSat }) => (
              <td key={days}>{amount(netSat - beforeSat, beforeSat)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </details>
  );
}
