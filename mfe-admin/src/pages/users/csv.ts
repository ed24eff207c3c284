/** Users as CSV: raw units and UTC ISO times, the same column names in every language. */
import { formatBtc, type AdminUser } from '@pool/shared';
import { wholeHs } from '@pool/shared/ui/core';

export const CSV_HEADER = [
  'id',
  'user_name',
  'email',
  'role',
  'legacy',
  'disabled',
  'fee_percent',
  'hashrate_24h_hs',
  'unpaid_btc',
  'workers_online',
  'registered_utc',
  'last_seen_utc',
];
export const csvRow = (user: AdminUser) => [
  user.id,
  user.userName,
  user.email,
  user.role,
  user.isLegacyUser,
  user.disabled,
  user.feePercent,
  wholeHs(user.hashrate24h),
  formatBtc(user.unpaidSat),
  user.workersOnline,
  user.createdAt,
  user.lastSeenAt,
];
