import { z } from 'zod';
import * as s from '../schemas';
import { manages, reads, byId, endpoint } from './endpoint';

const ofOneAccount = z.strictObject({ accountName: s.accountName.optional() });

/** The signed-in user and its sub-accounts. */
export const account = {
  'GET /getUserInfo/': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'Who I am, what I may do, my settings',
    response: z.object({
      user: s.user,
      role: z.enum(['miner', 'admin']),
      isLegacyUser: z.boolean(),
      rules: z.array(z.object({ action: z.string(), subject: z.string() })),
      unreadNotifications: z.int(),
    }),
  }),
  'GET /legacyStatus': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'Whether this is a legacy user',
    response: z.object({ data: z.object({ legacy: z.boolean() }) }),
  }),
  'GET /subAccounts/': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'My sub-accounts',
    response: z.object({ user: s.user, subAccounts: z.array(s.subAccount) }),
  }),
  'POST /subAccounts/': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Create a sub-account',
    body: z.strictObject({ name: s.accountName }),
    response: s.subAccount,
  }),
  'DELETE /subAccounts/{id}': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Delete a sub-account: not the primary, nothing unpaid, no share in 24 h',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
  'GET /connectionInfo/': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'Where to point a miner',
    query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.connection),
  }),
  'PUT /minerPassword/': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Set the password miners of a sub-account have to give, or take it away; needs a recent sign-in',
    query: ofOneAccount,
    body: z.strictObject({ password: s.minerPassword.nullable() }),
    response: z.object({ passwordSet: z.boolean() }),
  }),
  'GET /upstreams': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'The upstream pools my work goes to now',
    query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.upstream),
  }),
  'GET /wallet/': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'Payout address of a sub-account',
    query: ofOneAccount,
    response: s.wallet,
  }),
  'PUT /wallet/': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Set the payout address; changing one needs a recent sign-in and is held',
    query: ofOneAccount,
    body: z.strictObject({ btcAddress: z.string().max(200) }),
    response: s.wallet,
  }),
  'DELETE /wallet/change': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Cancel a change of the address that is held',
    query: ofOneAccount,
    response: s.wallet,
  }),
};
