import { Route, Routes, useParams } from '@pool/shared/router';
import { Denied, Loading, Skeleton } from '@pool/shared/ui/core';
import { Suspense } from 'react';
import { lazyPart } from '@pool/shared/remote';
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
        <Route path="groups" element={<GroupsPage />} />
        <Route path="pools" element={<PoolsPage />} />
        <Route path="connection" element={<ConnectionPage />} />
        {/* One route for the list and the opened worker, so that the list keeps its scroll position. */}
        <Route path=":id?" element={<ListOrWorker />} />
        <Route path="*" element={<Denied />} />
      </Routes>
    </Suspense>
  );
}

function ListOrWorker() {
  const { id } = useParams();
  return id === undefined || /^\d{1,10}$/.test(id) ? <WorkersPage /> : <Denied />;
}
