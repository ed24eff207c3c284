import { Route, Routes } from '@pool/shared/router';
import { Denied } from '@pool/shared/ui/core';
import { DashboardPage } from './pages/dashboard/dashboard-page';

export function AppRoutes() {
  return (
    <Routes>
      <Route index element={<DashboardPage />} />
      <Route path="*" element={<Denied />} />
    </Routes>
  );
}
