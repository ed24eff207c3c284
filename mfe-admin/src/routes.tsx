import { lazyPart } from '@pool/shared/remote';
import { Navigate, Route, Routes } from '@pool/shared/router';
import { Denied, Loading, SkeletonRows } from '@pool/shared/ui/core';
import { Suspense } from 'react';

const UsersPage = lazyPart('admin-users', async () => (await import('./pages/users/users-page')).UsersPage);

export function AdminRoutes() {
  return (
    <Suspense
      fallback={
        <Loading>
          <SkeletonRows rows={12} />
        </Loading>
      }
    >
      <Routes>
        <Route index element={<Navigate to="users" replace />} />
        <Route path="users" element={<UsersPage />} />
        <Route path="*" element={<Denied />} />
      </Routes>
    </Suspense>
  );
}
