/** A day whose figures are not plausible waits for an admin, who pays or withholds what is in question. */
import pino from 'pino';
import { Registry } from 'prom-client';
import type { DayFinding, WaitingDay } from '@pool/shared/api/contract';
import { MAX_EARNING_SAT } from '@pool/shared/domain';
import { adjustEarning } from '../accounting/adjust';
import { Bus, type BusEvent } from '../../platform/bus';
import { announceOn } from '../../platform/bus';
import { emptyTables, databaseOfFile } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import type { CommandContext } from '../../ops/command';
import { runCommand } from '../../ops/commands';
import { OperatorError } from '../../platform/operator-error';
import { lateWork } from '../../ops/late-work';
import { countWork } from '../../mining/shares/testing/count-work';
import { pgWithheldLog, withheldLately } from '../../mining/upstreams/withheld-work';
import { eventually } from '../../testing/eventually';
import { wrongBalances } from '../ledger/ledger';
import { dayCloser } from './close-days';
import { DayWaits, type Decision } from './closing-gate';

const A = 'SHA256_ASICBOOST';
const TODAY = dayOf(Date.now() / 1000);
const ago = (days: number): string => addDays(TODAY, -days);
const TH = 1e12;
const PH = 1e15;
const ACTOR = { actorId: 9, ip: '203.0.113.9' };

const database = databaseOfFile();
let bus: Bus;
let events: BusEvent[];
let metrics: Registry;
let closer: ReturnType<typeof dayCloser>;
/** Days before it are over. */
let today: string;

beforeEach(async () => {
  await emptyTables(database);
  const { pool } = database;
  await pool.query(
    `insert into app_user (id, identity_id, user_name, role, disabled)
     values (1, 'a', 'alice', 'miner', false), (2, 'b', 'bob', 'miner', false), (9, 'x', 'boss', 'admin', false),
       (10, 'y', 'deputy', 'admin', false), (11, 'z', 'former', 'admin', true)`,
  );
  await pool.query(
    `insert into sub_account (id, user_id, name, threshold_sat, btc_address)
     values (1, 1, 'alice', 10000, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'), (2, 2, 'bob', 10000, null)`,
  );
  bus = new Bus();
  events = [];
  bus.subscribe((event) => events.push(event));
  announceOn(bus, pool);
  metrics = new Registry();
  today = ago(1);
  closer = dayCloser({
    pool,
    bus,
    terms: { poolFeePercent: 1 },
    uncounted: async () => [],
    needsPrices: async () => false,
    now: async () => startOfDay(today) + 3600,
    metrics,
  });
});

const rows = async (text: string): Promise<Record<string, unknown>[]> => (await database.pool.query(text)).rows;
/** Work of a whole day with this mean, H/s. */
const mined = (account: number, day: string, hashrate: number) =>
  countWork(database.pool, [
    { subAccountId: account, at: startOfDay(day) + 3600, accepted: (hashrate * 86_400) / 2 ** 32, shares: 10 },
  ]);
/** One share that an upstream took. */
const took = (day: string, difficulty: number, accepted: number, acceptedShares = 1e6) => {
  const upstream = 'pool.example:3333 pool';
  const taken = new Map([[upstream, { accepted, credited: difficulty, acceptedShares, creditedShares: 1e8 }]]);
  return countWork(database.pool, [{ at: startOfDay(day) + 39_960, span: 60, accepted: difficulty, taken }]);
};
const paidDays = async () => (await rows('select distinct day from earning order by 1')).map(({ day }) => day);
/** The day that waits; fails the test when none does. */
const waits = async (day?: string): Promise<WaitingDay> => {
  const error = await closer(day).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DayWaits);
  return (error as DayWaits).waiting;
};
const kinds = ({ findings }: WaitingDay) => findings.map(({ kind, name }: DayFinding) => [kind, name]);
const decision = ({ day, tag }: WaitingDay, more: Partial<Decision> = {}): Decision => ({
  day,
  tag,
  reason: 'called them: a new farm',
  withhold: [],
  actor: ACTOR,
  ...more,
});

it('a share of 5e22 H/s keeps its day open: nothing is booked, admins are told once, the days before are paid', async () => {
  await mined(1, ago(4), 40 * TH);
  await mined(2, ago(3), 5e22);
  await mined(1, ago(3), 40 * TH);
  await mined(1, ago(2), 40 * TH);
  const waiting = await waits();
  expect(waiting.day).toBe(ago(3));
  expect(kinds(waiting)).toEqual([
    ['account', 'bob'],
    ['pool', null],
  ]);
  expect(waiting.findings[0]).toMatchObject({ usual: null, payable: false, hashrate: expect.closeTo(5e22, -18) });
  expect(closer.waiting()).toEqual(waiting);
  expect(await paidDays()).toEqual([ago(4)]);
  expect(await rows('select 1 from payment')).toEqual([]);
  expect(await metrics.metrics()).toContain('closing_findings 2');

  expect(await waits()).toEqual(waiting);
  await waits(ago(3));
  expect(await rows("select user_id, kind, values->>'day' as day from notification order by 1")).toEqual([
    { user_id: 9, kind: 'day_waiting', day: ago(3) },
    { user_id: 10, kind: 'day_waiting', day: ago(3) },
  ]);
  expect(events.filter(({ type }) => type === 'notification').map(({ userId }) => userId)).toEqual([9, 10]);
  // The preview stops at the same day.
  expect(await closer.preview()).toMatchObject({ days: [], waiting: { day: ago(3), tag: waiting.tag } });
});

it('what nobody can have earned is not paid, whoever confirms it; withheld it is booked with nothing', async () => {
  await mined(2, ago(3), 5e22);
  await mined(1, ago(3), 40 * TH);
  await mined(1, ago(2), 40 * TH);
  const waiting = await waits();
  expect(waiting.findings[0]?.grossSat).toBeGreaterThan(MAX_EARNING_SAT);
  const confirmed = [decision(waiting), decision(waiting, { tag: null })];
  for (const paying of confirmed) await expect(closer(waiting.day, paying)).rejects.toThrow(DayWaits);
  expect(await paidDays()).toEqual([]);

  const withhold = [{ account: 'bob', algorithm: A } as const];
  await closer(waiting.day, decision(waiting, { withhold, reason: 'no machine has that' }));
  expect(await rows('select sub_account_id as id, gross_sat, net_sat, status from earning order by 1')).toEqual([
    { id: 1, gross_sat: 1960, net_sat: 1940, status: 'final' },
    { id: 2, gross_sat: 0, net_sat: 0, status: 'adjusted' },
  ]);
  expect(
    await rows(
      'select sub_account_id as id, gross_sat, note, user_id, gross_sat_before as before from earning_adjustment',
    ),
  ).toEqual([{ id: 2, gross_sat: 0, note: 'no machine has that', user_id: 9, before: waiting.findings[0]?.grossSat }]);
  expect(await rows('select coalesce(sum(amount_sat), 0) as sats from ledger where sub_account_id = 2')).toEqual([
    { sats: 0 },
  ]);
  expect(
    await rows("select user_id, subject, after->>'reason' as why from audit where action = 'closing.confirm'"),
  ).toEqual([{ user_id: 9, subject: waiting.day, why: 'no machine has that' }]);
  expect(closer.waiting()).toBeNull();
  expect(await metrics.metrics()).toContain('closing_findings 0');
  // It is kept for the record, not as late work; the days after it are closed, also when it is as much again.
  expect(await lateWork(database.pool)).toEqual([]);
  expect(await closer()).toMatchObject({ days: 1 });
  today = TODAY;
  await mined(2, ago(1), 5e22);
  const again = await waits();
  expect(kinds(again)[0]).toEqual(['account', 'bob']);
  expect(again.findings[0]).toMatchObject({ usual: null });
});

it('withheld work is paid after all by a correction', async () => {
  await mined(1, ago(2), 50 * PH);
  const waiting = await waits();
  await closer(waiting.day, decision(waiting, { withhold: [{ account: 'alice', algorithm: A }] }));
  const { grossSat = 0 } = waiting.findings[0] ?? {};
  await transaction(database.pool, (client) =>
    adjustEarning(
      client,
      { account: 'alice', algorithm: A, day: waiting.day, grossSat, expectedGrossSat: 0, note: 'real', userId: 9 },
      Date.now() / 1000,
    ),
  );
  expect(await rows('select gross_sat, net_sat from earning')).toEqual([{ gross_sat: 2_450_000, net_sat: 2_425_500 }]);
  expect(await rows('select owed_sat from balance')).toEqual([{ owed_sat: 2_425_500 }]);
  expect(await rows('select sum(amount_sat) as sats from ledger')).toEqual([{ sats: 0 }]);
  expect(await wrongBalances(database.pool)).toBe(0);
});

it('a newcomer with 200 TH/s, or 20 PH/s, is closed as ever; a farm of 50 PH/s is one click, on its first day only', async () => {
  await mined(1, ago(5), 200 * TH);
  await mined(2, ago(4), 20 * PH);
  today = ago(3);
  expect(await closer()).toMatchObject({ days: 2 });
  today = ago(1);
  await mined(1, ago(3), 50 * PH);
  await mined(1, ago(2), 55 * PH);
  const waiting = await waits();
  expect([waiting.day, kinds(waiting)]).toEqual([ago(3), [['account', 'alice']]]);
  expect(waiting.findings[0]).toMatchObject({
    usual: expect.closeTo(200 * TH, -8),
    grossSat: 2_450_000,
    payable: true,
  });
  await expect(closer()).rejects.toThrow(`sub-account alice has 5E16 H/s of ${A} (before: at most 2E14 H/s)`);
  expect(await closer(waiting.day, decision(waiting))).toMatchObject({ days: 1, netSat: 2_425_500 });
  expect(await closer()).toMatchObject({ days: 1, accounts: 1 });
});

it('the pool is compared with its own best day, so that many accounts together are found too', async () => {
  for (const day of [ago(6), ago(5)]) await mined(1, day, 45 * PH);
  const first = await waits();
  await closer(first.day, decision(first));
  // Three times its best: a pool may grow.
  await mined(2, ago(4), 135 * PH);
  const second = await waits();
  expect(kinds(second)).toEqual([['account', 'bob']]);
  await closer(second.day, decision(second));
  await mined(1, ago(3), 220 * PH);
  await mined(2, ago(3), 190 * PH);
  const third = await waits();
  expect([third.day, kinds(third)]).toEqual([ago(3), [['pool', null]]]);
  expect(third.findings).toMatchObject([{ usual: expect.closeTo(135 * PH, -8), payable: true }]);
  await expect(closer()).rejects.toThrow('the pool has 4.1E17 H/s');
});

it('accounts with a million satoshis, a pool with five, and twenty times the best day of an account are closed as ever', async () => {
  await database.pool.query(
    "insert into sub_account (id, user_id, name) values (3, 2, 'carol'), (4, 2, 'dora'), (5, 2, 'emma')",
  );
  const million = 20.408164 * PH;
  for (const account of [1, 2, 3, 4, 5]) await mined(account, ago(4), million);
  await mined(1, ago(3), 300 * PH);
  await mined(2, ago(2), 20 * million);
  expect(await closer()).toMatchObject({ days: 3 });
});

it('miners credited for 2 % more than the upstream accepted keep the day open, above an amount', async () => {
  // 1 PH/s for a day is 49,000 satoshis.
  const day = (hashrate: number) => (hashrate * 86_400) / 2 ** 32;
  await took(ago(5), day(10 * PH), day(9.9 * PH));
  // 10,000 satoshis.
  await took(ago(4), day(0.2040817 * PH), 1);
  // Four deviations are chance among 100 shares.
  await took(ago(6), day(8 * PH) * (1.02 + 4 / 10), day(8 * PH), 100);
  today = ago(3);
  expect(await closer()).toMatchObject({ days: 3 });
  today = ago(2);
  await took(ago(3), day(10 * PH), day(9.7 * PH));
  const waiting = await waits();
  expect(kinds(waiting)).toEqual([['upstream', 'pool.example:3333 pool']]);
  // An upstream is nobody's account.
  const withhold = [{ account: 'pool.example:3333 pool', algorithm: A } as const];
  await expect(closer(waiting.day, decision(waiting, { withhold }))).rejects.toThrow(DayWaits);
  expect(waiting.findings[0]).toMatchObject({
    hashrate: expect.closeTo(10 * PH, -10),
    usual: expect.closeTo(9.7 * PH, -10),
    grossSat: 14_700,
  });
  await expect(closer()).rejects.toThrow(
    /credited more than pool.example:3333 pool counted by our estimate .*: 3.1 %, 14700 satoshis/,
  );
  // What the upstream says itself is taken in place of the estimate.
  const says = (hashrate: number) => database.pool.query('update upstream_day set counted = $1', [day(hashrate)]);
  await says(9.4 * PH);
  expect((await waits()).findings).toMatchObject([{ kind: 'upstream', asCounted: true, grossSat: 29_400 }]);
  await expect(closer()).rejects.toThrow(/pool.example:3333 pool says that it counted .*: 6.4 %/);
  await says(9.9 * PH);
  expect(await closer()).toMatchObject({ days: 1 });
});

it('who brought the upstream less than chance explains is paid nothing until a correction, and nobody waits for it', async () => {
  await mined(1, ago(3), 0.1 * PH);
  await mined(2, ago(3), 0.1 * PH);
  const found = pgWithheldLog(database.pool, pino({ level: 'silent' }));
  const about = { day: ago(3), algorithm: 'SHA256_ASICBOOST', expected: 30, brought: 0 } as const;
  found({ ...about, who: 'alice', subAccountId: 1, held: false });
  found({ ...about, who: 'bob.thief', subAccountId: 2, held: true });
  await eventually(async () => (await withheldLately(database.pool)) === 2, 'both recorded');
  today = ago(2);
  expect(await closer()).toMatchObject({ days: 1, accounts: 2 });
  expect(await rows('select sub_account_id as id, gross_sat > 0 as paid from earning order by 1')).toEqual([
    { id: 1, paid: true },
    { id: 2, paid: false },
  ]);
  const noted = await rows(
    'select sub_account_id as id, gross_sat_before > 0 as worth, note, user_id from earning_adjustment',
  );
  expect(noted).toEqual([
    { id: 2, worth: true, note: expect.stringContaining('fewer shares of this work than chance'), user_id: null },
  ]);
});

it('what the upstream was not brought and what an admin withholds is kept, each of the account it is of', async () => {
  const { pool } = database;
  await pool.query("insert into sub_account (id, user_id, name) values (3, 2, 'carol'), (4, 2, 'dora')");
  for (const account of [1, 2]) await mined(account, ago(2), 5e22);
  for (const account of [3, 4]) await mined(account, ago(2), 40 * TH);
  await mined(3, ago(3), 40 * TH);
  await countWork(pool, [
    { subAccountId: 1, algorithm: 'SCRYPT', at: startOfDay(ago(2)), accepted: 1e18 },
    { subAccountId: 3, algorithm: 'SCRYPT', at: startOfDay(ago(2)), accepted: 1e9 },
  ]);
  const found = pgWithheldLog(pool, pino({ level: 'silent' }));
  found({ day: ago(2), algorithm: A, expected: 30, brought: 0, who: 'carol', subAccountId: 3, held: true });
  await eventually(async () => (await withheldLately(pool)) === 1, 'recorded');
  const waiting = await waits();
  expect(
    waiting.findings.flatMap(({ kind, name, algorithm, payable }) =>
      kind === 'account' ? [[name, algorithm, payable]] : [],
    ),
  ).toEqual([
    ['alice', 'SCRYPT', false],
    ['alice', A, false],
    ['bob', A, false],
  ]);
  const of = (account: string, algorithm: Decision['withhold'][number]['algorithm'] = A) => ({ account, algorithm });
  const all = [of('bob'), of('alice'), of('alice', 'SCRYPT')];
  // Each that cannot have been earned has to be named, and nobody else is.
  for (const withhold of [...all.map((left) => all.filter((row) => row !== left)), [...all, of('carol')]])
    await expect(closer(waiting.day, decision(waiting, { withhold }))).rejects.toThrow(DayWaits);
  await closer(waiting.day, decision(waiting, { withhold: all, reason: 'no machine has that' }));
  expect(
    await rows(
      'select sub_account_id as id, algorithm, gross_sat > 0 as paid, status from earning order by 1, 2 desc, day',
    ),
  ).toEqual([
    { id: 1, algorithm: A, paid: false, status: 'adjusted' },
    { id: 1, algorithm: 'SCRYPT', paid: false, status: 'adjusted' },
    { id: 2, algorithm: A, paid: false, status: 'adjusted' },
    { id: 3, algorithm: A, paid: true, status: 'final' },
    { id: 3, algorithm: A, paid: false, status: 'adjusted' },
    { id: 3, algorithm: 'SCRYPT', paid: true, status: 'final' },
    { id: 4, algorithm: A, paid: true, status: 'final' },
  ]);
  expect(await rows('select distinct note, user_id from earning_adjustment')).toEqual([
    { note: 'no machine has that', user_id: 9 },
  ]);
});

it('a day without work is closed where one is named, and a pool without work has none', async () => {
  expect(await closer()).toMatchObject({ days: 0, accounts: 0 });
  await mined(1, ago(3), TH);
  await mined(1, ago(2), 110 * PH);
  // The day before stays open, and what is booked is asked about once.
  const waiting = await waits(ago(2));
  expect(await closer(ago(2), decision(waiting))).toMatchObject({ days: 1, accounts: 1 });
  expect(await closer()).toMatchObject({ days: 2, accounts: 1 });
  expect(await paidDays()).toEqual([ago(3), ago(2)]);
});

it('a decision is about what was seen: with other findings nothing is closed', async () => {
  await mined(1, ago(2), 50 * PH);
  const seen = await waits();
  await mined(2, ago(2), 60 * PH);
  await expect(closer(seen.day, decision(seen))).rejects.toThrow(DayWaits);
  await expect(closer(seen.day, decision(seen, { day: ago(3), tag: null }))).rejects.toThrow(DayWaits);
  const now = await waits();
  // Nobody is withheld who is not in question.
  const other = [{ account: 'alice', algorithm: 'SCRYPT' } as const];
  await expect(closer(now.day, decision(now, { withhold: other }))).rejects.toThrow(DayWaits);
  expect(await paidDays()).toEqual([]);
  expect(await closer(now.day, decision(now))).toMatchObject({ days: 1, accounts: 2 });
  // Closing it again books nothing and asks nobody.
  expect(await closer(now.day)).toMatchObject({ days: 1, accounts: 2 });
});

it('the command line says why a day waits, and closes it when that is confirmed', async () => {
  await mined(1, ago(2), 50 * PH);
  const context = { pool: database.pool, closeDays: closer } as unknown as CommandContext;
  const run = async (args: string[]) => (await runCommand(context, args).next()).value;
  const refusal = `${ago(2)} waits for an admin: sub-account alice has 5E16 H/s of ${A} (before: nothing in 14 days)`;
  for (const args of [[], [ago(2)]]) await expect(run(['close-day', ...args])).rejects.toThrow(refusal);
  for (const args of [['confirm'], [ago(2), 'sure'], [TODAY, 'confirm']])
    await expect(run(['close-day', ...args])).rejects.toThrow(OperatorError);
  expect(await paidDays()).toEqual([]);
  expect(await run(['close-day', ago(2), 'confirm'])).toContain('1 days, 1 sub-accounts, 2450000 satoshis');
  expect(await rows("select user_id, ip from audit where action = 'closing.confirm'")).toEqual([
    { user_id: null, ip: 'command line' },
  ]);
});

it('outside the demo no day is closed at a price that nobody set, nor at an old one, without an admin', async () => {
  const { pool } = database;
  const bus2 = new Bus();
  const real = dayCloser({
    pool,
    bus: bus2,
    terms: { poolFeePercent: 1 },
    uncounted: async () => [],
    now: async () => startOfDay(today) + 3600,
  });
  const setPriceOf = (day: string): Promise<unknown> =>
    pool.query(
      `insert into day_price (day, algorithm, price_btc, btc_price_usd, source, known_at)
       select $1, algorithm, 0.0005, 90000, 'manual', $1::date + interval '12 hours'
       from unnest(array[$2, 'SCRYPT']) algorithm`,
      [day, A],
    );
  const waiting = async () =>
    real().then(
      () => null,
      (error: unknown) => (error instanceof DayWaits ? error.waiting : Promise.reject(error as Error)),
    );
  await mined(1, ago(2), TH);
  await countWork(pool, [{ algorithm: 'SCRYPT', at: startOfDay(ago(2)), accepted: 1e6 }]);
  const never = await waiting();
  expect(never?.findings.map(({ algorithm }) => algorithm).sort()).toEqual(['SCRYPT', A]);
  expect(never?.findings).toMatchObject(Array(2).fill({ kind: 'price', name: null, payable: true }));
  await expect(real()).rejects.toThrow(`no price of ${A} was ever set: at the default`);
  await setPriceOf(ago(5));
  expect((await waiting())?.findings).toMatchObject(Array(2).fill({ kind: 'price', name: ago(5) }));
  await expect(real()).rejects.toThrow(`the last price of ${A} is of ${ago(5)}: at that`);
  expect(await paidDays()).toEqual([]);
  // A price of two days before is near enough.
  await setPriceOf(ago(4));
  expect(await real()).toMatchObject({ days: 1, accounts: 1 });
  // An admin may close a day at the old price.
  today = TODAY;
  await mined(1, ago(1), TH);
  const old = await waiting();
  expect(old?.findings).toEqual([expect.objectContaining({ kind: 'price', algorithm: A, name: ago(4) })]);
  if (!old) throw new Error('no day waits');
  expect(await real(old.day, decision(old))).toMatchObject({ days: 1 });
});
