import { Route, Routes } from '@pool/shared/router';
import { Denied } from '@pool/shared/ui/core';
import { ReferralPage } from './pages/referral/referral-page';

export function ReferralRoutes() {
  return (
    <Routes>
      <Route index element={<ReferralPage />} />
      <Route path="*" element={<Denied />} />
    </Routes>
  );
}
