import type { PoolAbility, WorkerCounts } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useAbility, useBalance, useWorkerCount } from '@pool/shared/remote';
import { PageHeader, WidgetBoundary } from '@pool/shared/ui/core';
import { Suspense } from 'react';
import { useLiveHashrate } from '../../api/live-hashrate';
import { ConnectionCard } from './connection-card';
import styles from './dashboard-page.module.css';
import { EarningsCard } from './earnings-card';
import { HashratePanel } from './chart/hashrate-panel';
import { UnpaidCard } from './unpaid-card';
import { UpstreamCard } from './upstream-card';
import { useTabTitle } from './use-tab-title';
import { Verdict } from './verdict';

// Most have a worker: their first load does not wait for these steps.
const FirstRunPage = lazyPart(
  'dashboard-first-run',
  async () => (await import('../first-run/first-run-page')).FirstRunPage,
);

const hasNoWorkers = ({ online, low, offline, inactive }: WorkerCounts) => online + low + offline + inactive === 0;

/**
 * Hashrate and workers first, then money, then upstreams and connection, as far as the viewer may see them. Without a
 * worker: the first-run page.
 */
export function DashboardPage() {
  const { t } = useTranslation();
  const ability = useAbility<PoolAbility>();
  const live = useLiveHashrate();
  const counts = useWorkerCount();
  const balance = useBalance();
  useTabTitle(live.data?.current.m5);
  if (counts.data && hasNoWorkers(counts.data) && ability.can('read', 'account'))
    return (
      <Suspense fallback={<PageHeader title={'\u00a0'} />}>
        <FirstRunPage />
      </Suspense>
    );
  return (
    <>
      <PageHeader title={t('dashboard.title')} sub={<Verdict counts={counts.data} live={live.data} />} />
      {/* The benchmark and the e2e tests wait for `data-ready`. */}
      <div className={styles.page} data-ready={live.data && counts.data && balance.data ? 'figures' : undefined}>
        <WidgetBoundary>
          <HashratePanel live={live} counts={counts} />
        </WidgetBoundary>
        {ability.can('read', 'payments') && (
          <>
            <WidgetBoundary>
              <UnpaidCard />
            </WidgetBoundary>
            <WidgetBoundary>
              <EarningsCard />
            </WidgetBoundary>
          </>
        )}
        {ability.can('read', 'account') && (
          <>
            <WidgetBoundary>
              <UpstreamCard />
            </WidgetBoundary>
            <WidgetBoundary>
              <ConnectionCard />
            </WidgetBoundary>
          </>
        )}
      </div>
    </>
  );
}
