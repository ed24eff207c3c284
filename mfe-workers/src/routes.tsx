import { Route, Routes, useParams } from '@pool/shared/router';
import { ChooseAccount, Denied, Loading, Skeleton } from '@pool/shared/ui/core';
import { Suspense, type ComponentProps, type ReactNode } from 'react';
import { lazyPart, useIsOfAll } from '@pool/shared/remote';
import { PageFrame } from './pages/frame/tabs';
import { WorkersPage } from './pages/workers/workers-page';

/** While a page's code is on its way: heading, tabs, a panel. */
function PageSkeleton() {
  return (
    <Loading>
      <Skeleton width={180} height={32} />
      <p />
      <Skeleton width={320} height={24} />
      <p />
      <Skeleton height={360} radius={8} />
    </Loading>
  );
}

const GroupsPage = lazyPart('workers-groups', async () => (await import('./pages/groups/groups-page')).GroupsPage);
const PoolsPage = lazyPart('workers-pools', async () => (await import('./pages/pools/pools-page')).PoolsPage);
const ConnectionPage = lazyPart(
  'workers-connection',
  async () => (await import('./pages/connection/connection-page')).ConnectionPage,
);

export function AppRoutes() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Routes>
        <Route path="groups" element={<OfOne tab="groups" page={<GroupsPage />} />} />
        <Route path="pools" element={<OfOne tab="pools" page={<PoolsPage />} />} />
        <Route path="connection" element={<OfOne tab="connection" page={<ConnectionPage />} />} />
        {/* One route for the list and the opened worker, so that the list keeps its scroll position. */}
        <Route path=":id?" element={<ListOrWorker />} />
        <Route path="*" element={<Denied />} />
      </Routes>
    </Suspense>
  );
}

/** A page of one sub-account; while all are chosen, the question which. */
const OfOne = ({ tab, page }: { tab: ComponentProps<typeof PageFrame>['tab']; page: ReactNode }) =>
  useIsOfAll() ? (
    <PageFrame tab={tab}>
      <ChooseAccount />
    </PageFrame>
  ) : (
    page
  );

function ListOrWorker() {
  const { id } = useParams();
  return id === undefined || /^\d{1,10}$/.test(id) ? <WorkersPage /> : <Denied />;
}
