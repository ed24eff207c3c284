import { useTranslation } from '@pool/shared/i18n';
import type { PoolAbility } from '@pool/shared';
import { allPages } from '@pool/shared/pages';
import { lazyPart, Slot, useAbility, useApi, usePageTitle, useSession } from '@pool/shared/remote';
import { dayText, Link, oneOf, useUrlState } from '@pool/shared/router';
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
import { useCsvExport } from '@pool/shared/ui/table';
import { Timeline } from '@pool/shared/ui/timeline';
import { Suspense } from 'react';
import { LinkTabs } from '@pool/shared/link-tabs';
import common from '@pool/shared/ui/common.module.css';
import { historyPage, type Days, type HistoryKind } from '../../api/history';
import { BalanceStrip } from './balance-strip';
import { DaysPicker } from './range/days-picker';
import { EarningsTab } from './earnings/earnings-tab';
import styles from './payments-page.module.css';
import { CSV, csvName } from './range/csv';
import { PRESETS, rangeOf, utcDay } from './range/range';

const TABS = ['earnings', 'payouts', 'settings'] as const;
type Tab = (typeof TABS)[number];

/** `searchOf`: the address of a tab, with the days that are chosen. */
function Tabs({ shown, offered, searchOf }: { shown: Tab; offered: readonly Tab[]; searchOf: (tab: Tab) => string }) {
  const { t } = useTranslation();
  const tabs = offered.map((name) => ({ name, to: { search: searchOf(name) }, text: t(`payments.tab.${name}`) }));
  return <LinkTabs label={t('payments.tabs')} tabs={tabs} shown={shown} />;
}

const PayoutsTab = lazyPart('payments-payouts', async () => (await import('./payouts/payouts-tab')).PayoutsTab);

const SettingsTab = lazyPart([], async () => (await import('@pool/shared/ui/payout')).PayoutPanels);

/** What concerns money. */
const OF_MONEY = ['payout', 'price', 'address'] as const;

const DEFAULT_TAB = 'earnings';
const PLACE = { tab: oneOf(TABS, DEFAULT_TAB), range: oneOf(PRESETS), from: dayText, to: dayText };

export function PaymentsPage() {
  const { t } = useTranslation();
  const { account } = useSession();
  const [place, set, searchOf] = useUrlState(PLACE);
  // A watcher sees no address.
  const seesWallet = useAbility<PoolAbility>().can('read', 'wallet');
  const offered = TABS.filter((name) => name !== 'settings' || seesWallet);
  const tab = offered.includes(place.tab) ? place.tab : DEFAULT_TAB;
  usePageTitle([...(tab === DEFAULT_TAB ? [] : [t(`payments.tab.${tab}`)]), t('payments.nav')].join(' · '));
  const history = tab === 'settings' ? DEFAULT_TAB : tab;
  const today = utcDay();
  const range = rangeOf(place, history, today);
  const { from, to } = range;
  const csv = useExport(history, { from, to });
  const narrow = useNarrow();
  const showAll = () => set({ range: 'all', from: undefined, to: undefined });
  const exportText = csv.running ? t('payments.exporting', { count: csv.done }) : t('payments.export');
  const History = history === 'earnings' ? EarningsTab : PayoutsTab;
  return (
    <div className={common.page}>
      <PageHeader
        title={t('payments.nav')}
        actions={
          <>
            <Link className={styles.statement} to="statement">
              {t('payments.statement.open')}
            </Link>
            {tab !== 'settings' && (
              <>
                <DaysPicker range={range} today={today} onChoose={set} />
                <Button
                  size={narrow ? 'large' : 'middle'}
                  icon={<Download />}
                  onClick={csv.start}
                  loading={csv.running}
                  aria-label={exportText}
                >
                  {narrow ? null : exportText}
                </Button>
              </>
            )}
          </>
        }
      />
      {csv.error && <ErrorPanel error={csv.error} onRetry={csv.start} retrying={csv.running} />}
      <WidgetBoundary>
        <BalanceStrip />
      </WidgetBoundary>
      <Tabs shown={tab} offered={offered} searchOf={(other) => searchOf({ tab: other })} />
      <WidgetBoundary>
        <Suspense
          fallback={
            <Panel padded={false}>
              <SkeletonRows rows={8} />
            </Panel>
          }
        >
          {tab === 'settings' ? <SettingsTab account={account} /> : <History days={{ from, to }} onShowAll={showAll} />}
        </Suspense>
      </WidgetBoundary>
      {tab === DEFAULT_TAB && (
        <WidgetBoundary>
          <Timeline kinds={OF_MONEY} />
        </WidgetBoundary>
      )}
      <Slot place="payments" />
    </div>
  );
}

function useExport<K extends HistoryKind>(kind: K, days: Days) {
  const { t } = useTranslation();
  const api = useApi();
  const { account } = useSession();
  return useCsvExport(CSV[kind], {
    name: csvName(kind, account, days),
    load: (loading) => allPages(historyPage(api, kind, account, days), loading),
    said: (count) => t('payments.exported', { count }),
  });
}
