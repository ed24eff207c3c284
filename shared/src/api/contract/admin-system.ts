import { z } from 'zod';
import { otherOrigin, SLOT_PLACES } from '../../contract/remote-schema';
import { ALGORITHM_NAMES } from '../../domain';
import * as m from '../money-schemas';
import * as s from '../schemas';
import { CLIENT_ERRORS } from './client-errors';
import { ADMIN, userCall } from './endpoint';

/** What needs a person now. */
const TASKS = [
  'payments_pending',
  'payments_unknown',
  'payments_failed',
  'bonus_new',
  'late_work',
  'day_waiting',
  'shares_refused',
  'balances_wrong',
  'job_failed',
  'clocks_disagree',
  'upstream_down',
  'price_stale',
] as const;
/** An entry of the operator's price feed (of an algorithm, or of bitcoin) or network feed, and when it was first missed. */
const unreadEntry = z.object({
  entry: z.enum([...ALGORITHM_NAMES, 'bitcoin', 'difficulty', 'change']),
  since: s.isoTime,
});
/** What a pool needs before strangers mine at it for real money. */
const SETUP = ['upstream', 'price', 'fee', 'host', 'tls', 'mail', 'database', 'backup', 'key'] as const;
export type SetupItem = (typeof SETUP)[number];
const version = z.string().regex(/^\w[\w.+-]{0,80}$/);
const remoteName = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/);
const pointer = z.object({
  version,
  canary: z.object({ version, percent: z.number().min(0).max(100) }).nullable(),
});
const remote = pointer.extend({
  name: z.string(),
  /** KiB of code that its team allows itself; null: as much as any remote. */
  budget: z.number().nullable(),
  versions: z.array(
    z.object({
      version: z.string(),
      deployedAt: s.isoTime,
      /** What browsers told since the server's start; null: nothing. */
      figures: z
        .object({
          mounts: z.int(),
          /** Mounts with an error. */
          faulty: z.int(),
          p95Ms: z.number().nullable(),
          errors: z.array(z.object({ kind: z.enum(CLIENT_ERRORS), message: z.string(), count: z.int() })),
        })
        .nullable(),
    }),
  ),
  /** Parts of the served version for places of the pool's pages; `off`: the operator shows them to nobody. */
  slots: z.array(z.object({ place: z.enum(SLOT_PLACES), off: z.boolean() })).optional(),
  /** Origins that the served versions ask besides the pool; `allowed`: their code may, and has tokens for them. */
  connect: z.array(z.object({ origin: otherOrigin, allowed: z.boolean() })).optional(),
  /**
   * Parts of it that are on for some users; `users` null: for all. `figures`: mounts of pages with it since the server's
   * start, and those with an error; null: none.
   */
  flags: z
    .array(
      z.object({
        flag: z.string(),
        users: z.array(z.string()).nullable(),
        figures: z.object({ mounts: z.int(), faulty: z.int() }).nullable(),
      }),
    )
    .optional(),
  /** The last moves of its pointer, the newest first. */
  history: z.array(
    z.object({
      at: s.isoTime,
      who: z.string(),
      what: z.enum(['publish', 'canary', 'promote', 'rollback']),
      to: z.object({ version, canary: z.object({ version, percent: z.number() }).optional() }),
      commit: z.string().optional(),
      why: z.string().optional(),
    }),
  ),
});

const keptMail = z.object({ at: s.isoTime, to: z.string(), subject: z.string(), text: z.string() });
export type KeptMail = z.infer<typeof keptMail>;

/** The state of the pool and of what runs it. */
export const adminSystem = {
  'GET /admin/overview': userCall(ADMIN, {
    summary: 'Get the figures of the pool and what needs a person now',
    response: z.object({
      algorithms: z.array(
        z.object({ algorithm: s.algorithm, hashrate: z.number(), workersOnline: z.int(), minersOnline: z.int() }),
      ),
      users: z.int(),
      /** Owed to sub-accounts and referrers. */
      unpaidSat: s.sats,
      payments: m.paymentSums,
      /** Creation of the oldest payment that waits for approval. */
      oldestPendingAt: s.isoTime.nullable(),
      tasks: z.array(z.object({ task: z.enum(TASKS), count: z.int() })),
      /** Machines, networks and accounts that brought an upstream too few shares: beside `tasks`, whose kinds 1.0.0 lists. */
      withheld: z.int().optional(),
      unread: z.array(unreadEntry),
      /** The most urgent first; empty with demo data. */
      setup: z.array(z.object({ item: z.enum(SETUP), done: z.boolean() })),
    }),
  }),
  'GET /admin/overview/days': userCall(ADMIN, {
    summary: 'Get hashrate, debt, payouts and new users of the last 30 finished UTC days',
    response: z.object({
      /** The oldest first; each list below has a value for each. */
      days: z.array(s.day),
      hashrates: z.array(
        z.object({
          algorithm: s.algorithm,
          /** The accounts that mined most, the largest first, and all others together (`name` null). Means, H/s. */
          accounts: z.array(z.object({ name: z.string().nullable(), hashrates: z.array(z.number()) })),
        }),
      ),
      /** Owed to sub-accounts and referrers at the end of the day, for its work too. */
      owedSat: z.array(s.sats),
      paidSat: z.array(s.sats),
      newUsers: z.array(z.int()),
    }),
  }),
  'GET /admin/system': userCall(ADMIN, {
    summary: 'Get the state of the proxy, the journal, the database, the daily job and the remotes',
    response: z.object({
      proxy: z.object({
        connections: z.int(),
        /** Shares a second of the last five whole minutes. */
        sharesPerSecond: z.number(),
        upstreams: z.array(s.upstream),
      }),
      uncounted: m.calculation.shape.uncounted,
      /** The processes that share the database; empty: one does everything. */
      nodes: z.array(
        z.object({
          id: z.string(),
          roles: z.array(z.string()),
          /** Process and machine. */
          place: z.string(),
          build: z.string(),
          heartbeat: s.isoTime,
          isSilent: z.boolean(),
          /** The first finished day that it has not counted to its end, so that this day and those after it stay open. */
          holds: s.day.nullable(),
        }),
      ),
      database: z.object({
        kind: z.enum(['embedded', 'postgresql']),
        version: z.string(),
        bytes: z.number(),
        answerMs: z.number(),
        migrations: z.int(),
        /** Seconds the server's clock is ahead of the database's; null: not measured yet. */
        clockOffset: z.number().nullable(),
        /** Why no day is closed; null while the clocks agree. */
        clockTrouble: z.string().nullable(),
      }),
      job: z
        .object({
          startedAt: s.isoTime,
          endedAt: s.isoTime.nullable(),
          nextAt: s.isoTime.nullable(),
          failed: z.array(z.string()),
          daysClosed: z.int(),
          paymentsOpened: z.int(),
          wrongBalances: z.int().nullable(),
        })
        .nullable(),
      closedThrough: s.day.nullable(),
      lateWork: z.int(),
      remotes: z.array(remote),
      /** What is wrong with deployed remotes (`power`), versions (`power/1.0.0`) or files of them, in English. */
      remoteFaults: z.array(z.object({ what: z.string(), why: z.string() })),
      /** The last message of each channel that was not taken, and why. */
      failures: z.array(
        z.object({ channel: z.enum(['telegram', 'mail', 'webhook', 'push']), reason: z.string(), at: s.isoTime }),
      ),
      uptimeSeconds: z.number(),
    }),
  }),
  'GET /admin/mails': userCall(ADMIN, {
    summary: 'List the last mails that were kept because there is no mail server, newest first; null: there is one',
    response: z.array(keptMail).nullable(),
  }),
  'PUT /admin/remotes/{name}': userCall(ADMIN, {
    sudo: true,
    summary: 'Serve another deployed version of a remote, to all users or to a share of them',
    params: z.strictObject({ name: remoteName }),
    body: z.strictObject({
      version,
      canary: z.strictObject({ version, percent: z.number().min(0).max(100) }).nullable(),
      /** Open pages too are replaced, within seconds. */
      urgent: z.boolean().optional(),
      /** The pointer that was read: with another one now, nothing is changed. */
      expected: pointer,
    }),
    response: pointer,
  }),
  'PUT /admin/remotes/{name}/slots': userCall(ADMIN, {
    summary: "Show the part that a remote brings to a place of the pool's pages, or show it to nobody",
    params: z.strictObject({ name: remoteName }),
    body: z.strictObject({ place: z.enum(SLOT_PLACES), off: z.boolean() }),
    response: z.null(),
  }),
  'PUT /admin/remotes/{name}/connect': userCall(ADMIN, {
    sudo: true,
    summary: "Allow a remote's code to ask an API of its team's, which gets tokens that say who asks, or end it",
    params: z.strictObject({ name: remoteName }),
    body: z.strictObject({ origin: otherOrigin, allowed: z.boolean() }),
    response: z.null(),
  }),
  'PUT /admin/remotes/{name}/flags': userCall(ADMIN, {
    summary: 'Turn a part of a remote on for the named users, for everybody (null), or for nobody (none)',
    params: z.strictObject({ name: remoteName }),
    body: z.strictObject({ flag: z.string().max(100), users: z.array(z.string().max(100)).max(1000).nullable() }),
    response: z.null(),
  }),
};
