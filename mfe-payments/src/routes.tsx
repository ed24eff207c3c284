import { lazyPart } from '@pool/shared/remote';
import { Route, Routes } from '@pool/shared/router';
import { Denied, Panel, SkeletonRows } from '@pool/shared/ui/core';
import { Suspense } from 'react';
import { PaymentsPage } from './pages/payments/payments-page';

const StatementPage = lazyPart(
  'payments-statement',
  async () => (await import('./pages/statement/statement-page')).StatementPage,
);

export function PaymentsRoutes() {
  return (
    <Suspense
      fallback={
        <Panel padded={false}>
          <SkeletonRows rows={8} />
        </Panel>
      }
    >
      <Routes>
        <Route index element={<PaymentsPage />} />
        <Route path="statement" element={<StatementPage />} />
        <Route path="*" element={<Denied />} />
      </Routes>
    </Suspense>
  );
}
