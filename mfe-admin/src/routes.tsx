import { Navigate, Route, Routes } from '@pool/shared/router';
import { Denied } from '@pool/shared/ui/core';
import { UsersPage } from './pages/users/users-page';

export function AdminRoutes() {
  return (
    <Routes>
      <Route index element={<Navigate to="users" replace />} />
      <Route path="users" element={<UsersPage />} />
      <Route path="*" element={<Denied />} />
    </Routes>
  );
}
