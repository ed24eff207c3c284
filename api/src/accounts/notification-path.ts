/** The page that a click on a notification opens. */
import type { Notification } from '@pool/shared/api/contract';
import { accountPath } from '@pool/shared/shell-pages';

type Note = Pick<Notification, 'kind' | 'values'>;

/** Path and query of that page; null when the notification is about no page. */
export function pathOf({ kind, values: { account, worker } }: Note): string | null {
  const to = (path: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ ...(account === undefined ? {} : { account: String(account) }), ...more });
    return query.size > 0 ? `${path}?${query}` : path;
  };
  if (kind.startsWith('worker_') && worker !== undefined) return to('/workers/', { worker: String(worker) });
  if (kind === 'workers_offline') return to('/workers/', { state: 'offline' });
  if (kind === 'workers_low') return to('/workers/', { state: 'low' });
  if (kind.startsWith('workers_')) return to('/workers/');
  if (kind === 'payout_waits') return '/admin/payments?status=queued';
  if (kind.startsWith('payment_')) return to('/payments/', { tab: 'payouts' });
  if (kind.startsWith('wallet_') || kind === 'daily_digest') return to('/payments/');
  if (kind.startsWith('pools_')) return to('/workers/pools');
  if (kind.startsWith('upstream_')) return to('/dashboard/');
  if (kind.startsWith('two_step_')) return accountPath('security');
  if (kind.startsWith('canary_')) return '/admin/system';
  if (kind === 'day_waiting') return '/admin/payments/closing';
  return kind === 'referral_joined' ? to('/referral/') : null;
}
