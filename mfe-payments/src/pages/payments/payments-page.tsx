import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { Link, useSearchParams } from '@pool/shared/router';
import {
  Button,
  Download,
  ErrorPanel,
  PageHeader,
  Panel,
  SkeletonRows,
  useNarrow,
  WidgetBoundary,
} from '@pool/shared/ui/core';
import { Suspense } from 'react';
import type { HistoryKind } from '../../api/history';
import { BalanceStrip } from './balance-strip';
import { DaysPicker } from './range/days-picker';
import { EarningsTab } from './earnings/earnings-tab';
import styles from './payments-page.module.css';
import { readRange, utcDay, writeRange } from './range/range';
import { Tabs, TABS } from './tabs';
import { useExport } from './range/use-export';

const PayoutsTab = lazyPart('payments-payouts', async () => (await import('./payouts/payouts-tab')).PayoutsTab);

const DEFAULT_TAB: HistoryKind = 'earnings';
const readTab = (params: URLSearchParams): HistoryKind => TABS.find((tab) => tab === params.get('tab')) ?? DEFAULT_TAB;
function searchOf(params: URLSearchParams, tab: HistoryKind): string {
  const next = new URLSearchParams(params);
  if (tab === DEFAULT_TAB) next.delete('tab');
  else next.set('tab', tab);
  return next.toString();
}

export function PaymentsPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const tab = readTab(params);
  const today = utcDay();
  const range = readRange(params, tab, today);
  const { from, to } = range;
  const csv = useExport(tab, { from, to });
  const narrow = useNarrow();
  const showAll = () => setParams(writeRange(params, { preset: 'all' }));
  const exportText = csv.running ? t('payments.exporting', { count: csv.rows }) : t('payments.export');
  const Tab = tab === 'earnings' ? EarningsTab : PayoutsTab;
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('payments.title')}
        actions={
          <>
            <Link className={styles.statement} to="statement">
              {t('payments.statement.open')}
            </Link>
            <DaysPicker range={range} today={today} onChoose={(choice) => setParams(writeRange(params, choice))} />
            <Button
              size={narrow ? 'large' : 'middle'}
              icon={<Download size={16} aria-hidden />}
              onClick={csv.start}
              loading={csv.running}
              aria-label={exportText}
            >
              {narrow ? null : exportText}
            </Button>
          </>
        }
      />
      {csv.error && <ErrorPanel error={csv.error} onRetry={csv.start} retrying={csv.running} />}
      <WidgetBoundary>
        <BalanceStrip />
      </WidgetBoundary>
      <Tabs shown={tab} searchOf={(other) => searchOf(params, other)} />
      <WidgetBoundary>
        <Suspense
          fallback={
            <Panel padded={false}>
              <SkeletonRows rows={8} />
            </Panel>
          }
        >
          <Tab days={{ from, to }} onShowAll={showAll} />
        </Suspense>
      </WidgetBoundary>
    </div>
  );
}
