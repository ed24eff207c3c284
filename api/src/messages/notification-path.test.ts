import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { remoteSource } from '@pool/shared/remote-schema';
import { ROOT } from '../root';
import { pathOf } from './notification-path';

const REMOTES = ['admin', 'dashboard', 'payments', 'referral', 'workers'].map((name) =>
  remoteSource(name).parse(JSON.parse(readFileSync(join(ROOT, `mfe-${name}/remote.json`), 'utf8'))),
);

const rig = { account: 'barn', worker: 'rig-1' };

it.each([
  ['worker_offline', rig, '/workers/?worker=rig-1&account=barn'],
  ['workers_offline', { account: 'barn' }, '/workers/?state=offline&sort=lost&account=barn'],
  ['workers_recovered', { account: 'barn', event: 7 }, '/workers/?event=7&sort=lost&account=barn'],
  ['workers_rejects_over', { account: 'barn' }, '/workers/?account=barn'],
  ['payment_sent', { account: 'barn' }, '/payments/?tab=payouts&account=barn'],
  ['wallet_changed', { account: 'a b' }, '/payments/?account=a+b'],
  ['upstream_lost', { account: 'barn' }, '/dashboard/?account=barn'],
  ['pools_default', { account: 'barn' }, '/workers/pools?account=barn'],
  ['payout_waits', {}, '/admin/payments?status=queued'],
  ['canary_back', {}, '/admin/system'],
  ['daily_digest', {}, '/payments/'],
  ['referral_joined', { name: 'k***' }, '/referral/'],
  ['two_step_off', {}, '/account/security'],
  ['organization_request', {}, '/account/organization'],
  ['telegram_linked', { name: 'me' }, null],
])('%s leads to its page', (kind, values, path) => expect(pathOf({ kind, values }, REMOTES)).toBe(path));

test('a page of a remote that the user may not load is not offered', () => {
  const own = REMOTES.filter(({ name }) => name !== 'admin');
  expect(pathOf({ kind: 'day_waiting', values: {} }, own)).toBeNull();
});
