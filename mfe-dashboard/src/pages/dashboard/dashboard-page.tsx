import type { PoolAbility } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  lazyPart,
  Slot,
  useAbility,
  useBalance,
  useServices,
  useWorkerCount,
  useServiceQuery,
  usePageTitle,
  useIsOfAll,
} from '@pool/shared/remote';
import { Navigate } from '@pool/shared/router';
import { Dot, Dotted, PageHeader, usePhone, WidgetBoundary, useFormat, useNow } from '@pool/shared/ui/core';
import { Children, Suspense, type ReactNode } from 'react';
import { liveFigures, useQueryClient } from '@pool/shared/query';
import { ConnectionCard } from './connection-card';
import styles from './dashboard-page.module.css';
import { useChartPlace } from './chart/chart-place';
import { GroupFilter } from './chart/tools/group-filter';
import { EarningsCard } from './earnings-card';
import { HashratePanel } from './chart/hashrate-panel';
import { loadLater } from './load-later';
import { UnpaidCard } from './unpaid-card';
import { UpstreamCard } from './upstream-card';
import { Verdict } from './verdict';

/** The age of the oldest figure on the page, as the app bar's control says it (docs/adr/0011-freshness.md). */
function Updated() {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const queryClient = useQueryClient();
  const now = useNow();
  const { at } = liveFigures(queryClient);
  if (at === null) return null;
  return <span className={styles.updated}>{t('ui.updated', { age: duration(Math.max(0, now - at / 1000)) })}</span>;
}

/** Live hashrates of the account, for a legacy user of all accounts together, or of a worker group. */
const useLiveHashrate = (group: string | undefined) =>
  useServiceQuery(({ api, session: { account, algorithm, isLegacyUser } }) => ({
    queryKey: ['hashrate', 'live', { account, algorithm, group }],
    queryFn: ({ signal }) =>
      isLegacyUser && !group
        ? api('GET /liveHashchart/', { query: { algorithm }, signal })
        : api('GET /proxyLiveHashchart/', { query: { algorithm, userName: account, group }, signal }),
  }));

const useGroupCount = (group: string | undefined) =>
  useServiceQuery(({ api, session: { account, algorithm }, ability }) => ({
    enabled: group !== undefined && ability.can('read', 'workers'),
    queryKey: ['workers', 'count', { account, algorithm, group }],
    queryFn: ({ signal }) =>
      api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm, group }, signal }),
  }));

// Most have a worker: their first load does not wait for these steps.
const FirstRunPage = lazyPart(
  'dashboard-first-run',
  async () => (await import('../first-run/first-run-page')).FirstRunPage,
);

const FirstDay = lazyPart(
  'dashboard-first-run',
  async () => (await import('../first-run/first-run-page')).FirstDay,
  null,
);

const AroundCard = lazyPart('dashboard-later', async () => (await loadLater()).AroundCard, null);
const FarmEvents = lazyPart('dashboard-later', async () => (await loadLater()).FarmEvents, null);
const Timeline = lazyPart('dashboard-later', async () => (await loadLater()).Timeline, null);

const Widgets = ({ children }: { children: ReactNode }) =>
  Children.map(children, (child) => child && <WidgetBoundary>{child}</WidgetBoundary>);

/** Hashrate and workers, of a group if one is chosen, then money and upstreams; without a worker the first run. */
export function DashboardPage() {
  const { t } = useTranslation();
  const ability = useAbility<PoolAbility>();
  const [{ group }] = useChartPlace();
  const live = useLiveHashrate(group);
  const all = useWorkerCount();
  const ofGroup = useGroupCount(group);
  const counts = group === undefined ? all : ofGroup;
  const balance = useBalance();
  const phone = usePhone();
  const { hashrateText } = useFormat();
  usePageTitle(live.data && t('dashboard.tabTitle', { hashrate: hashrateText(live.data.current.m5) }));
  const overview = useServices().pages['admin.overview'];
  const isOfAll = useIsOfAll();
  const ofOne = ability.can('read', 'account') && !isOfAll;
  const seesMoney = ability.can('read', 'payments');
  const hasNone = all.data && all.data.total + all.data.inactive === 0;
  if (hasNone && overview !== undefined && ability.can('manage', 'admin')) return <Navigate to={overview} replace />;
  if (hasNone && ability.can('read', 'account'))
    return (
      <Suspense fallback={<PageHeader title={'\u00a0'} />}>
        <FirstRunPage />
      </Suspense>
    );
  return (
    <>
      <div className={styles.head}>
        <PageHeader
          title={t('dashboard.nav')}
          sub={
            <Dotted>
              <Verdict group={group} counts={counts.data} live={live.data} />
              {live.data?.current.minedSince !== undefined && group === undefined && <FirstDay {...live.data} />}
              {phone && live.data && (
                <span>
                  <Dot />
                  <Updated />
                </span>
              )}
            </Dotted>
          }
        />
        <div className={styles.side}>
          {!phone && <Updated />}
          {live.data && ofOne && <GroupFilter />}
        </div>
      </div>
      <FarmEvents />
      {/* The benchmark and the e2e tests wait for `data-ready`. */}
      <div className={styles.page} data-ready={live.data && counts.data && balance.data ? 'figures' : undefined}>
        <Widgets>
          <HashratePanel live={live} counts={counts} group={group} />
          {seesMoney && <UnpaidCard />}
          {seesMoney && <EarningsCard />}
          {ofOne && <UpstreamCard />}
          {ofOne && <ConnectionCard />}
          <AroundCard />
          <Timeline />
        </Widgets>
      </div>
      <Slot place="dashboard" className={styles.slot} />
    </>
  );
}
