import { z } from 'zod';
import * as s from '../schemas';
import { endpoint } from './endpoint';

/** The signed-in user and its sub-accounts. */
export const account = {
  'GET /getUserInfo/': endpoint({ who: 'user', summary: 'Who I am, what I may do, my settings',
    response: z.object({ user: s.user, role: z.enum(['miner', 'admin']), isLegacyUser: z.boolean(),
      rules: z.array(z.object({ action: z.string(), subject: z.string() })),
      unreadNotifications: z.int() }) }),
  'GET /legacyStatus': endpoint({ who: 'user', summary: 'Whether this is a legacy user', response: z.object({ data: z.object({ legacy: z.boolean() }) }) }),
  'GET /subAccounts/': endpoint({ who: 'user', summary: 'My sub-accounts', response: z.object({ user: s.user, subAccounts: z.array(s.subAccount) }) }),
  'POST /subAccounts/': endpoint({ who: 'user', summary: 'Create a sub-account', body: z.strictObject({ name: s.accountName }), response: s.subAccount }),
  'GET /connectionInfo/': endpoint({ who: 'user', summary: 'Where to point a miner', query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.connection) }),
  'GET /upstreams': endpoint({ who: 'user', summary: 'The upstream pools my work goes to now', query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.upstream) }),
  'GET /wallet/': endpoint({ who: 'user', summary: 'Payout address of a sub-account', query: z.strictObject({ accountName: s.accountName.optional() }),
    response: z.object({ btcAddress: z.string().nullable() }) }),
};
