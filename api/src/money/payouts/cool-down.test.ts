/** What counts as one payout run, and when it waits. */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { insertUsers } from '../jobs/testing/miners';
import { coolDownOf, waitingRun } from './cool-down';

const NOW = 1_800_000_000;
const HOUR = 3600;
const coolDown = { boundSat: 1000, seconds: 6 * HOUR };
const database = databaseOfFile();
type Facts = { status?: string; sats?: number; given?: number; ago?: number };

beforeEach(() => insertUsers(database));
/** Payments as they have become; none takes its steps here. */
const run = async (payments: readonly Facts[]) => {
  for (const [index, { status = 'queued', sats = 1, given = 0, ago = HOUR }] of payments.entries())
    await database.pool.query(
      `set session_replication_role to replica;
       insert into payment (sub_account_id, period_from, period_to, amount_sat, given_sat, status, queued_at, txid)
       values (${index + 1}, '2026-11-18', '2026-11-18', ${sats}, ${given}, '${status}', to_timestamp(${NOW - ago}),
         repeat('0', 64));
       set session_replication_role to origin`,
    );
  return waitingRun(database.pool, coolDown, NOW);
};
const until = (ago: number): string => new Date((NOW - ago + 6 * HOUR) * 1000).toISOString();

it.each<[string, Facts[], object | null]>([
  ['nothing', [], null],
  ['the bound itself', [{ sats: 1000 }], null],
  ['a satoshi more', [{ sats: 1001 }], { count: 1, totalSat: 1001, until: until(HOUR) }],
  ['more, none of which waits', [{ sats: 1001, status: 'sent' }], null],
  ['more, approved as long ago as it waits', [{ sats: 1001, ago: 6 * HOUR }], null],
  ['more, approved a second later', [{ sats: 1001, ago: 6 * HOUR - 1 }], { count: 1, until: until(6 * HOUR - 1) }],
  ['what was given before and failed', [{ sats: 1, given: 1000 }], { count: 1, totalSat: 1 }],
  ['less with what failed', [{ sats: 1, given: 999 }], null],
  ...['unknown', 'sent', 'confirmed'].map((status): [string, Facts[], object] => [
    `what is ${status}`,
    [{ status, sats: 1000, ago: 60 }, { ago: 2 * HOUR }, { sats: 2, ago: HOUR }],
    { count: 2, totalSat: 3, until: until(HOUR) },
  ]),
  ...['pending', 'failed', 'cancelled'].map((status): [string, Facts[], null] => [
    `what is ${status}`,
    [{ status, sats: 1000 }, {}],
    null,
  ]),
])('a run of %s', async (_, payments, waiting) => {
  const found = await run(payments);
  expect(found).toEqual(waiting && { ...found, ...waiting });
  expect(await waitingRun(database.pool, null, NOW)).toBeNull();
});

it.each([
  [0.29, 6, { boundSat: 29_000_000, seconds: 21_600 }],
  [0, 0.5, { boundSat: 0, seconds: 1800 }],
  [5, 0, null],
])('the bound of %s BTC and %s hours', (PAYOUT_RUN_BTC, PAYOUT_WAIT_HOURS, expected) =>
  expect(coolDownOf({ PAYOUT_RUN_BTC, PAYOUT_WAIT_HOURS })).toEqual(expected),
);
