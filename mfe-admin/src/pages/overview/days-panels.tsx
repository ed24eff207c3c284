import { ALGORITHMS, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { StackedDays, type DayPart } from '@pool/shared/ui/chart';
import { Btc, Panel, QueryState, Skeleton, useFormat } from '@pool/shared/ui/core';
import type { ComponentProps, ReactNode } from 'react';
import { useRead } from '../../api/reads';
import parts from '../../parts/parts.module.css';

/** Finished days change once a day. */
const FRESH_MS = 600_000;

export function DaysPanels() {
  const query = useRead(['admin', 'overview', 'days'], (api, signal) => api('GET /admin/overview/days', { signal }), {
    staleTime: FRESH_MS,
  });
  return (
    <>
      <QueryState query={query}>
        <Skeleton height={272} radius={8} />
      </QueryState>
      {query.data && <Charts data={query.data} />}
    </>
  );
}

function Charts({
  data: { days, hashrates, owedSat, paidSat, newUsers },
}: {
  data: Answer<'GET /admin/overview/days'>;
}) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const byDay = (name: string, values: readonly number[]): DayPart[] =>
    values.map((value, i) => ({ day: days[i] ?? '', name, value }));
  const nameOf = (name: string | null) => name ?? t('admin.overview.days.others');
  const names = [...new Set(hashrates.flatMap(({ accounts }) => accounts.map(({ name }) => nameOf(name))))];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return (
    <>
      <div className={parts.two}>
        {hashrates.map(({ algorithm, accounts }) => (
          <ChartPanel
            key={algorithm}
            label={`${ALGORITHMS[algorithm].label} · ${t('admin.overview.days.accounts')}`}
            parts={accounts.flatMap((each) => byDay(nameOf(each.name), each.hashrates))}
            measure="hashrate"
            names={names}
          />
        ))}
      </div>
      <div className={parts.two}>
        <ChartPanel
          label={t('admin.overview.days.owed')}
          parts={byDay(t('admin.overview.days.owed'), owedSat)}
          measure="btc"
        />
        <ChartPanel
          label={t('admin.overview.days.paid')}
          extra={<Btc sats={sum(paidSat)} />}
          parts={byDay(t('admin.overview.days.paid'), paidSat)}
          measure="btc"
        />
        <ChartPanel
          label={t('admin.overview.days.users')}
          extra={count(sum(newUsers))}
          parts={byDay(t('admin.overview.days.users'), newUsers)}
          measure="count"
        />
      </div>
    </>
  );
}

/** Nothing while there is nothing to draw: a new pool has no days yet. */
function ChartPanel({ extra, ...chart }: ComponentProps<typeof StackedDays> & { extra?: ReactNode }) {
  if (chart.parts.every(({ value }) => value === 0)) return null;
  return (
    <Panel title={chart.label} extra={extra}>
      <StackedDays {...chart} />
    </Panel>
  );
}
