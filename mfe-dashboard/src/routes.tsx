import { Route, Routes } from '@pool/shared/router';
import { DashboardPage } from './pages/dashboard/dashboard-page';

export function AppRoutes() {
  return (
    <Routes>
      <Route index element={<DashboardPage />} />
    </Routes>
  );
}
