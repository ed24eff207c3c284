import { Route, Routes } from '@pool/shared/router';
import { WorkersPage } from './pages/workers/workers-page';

export function AppRoutes() {
  return (
    <Routes>
      {/* One route for the list and for a worker opened beside it, so that the list stays where it is. */}
      <Route path=":id?" element={<WorkersPage />} />
    </Routes>
  );
}
