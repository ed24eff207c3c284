import type { AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServiceQuery } from '@pool/shared/remote';
import { DASH, formatDay, useFormat } from '@pool/shared/ui/core';
import { PlainTable } from '@pool/shared/ui/table';
import type { ReactNode } from 'react';
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
  type Line = { cause: string; amounts: ReactNode[] };
  const causes = [...new Set(against.flatMap(({ lines }) => lines.map(({ cause }) => cause)))];
  const rows = causes.map((cause): Line => ({
    cause,
    amounts: against.map(({ beforeSat, lines }) => {
      const line = lines.find((one) => one.cause === cause);
      return line ? amount(line.sats, beforeSat) : DASH;
    }),
  }));
  return (
    <details className={styles.changes} open={algorithm !== undefined}>
      <summary>
        {formatDay(language, 'utc', day)}: {amount(netSat - first.beforeSat, first.beforeSat)} ·{' '}
        <span className={styles.why}>{t('payments.change.why')}</span>
      </summary>
      <PlainTable
        label={t('payments.change.why')}
        className={styles.table}
        columns={[
          { key: 'cause', title: t('payments.change.cause'), render: ({ cause }) => t(`payments.change.${cause}`) },
          ...against.map(({ days }, index) => ({
            key: String(days),
            title: days === 1 ? t('payments.change.day-before') : t('payments.change.days-before', { count: days }),
            numeric: true,
            render: ({ amounts }: Line) => amounts[index],
          })),
        ]}
        rows={rows}
        rowKey={({ cause }) => cause}
        sums={{ cause: 'difference', amounts: against.map(({ beforeSat }) => amount(netSat - beforeSat, beforeSat)) }}
      />
    </details>
  );
}
