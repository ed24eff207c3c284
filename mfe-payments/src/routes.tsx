import { Route, Routes } from '@pool/shared/router';
import { Denied } from '@pool/shared/ui/core';
import { PaymentsPage } from './pages/payments/payments-page';

export function PaymentsRoutes() {
  return (
    <Routes>
      <Route index element={<PaymentsPage />} />
      <Route path="*" element={<Denied />} />
    </Routes>
  );
}
