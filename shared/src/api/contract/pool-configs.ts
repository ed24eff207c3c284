import { z } from 'zod';
import { accountName, algorithm } from '../schemas';
import * as s from '../upstream-schemas';
import { manages, reads, byId, userCall } from './endpoint';

const rowId = z.int().min(1).max(2_147_483_647);
const ofSubAccount = z.strictObject({ subAccountId: byId.shape.id });
const list = z.array(s.subAccountPoolConfig);
const MAX_LIST = 50;

/** A user's saved upstream pools, and the lists of its sub-accounts, which calls return whole and by priority. */
export const poolConfigs = {
  'GET /poolConfigs/': userCall(reads('pools'), { summary: 'List my upstream pools', response: z.array(s.poolConfig) }),
  'POST /poolConfigs/': userCall(manages('pools'), {
    sudo: 'some',
    waits: { for: ['owner'], shows: 'pool_new' },
    summary: 'Create an upstream pool; requires a recent sign-in once its address is checked',
    body: s.newPoolConfig,
    response: s.poolConfig,
  }),
  'PUT /poolConfigs/{id}': userCall(manages('pools'), {
    sudo: 'some',
    waits: { for: ['owner', 'time'], shows: 'pool_change' },
    summary:
      'Update an upstream pool; requires a recent sign-in once its address is checked; a new address requires the password again. Its miners reconnect at once',
    params: byId,
    body: s.poolConfigChange,
    response: s.poolConfig,
  }),
  'DELETE /poolConfigs/{id}': userCall(manages('pools'), {
    waits: { for: ['owner'], shows: 'pool_removal' },
    summary: "Delete an upstream pool that is in no sub-account's list",
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
  'POST /poolConfigs/test': userCall(manages('pools'), {
    summary:
      'Test an upstream pool: connect and authorize. A pool that cannot be reached is `refused`, also when it does not answer',
    body: s.poolConfigTest,
    response: z.object({ result: z.enum(['ok', 'refused', 'auth_failed', 'timeout']) }),
  }),
  'GET /upstreamSwitches': userCall(reads('pools'), {
    summary: "List the switches between upstream pools of a sub-account's lists in the last 24 h, newest first",
    query: z.strictObject({ userName: accountName.optional() }),
    response: z.array(s.upstreamSwitch),
  }),
  'GET /subAccountPoolConfigs': userCall(reads('pools'), {
    names: 'account',
    summary: 'List the upstream pools of a sub-account, or of all my sub-accounts, with their connection state',
    query: ofSubAccount.partial(),
    response: list,
  }),
  'POST /subAccountPoolConfigs': userCall(manages('pools'), {
    names: 'account',
    sudo: true,
    waits: { for: ['owner', 'time'], shows: 'list_add' },
    summary: "Append an upstream pool to a sub-account's list",
    query: ofSubAccount,
    body: z.strictObject({ poolConfigId: rowId, enabled: z.boolean().default(true) }),
    response: list,
  }),
  'PUT /subAccountPoolConfigs': userCall(manages('pools'), {
    names: 'account',
    sudo: true,
    waits: { for: ['owner', 'time'], shows: 'list' },
    summary: "Replace a sub-account's list for an algorithm, highest priority first",
    query: ofSubAccount,
    body: z.strictObject({
      algo: algorithm,
      configs: z.array(z.strictObject({ poolConfigId: rowId, enabled: z.boolean().default(true) })).max(MAX_LIST),
    }),
    response: list,
  }),
  'PUT /subAccountPoolConfigs/{id}': userCall(manages('pools'), {
    sudo: true,
    waits: { for: ['owner', 'time'], shows: 'list_place' },
    summary: "Enable, disable or move an upstream pool in a sub-account's list",
    params: byId,
    body: z.strictObject({ enabled: z.boolean().optional(), priority: z.int().min(1).max(MAX_LIST).optional() }),
    response: list,
  }),
  'DELETE /subAccountPoolConfigs/{id}': userCall(manages('pools'), {
    sudo: true,
    waits: { for: ['owner', 'time'], shows: 'list_removal' },
    summary: "Remove an upstream pool from a sub-account's list",
    params: byId,
    response: list,
  }),
  'POST /subAccountPoolConfigs/undo': userCall(manages('pools'), {
    sudo: 'some',
    waits: { for: ['owner'], shows: 'list_undo' },
    summary:
      'Take back the change of a list that a notification warns of: once, within seven days; requires a recent sign-in where the list was changed in the 30 days before, too',
    body: z.strictObject({ notification: z.int().min(1).max(2_147_483_647) }),
    response: list,
  }),
  'PUT /subAccountPoolConfigs/reorder': userCall(manages('pools'), {
    sudo: true,
    waits: { for: ['owner', 'time'], shows: 'list' },
    summary: "Reorder a sub-account's list, highest priority first; takes all ids of the list",
    body: z.strictObject({
      reorderedConfigs: z
        .array(z.strictObject({ id: rowId, algo: algorithm, subAccountId: rowId }))
        .min(1)
        .max(MAX_LIST),
    }),
    response: list,
  }),
  'GET /poolHold': userCall(reads('pools'), {
    summary: 'Get whether changes of my lists and their pools are held, and the lists in force while one is',
    response: s.poolHold,
  }),
  'PUT /poolHold': userCall(manages('pools'), {
    sudo: 'some',
    waits: { for: ['owner', 'time'], shows: 'hold_off' },
    summary: 'Hold changes of my lists and their pools before they take effect; turning that off waits as long',
    body: z.strictObject({ on: z.boolean() }),
    response: s.poolHold,
  }),
  'DELETE /poolHold': userCall(manages('pools'), {
    sudo: 'some',
    waits: { for: ['owner'], shows: 'hold_back' },
    summary:
      'Take back all changes of my lists and their pools that are held; requires a recent sign-in where those in force were changed in the 30 days before',
    response: s.poolHold,
  }),
};
