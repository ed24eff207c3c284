import { z } from 'zod';
import { ORGANIZATION_ROLES } from '../../contract/roles';
import { arrivals } from '../arrival-schemas';
import * as s from '../schemas';
import { manages, reads, byId, userCall } from './endpoint';

const ofOneAccount = z.strictObject({ accountName: s.accountName.optional() });

/** `account`: the sub-account concerned; null: the user as a whole. */
const closingObstacle = z.object({
  account: z.string().nullable(),
  obstacle: z.enum(['balance_not_zero', 'workers_active', 'referral_balance', 'last_admin', 'last_owner']),
});

/** The signed-in user and its sub-accounts. */
export const account = {
  'GET /getUserInfo/': userCall(reads('account'), {
    summary: 'Get the signed-in user and their permissions',
    response: z.object({
      user: s.user,
      /** The person who acts in an organization, whose account `user` then is; absent: `user` is the person. */
      person: s.user.optional(),
      role: z.enum(['miner', 'admin']),
      /** An admin has a miner's permissions until two-step sign-in is on. */
      twoStepRequired: z.boolean().optional(),
      isLegacyUser: z.boolean(),
      /** What the person is in the organization. */
      member: z
        .object({
          userName: z.string(),
          organizationId: z.string(),
          role: z.enum(ORGANIZATION_ROLES),
          money: z.boolean(),
          /** To some sub-accounts. */
          limited: z.boolean(),
        })
        .optional(),
      /** The organizations that I may act in, with their sub-accounts as far as I see them. */
      organizations: z.array(z.object({ id: z.string(), name: z.string(), accounts: z.array(z.string()) })).optional(),
      rules: z.array(z.object({ action: z.string(), subject: z.string() })),
      unreadNotifications: z.int(),
    }),
  }),
  'GET /legacyStatus': userCall(reads('account'), {
    summary: 'Get whether the user is a legacy user',
    response: z.object({ data: z.object({ legacy: z.boolean() }) }),
  }),
  'GET /subAccounts/': userCall(reads('account'), {
    summary: 'List my sub-accounts',
    response: z.object({ user: s.user, subAccounts: z.array(s.subAccount) }),
  }),
  'GET /subAccounts/facts': userCall(reads('account'), {
    summary: 'List my sub-accounts with hashrate, workers, balance, payout address and what prevents deleting each',
    response: z.array(s.subAccountFacts),
  }),
  'POST /subAccounts/': userCall(manages('account'), {
    summary: 'Create a sub-account',
    body: z.strictObject({ name: s.accountName }),
    response: s.subAccount,
  }),
  'DELETE /subAccounts/{id}': userCall(manages('account'), {
    summary: 'Delete a sub-account that is not the primary one, has no unpaid balance and no share in the last 24 h',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
  // Of an organization an owner alone has this right: what keeps the account names sub-accounts and says of money.
  'GET /account/closing': userCall(reads('access'), {
    summary: 'List what prevents deleting my account: active workers, money, being the last administrator',
    response: z.object({ obstacles: z.array(closingObstacle) }),
  }),
  'DELETE /account': userCall(manages('organization'), {
    sudo: true,
    waits: { for: ['owner'], shows: 'closing' },
    summary: 'Delete my account and all its access for good; requires a recent sign-in and that nothing prevents it',
    response: z.object({ deleted: z.literal(true) }),
  }),
  'GET /connectionInfo/': userCall(reads('account'), {
    summary: "Get the Stratum addresses of a sub-account's miners",
    query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.connection),
  }),
  'PUT /minerPassword/': userCall(manages('account'), {
    sudo: true,
    summary: "Set or remove the password of a sub-account's miners; requires a recent sign-in",
    query: ofOneAccount,
    body: z.strictObject({ password: s.minerPassword.nullable() }),
    response: z.object({ passwordSet: z.boolean() }),
  }),
  'GET /upstreams': userCall(reads('account'), {
    summary: 'List the upstream pools that a sub-account mines to now',
    query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.upstream),
  }),
  'GET /arrivals': userCall(reads('account'), {
    summary:
      'List the connected miners of a sub-account that have not had a share yet, the number of those that have, ' +
      'connections from my network that have not named a worker yet, and the miners of the last quarter of an hour ' +
      'that were refused: with its name, nearly its name, or from my network with a name that is nobody’s or with none',
    query: z.strictObject({ userName: s.accountName.optional() }),
    response: arrivals,
  }),
  'GET /wallet/': userCall(reads('wallet'), {
    summary: 'Get the payout address of a sub-account',
    query: ofOneAccount,
    response: s.wallet,
  }),
  'PUT /wallet/': userCall(manages('wallet'), {
    sudo: 'some',
    waits: { for: ['owner', 'time'], shows: 'address' },
    summary: 'Set the payout address; requires a recent sign-in, and a changed address is on hold first',
    query: ofOneAccount,
    body: z.strictObject({ btcAddress: z.string().max(200) }),
    response: s.wallet,
  }),
  'DELETE /wallet/change': userCall(manages('wallet'), {
    sudo: 'some',
    waits: { for: ['owner'], shows: 'address_back' },
    summary:
      'Cancel a change of the payout address that is on hold; requires a recent sign-in where the address before was set in the last 30 days',
    query: ofOneAccount,
    response: s.wallet,
  }),
};
