import { z } from 'zod';
import { accountName, algorithm } from '../schemas';
import * as s from '../upstream-schemas';
import { manages, reads, byId, endpoint } from './endpoint';

const rowId = z.int().min(1).max(2_147_483_647);
const ofSubAccount = z.strictObject({ subAccountId: byId.shape.id });
const list = z.array(s.subAccountPoolConfig);
const MAX_LIST = 50;

/**
 * Upstream pools: a user's saved pools (`/poolConfigs`), and the lists of its sub-accounts (`/subAccountPoolConfigs`).
 * Calls on lists return the whole list of the sub-account, by algorithm and priority.
 */
export const poolConfigs = {
  'GET /poolConfigs/': endpoint({
    who: 'user',
    requires: reads('workers'),
    summary: 'My upstream pools',
    response: z.array(s.poolConfig),
  }),
  'POST /poolConfigs/': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: 'Save an upstream pool',
    body: s.newPoolConfig,
    response: s.poolConfig,
  }),
  'PUT /poolConfigs/{id}': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: 'Edit an upstream pool; another address needs the password again. Miners follow at once',
    params: byId,
    body: s.poolConfigChange,
    response: s.poolConfig,
  }),
  'DELETE /poolConfigs/{id}': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: 'Delete an upstream pool that is in no list',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
  'POST /poolConfigs/test': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary:
      'Try an upstream pool: connects and authorises. A pool that is not reached is `refused`, whether it refused or was silent',
    body: s.poolConfigTest,
    response: z.object({ result: z.enum(['ok', 'refused', 'auth_failed', 'timeout']) }),
  }),
  'GET /upstreamSwitches': endpoint({
    who: 'user',
    requires: reads('workers'),
    summary: 'Switches between upstream pools in the last 24 hours, newest first, of the lists a sub-account mines by',
    query: z.strictObject({ userName: accountName.optional() }),
    response: z.array(s.upstreamSwitch),
  }),
  'GET /subAccountPoolConfigs': endpoint({
    who: 'user',
    requires: reads('workers'),
    summary: 'Upstream pools of a sub-account (without one: of all of mine), and how they are doing',
    query: ofSubAccount.partial(),
    response: list,
  }),
  'POST /subAccountPoolConfigs': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: "Put a saved pool at the end of a sub-account's list",
    query: ofSubAccount,
    body: z.strictObject({ poolConfigId: rowId, enabled: z.boolean().default(true) }),
    response: list,
  }),
  'PUT /subAccountPoolConfigs': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: "Replace a sub-account's list for an algorithm, best first",
    query: ofSubAccount,
    body: z.strictObject({
      algo: algorithm,
      configs: z.array(z.strictObject({ poolConfigId: rowId, enabled: z.boolean().default(true) })).max(MAX_LIST),
    }),
    response: list,
  }),
  'PUT /subAccountPoolConfigs/{id}': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: 'Switch one of a list on or off, or move it to another place',
    params: byId,
    body: z.strictObject({ enabled: z.boolean().optional(), priority: z.int().min(1).max(MAX_LIST).optional() }),
    response: list,
  }),
  'DELETE /subAccountPoolConfigs/{id}': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: 'Take a pool out of a list',
    params: byId,
    response: list,
  }),
  'PUT /subAccountPoolConfigs/reorder': endpoint({
    who: 'user',
    requires: manages('workers'),
    summary: 'A new order of one list, best first: exactly the ids it has',
    body: z.strictObject({
      reorderedConfigs: z
        .array(z.strictObject({ id: rowId, algo: algorithm, subAccountId: rowId }))
        .min(1)
        .max(MAX_LIST),
    }),
    response: list,
  }),
};
