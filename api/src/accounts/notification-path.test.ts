import { pathOf } from './notification-path';

const rig = { account: 'barn', worker: 'rig-1' };

it.each([
  ['worker_offline', rig, '/workers/?account=barn&worker=rig-1'],
  ['workers_offline', { account: 'barn' }, '/workers/?account=barn&state=offline'],
  ['workers_rejects_over', { account: 'barn' }, '/workers/?account=barn'],
  ['payment_sent', { account: 'barn' }, '/payments/?account=barn&tab=payouts'],
  ['wallet_changed', { account: 'a b' }, '/payments/?account=a+b'],
  ['upstream_lost', { account: 'barn' }, '/dashboard/?account=barn'],
  ['daily_digest', {}, '/payments/'],
  ['referral_joined', { name: 'k***' }, '/referral/'],
  ['two_step_off', {}, '/account/security'],
  ['telegram_linked', { name: 'me' }, null],
])('%s leads to its page', (kind, values, path) => expect(pathOf({ kind, values })).toBe(path));
