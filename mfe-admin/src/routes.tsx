import { Navigate, Route, Routes } from '@pool/shared/router';
import { UsersPage } from './pages/users/users-page';

export function AdminRoutes() {
  return (
    <Routes>
      <Route path="users" element={<UsersPage />} />
      <Route path="*" element={<Navigate to="/admin/users" replace />} />
    </Routes>
  );
}
