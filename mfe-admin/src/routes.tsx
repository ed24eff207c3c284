import { lazyPart } from '@pool/shared/remote';
import { Navigate, Route, Routes } from '@pool/shared/router';
import { Denied, Loading, SkeletonRows } from '@pool/shared/ui/core';
import { Suspense } from 'react';

const UsersPage = lazyPart('admin-users', async () => (await import('./pages/users/users-page')).UsersPage);
const SubAccountsPage = lazyPart(
  'admin-accounts',
  async () => (await import('./pages/sub-accounts/sub-accounts-page')).SubAccountsPage,
);
const PaymentsPage = lazyPart('admin-money', async () => (await import('./pages/payments/payments-page')).PaymentsPage);
const ReferralPaymentsPage = lazyPart(
  'admin-money',
  async () => (await import('./pages/payments/payments-page')).ReferralPaymentsPage,
);
const BonusPage = lazyPart('admin-money', async () => (await import('./pages/bonus/bonus-page')).BonusPage);
const CorrectionsPage = lazyPart(
  'admin-money',
  async () => (await import('./pages/corrections/corrections-page')).CorrectionsPage,
);

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
        <Route path="sub-accounts" element={<SubAccountsPage />} />
        <Route path="payments" element={<PaymentsPage />} />
        <Route path="payments/referral" element={<ReferralPaymentsPage key="referral" />} />
        <Route path="payments/bonus" element={<BonusPage />} />
        <Route path="payments/corrections" element={<CorrectionsPage />} />
        <Route path="*" element={<Denied />} />
      </Routes>
    </Suspense>
  );
}
