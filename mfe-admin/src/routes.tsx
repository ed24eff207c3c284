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
const ClosingPage = lazyPart('admin-money', async () => (await import('./pages/closing/closing-page')).ClosingPage);

const OverviewPage = lazyPart(
  'admin-system',
  async () => (await import('./pages/overview/overview-page')).OverviewPage,
);
const SystemPage = lazyPart('admin-system', async () => (await import('./pages/system/system-page')).SystemPage);
const AuditPage = lazyPart('admin-audit', async () => (await import('./pages/audit/audit-page')).AuditPage);
const TermsPage = lazyPart('admin-terms', async () => (await import('./pages/terms/terms-page')).TermsPage);

/** Texts of several of its pages come with the first of them: only those of its links are in everybody's first load. */
const Pages = lazyPart('admin-shared', async () => AllPages);

export function AdminRoutes() {
  return (
    <Suspense
      fallback={
        <Loading>
          <SkeletonRows rows={12} />
        </Loading>
      }
    >
      <Pages />
    </Suspense>
  );
}

function AllPages() {
  return (
    <Routes>
      <Route index element={<Navigate to="overview" replace />} />
      <Route path="overview" element={<OverviewPage />} />
      <Route path="users" element={<UsersPage />} />
      <Route path="sub-accounts" element={<SubAccountsPage />} />
      <Route path="payments" element={<PaymentsPage />} />
      <Route path="payments/referral" element={<ReferralPaymentsPage key="referral" />} />
      <Route path="payments/bonus" element={<BonusPage />} />
      <Route path="payments/corrections" element={<CorrectionsPage />} />
      <Route path="payments/closing" element={<ClosingPage />} />
      <Route path="terms" element={<TermsPage />} />
      <Route path="audit" element={<AuditPage />} />
      <Route path="system" element={<SystemPage />} />
      <Route path="*" element={<Denied />} />
    </Routes>
  );
}
