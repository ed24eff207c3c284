import { lazyPart, useServices } from '@pool/shared/remote';
import { Route, Routes, useNavigate } from '@pool/shared/router';
import { Skeleton } from '@pool/shared/ui/core';
import { Suspense } from 'react';
import { useLiveWorkers, wholeOf } from '../../../api/live-workers';

const FarmMap = lazyPart('workers-map', async () => (await import(/* webpackChunkName: "map" */ './farm-map')).FarmMap);

/** Number of workers from which a picture says more than the names beside the figures. */
const MANY = 20;
const LOADING = <Skeleton height={64} />;

/** The farm on the dashboard. Its links lead to the list and to workers, as those of the list do. */
export const DashboardMap = () => (
  <Routes location={useServices().pages['workers.list'] ?? '/'}>
    <Route path="workers">
      <Route path=":id?" element={<Farm />} />
    </Route>
  </Routes>
);

function Farm() {
  const { data } = useLiveWorkers();
  const list = useServices().pages['workers.list'];
  const navigate = useNavigate();
  const workers = wholeOf(data)?.workers;
  if (!workers) return LOADING;
  if (workers.length < MANY) return null;
  const showGroup = (group: string) => void navigate(`${list}?${new URLSearchParams({ group })}`);
  return (
    <Suspense fallback={LOADING}>
      <FarmMap workers={workers} onGroup={showGroup} />
    </Suspense>
  );
}
