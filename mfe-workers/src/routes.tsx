import { Route, Routes, useParams } from '@pool/shared/router';
import { Denied } from '@pool/shared/ui/core';
import { WorkersPage } from './pages/workers/workers-page';

export function AppRoutes() {
  return (
    <Routes>
      {/* One route for the list and the opened worker, so that the list keeps its scroll position. */}
      <Route path=":id?" element={<ListOrWorker />} />
      <Route path="*" element={<Denied />} />
    </Routes>
  );
}

function ListOrWorker() {
  const { id } = useParams();
  return id === undefined || /^\d{1,10}$/.test(id) ? <WorkersPage /> : <Denied />;
}
