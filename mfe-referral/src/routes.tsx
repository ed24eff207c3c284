import { Navigate, Route, Routes } from '@pool/shared/router';
import { ReferralPage } from './pages/referral/referral-page';

export function ReferralRoutes() {
  return (
    <Routes>
      <Route index element={<ReferralPage />} />
      <Route path="*" element={<Navigate to="/referral/" replace />} />
    </Routes>
  );
}
