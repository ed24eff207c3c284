import { z } from 'zod';
import * as s from '../schemas';
import * as w from '../worker-schemas';
import { manages, reads, byId, ofAccount, ofAccounts, userCall, watcherCall } from './endpoint';

const number = z.int().min(1).max(2_147_483_647);

/** Workers and worker groups. */
export const workers = {
  'GET /liveWorkers/': watcherCall(reads('workers'), 'workers', {
    summary:
      'List the workers of a sub-account, or of all; with `since`, a version of the long list by name, what changed after it',
    query: ofAccounts.extend({
      state: s.workerStateName.optional(),
      group: z.string().max(64).optional(),
      search: z.string().max(64).optional(),
      sort: z.string().max(32).optional(),
      limit: s.whole(1, 50_000).default(50_000),
      cursor: z.string().max(64).optional(),
      since: z.string().max(64).optional(),
      /** Only so many, those in most trouble: what a page shows first of a long list. */
      worst: s.whole(1, 50_000).optional(),
    }),
    response: z.object({
      /** All of the page; beside `numbers` only those of which more than the numbers changed. */
      workers: z.array(w.worker),
      counts: w.workerCounts,
      total: z.int(),
      absences: s.absences,
      nextCursor: z.string().nullable(),
      /** What an H/s of a whole day earns the account, estimated from today; only for who may read payments. */
      satsPerHs: z.number().optional(),
      /** Version of a whole long list by name. */
      version: z.string().optional(),
      /** Only with changes since a known version of the same workers; without it `workers` are whole. */
      numbers: z.array(w.workerNumbers).optional(),
    }),
  }),
  'GET /workers/{id}/hashchart': watcherCall(reads('workers'), 'workers', {
    names: 'workers',
    summary: 'Get the hashrate history of a worker',
    params: byId,
    query: z.strictObject({ historyTimeframe: s.timeframe.default('d1') }),
    response: s.workerSeries,
  }),
  'GET /workers/{id}/uptime': watcherCall(reads('workers'), 'workers', {
    names: 'workers',
    summary: 'Get how much of the last 24 h and 7 days a worker mined, and the hashrate of its model',
    params: byId,
    response: w.workerUptime,
  }),
  'GET /workers/{id}/events': watcherCall(reads('workers'), 'workers', {
    names: 'workers',
    summary: 'List the events of a worker, newest first: its faults of the last 90 days and changes by its owner',
    params: byId,
    response: z.array(w.workerEvent),
  }),
  'PUT /workers/{id}': userCall(manages('workers'), {
    names: 'workers',
    summary: 'Set the alert limit of a worker: the fraction of its 24 h mean hashrate below which its state is low',
    params: byId,
    body: z.strictObject({ alertLimit: z.number().min(0).max(1) }),
    response: z.object({ id: z.int(), alertLimit: z.number() }),
  }),
  'POST /workers/bulk': userCall(manages('workers'), {
    names: 'workers',
    summary:
      'Set or clear the group of workers, mute or unmute them, confirm strange names, or delete inactive or strange ones; all or none',
    body: z.strictObject({
      ids: z.array(z.int().min(1).max(2_147_483_647)).min(1).max(50_000),
      action: z.enum(['group', 'mute', 'unmute', 'confirm', 'delete']),
      groupName: s.label.nullable().optional(),
      /** End of `mute`, Unix seconds; null: until each mines again; left out: until it is unmuted. */
      until: s.whole(0, 4_102_444_800).nullable().optional(),
    }),
    response: z.object({ changed: z.int() }),
  }),
  'GET /workerJoins': userCall(reads('workers'), {
    summary: 'List new workers that look like one that has gone, to be joined, and what was joined in the last week',
    query: ofAccount,
    response: w.workerJoins,
  }),
  'POST /workerJoins': userCall(manages('workers'), {
    summary:
      'Join workers that look like one that has gone: it keeps its history and takes the new name; all or none. `same` false: they are two machines',
    query: ofAccount,
    body: z.strictObject({
      pairs: z
        .array(z.strictObject({ worker: number, former: number }))
        .min(1)
        .max(1000),
      same: z.boolean().default(true),
    }),
    response: w.workerJoins,
  }),
  'POST /workerJoins/part': userCall(manages('workers'), {
    summary: 'Part joined workers: each has what it had, and what came under its name since',
    query: ofAccount,
    body: z.strictObject({ ids: z.array(number).min(1).max(1000) }),
    /** `kept`: joins that stay, because the former name is another worker's by now. */
    response: w.workerJoins.extend({ kept: z.array(number) }),
  }),
  'GET /farmEvents': watcherCall(reads('workers'), 'workers', {
    summary: 'List where workers of an account went off together: what is off now, then what ended after `since`',
    /** `since`: Unix seconds; left out: a day ago. */
    query: ofAccounts.extend({ since: s.whole(0, 4_102_444_800).optional() }),
    response: z.array(w.farmEvent),
  }),
  'GET /farmEvents/{id}/workers': userCall(reads('workers'), {
    summary: 'List the numbers of the workers that went off in an event',
    params: byId,
    query: ofAccounts,
    response: z.array(z.int()),
  }),
  'PUT /farmEvents/{id}': userCall(manages('workers'), {
    summary: 'Acknowledge an event, so that no more is said of it until then or until it is over, and note what it is',
    params: byId,
    query: ofAccount,
    body: z.strictObject({
      /** `until` null: until it is over. Null: nobody looks after it. */
      acknowledged: z
        .strictObject({ until: s.whole(0, 4_102_444_800).nullable() })
        .nullable()
        .optional(),
      note: s.label.nullable().optional(),
    }),
    response: z.array(w.farmEvent),
  }),
  'GET /workerGroups/': userCall(reads('workers'), {
    summary: 'List the worker groups of all my sub-accounts',
    query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.workerGroup),
  }),
  'POST /workerGroups/': userCall(manages('workers'), {
    names: 'account',
    summary: 'Create a worker group in a sub-account',
    query: z.strictObject({ userName: s.accountName.optional() }),
    body: z.strictObject({ name: s.label, subAccountId: z.int().min(1).max(2_147_483_647).nullable().optional() }),
    response: s.workerGroup,
  }),
  'PUT /workerGroups/{name}': userCall(manages('workers'), {
    names: 'account',
    summary:
      'Change a worker group: its name, the part of what it made in the last week below which it is told of after ten minutes, or its power, which only readers of payments set; its workers stay in it',
    params: z.strictObject({ name: s.label }),
    query: z.strictObject({
      subAccountId: s.whole(1, 2_147_483_647).optional(),
      userName: s.accountName.optional(),
    }),
    body: z.strictObject({
      name: s.label.optional(),
      limit: z.number().min(0.01).max(1).nullable().optional(),
      power: s.groupPower.nullable().optional(),
    }),
    response: s.workerGroup,
  }),
  'DELETE /workerGroups/{name}': userCall(manages('workers'), {
    names: 'account',
    summary: 'Delete a worker group; its workers stay, without a group',
    params: z.strictObject({ name: s.label }),
    query: z.strictObject({
      subAccountId: s.whole(1, 2_147_483_647).optional(),
      userName: s.accountName.optional(),
    }),
    /** `workers`: those that were in it, to put them back. */
    response: z.object({ deleted: z.literal(true), workers: z.array(z.int()) }),
  }),
  'GET /getWorkerCount/': watcherCall(reads('workers'), 'workers', {
    summary: 'Count the workers of a sub-account, or of all, by state',
    query: z.strictObject({
      subAccountName: s.accountOrAll.optional(),
      algorithm: s.algorithm.optional(),
      group: s.label.optional(),
    }),
    response: w.workerCounts,
  }),
};
