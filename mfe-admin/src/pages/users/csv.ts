/** Users as CSV: raw units and UTC ISO times, the same column names in every language. */
import { formatBtc, type AdminUser } from '@pool/shared';
import { wholeHs, type CsvColumns } from '@pool/shared/ui/core';

export const CSV: CsvColumns<AdminUser> = {
  id: ({ id }) => id,
  user_name: ({ userName }) => userName,
  email: ({ email }) => email,
  role: ({ role }) => role,
  legacy: ({ isLegacyUser }) => isLegacyUser,
  disabled: ({ disabled }) => disabled,
  fee_percent: ({ feePercent }) => feePercent,
  hashrate_24h_hs: ({ hashrate24h }) => wholeHs(hashrate24h),
  unpaid_btc: ({ unpaidSat }) => formatBtc(unpaidSat),
  workers_online: ({ workersOnline }) => workersOnline,
  registered_utc: ({ createdAt }) => createdAt,
  last_seen_utc: ({ lastSeenAt }) => lastSeenAt,
};
