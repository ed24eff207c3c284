import { Navigate, Route, Routes } from '@pool/shared/router';
import { PaymentsPage } from './pages/payments/payments-page';

export function PaymentsRoutes() {
  return (
    <Routes>
      <Route index element={<PaymentsPage />} />
      <Route path="*" element={<Navigate to="/payments/" replace />} />
    </Routes>
  );
}
