/**
 * Money under concurrency on a real PostgreSQL with twenty connections (security.md 21-23, 31, 37, 38), and days closed
 * in any order. HEAVY=1: more runs.
 */
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import pg, { type Pool } from 'pg';
import type { Database } from '../../platform/db/database';
import { postgresDatabase } from '../../platform/db/testing/postgres';
import { transaction } from '../../platform/db/transaction';
import { once } from '../../http/auth/idempotency';
import type { Principal } from '../../http/auth/principal';
import type { AppUser } from '../../accounts/accounts';
import { closeAccount } from '../../accounts/close-account';
import { adjustEarning } from '../accounting/adjust';
import { closeDays } from '../accounting/earnings';
import { decideBonus } from '../bonus';
import { openPayments } from '../payouts/open-payments';
import { movePayment } from '../payouts/payment-changes';
import { addDays, startOfDay } from '../../platform/days';
import { activate, makeCode } from '../referral/referral';
import { countWork } from '../../mining/shares/testing/count-work';
import { insertUsers } from './testing/miners';
import { eventually } from '../../testing/eventually';
import { Refused } from '../../platform/refused';

const DAY = '2026-11-10';
const NOW = startOfDay('2026-11-20') + 7200;
const TERMS = { poolFeePercent: 1.5 };
const tx = (n: number): string => n.toString(16).padStart(64, '0');

describe('on PostgreSQL', () => {
  let database: Database;
  let pool: Pool;
  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await pool.query(text, values)).rows as T[];
  const work = (rows: Parameters<typeof countWork>[1]) => countWork(pool, rows);
  const expectZeroSum = async (): Promise<void> => {
    expect(await sql('select coalesce(sum(amount_sat), 0) as n from ledger')).toEqual([{ n: 0 }]);
  };
  /** Until `second` has ended, or waits for the transaction that is open. */
  const waiting = async (second: Promise<unknown>): Promise<void> => {
    let done = false;
    const ended = () => (done = true);
    void second.then(ended, ended);
    const waits = async (): Promise<boolean> => (await sql('select 1 from pg_locks where not granted')).length > 0;
    await eventually(async () => done || (await waits()), 'the second transaction waiting for the first');
  };
  beforeAll(async () => {
    database = await postgresDatabase();
    ({ pool } = database);
  });
  afterAll(() => database.close());
  beforeEach(() => insertUsers(database));
  afterEach(expectZeroSum);

  it('fifty concurrent closings, openings and payers take effect once each', async () => {
    await work([1, 2, 3, 4].map((subAccountId) => ({ subAccountId, at: startOfDay(DAY), accepted: 1e12 })));
    const closed = await Promise.all(Array.from({ length: 50 }, () => closeDays(pool, TERMS, NOW, DAY)));
    for (const answer of closed) expect(answer).toEqual(closed[0]);
    expect(
      await sql(
        `select (select count(*) from earning) as earnings,
           (select count(*) from ledger where party = 'account') as entries`,
      ),
    ).toEqual([{ earnings: 4, entries: 4 }]);
    const opened = (await Promise.all(Array.from({ length: 50 }, () => openPayments(pool, NOW)))).flat();
    expect(opened).toHaveLength(4);
    const [{ id, subAccountId } = { id: 0, subAccountId: 0 }] = opened;
    const won = async (moves: Promise<unknown>[]): Promise<number> =>
      (
        await Promise.all(
          moves.map((move) =>
            move.then(
              () => 1,
              (error: unknown) => {
                if (error instanceof Refused) return 0;
                throw error;
              },
            ),
          ),
        )
      ).reduce<number>((a, b) => a + b, 0);
    expect(
      await won(
        Array.from({ length: 50 }, () =>
          transaction(pool, (client) => movePayment(client, id, { status: 'queued', version: 1 }, NOW)),
        ),
      ),
    ).toBe(1);
    expect(
      await won(
        Array.from({ length: 50 }, (_, i) =>
          transaction(pool, (client) =>
            movePayment(
              client,
              id,
              i % 5 ? { status: 'sent', version: 2, txid: tx(i) } : { status: 'cancelled', version: 2 },
              NOW,
            ),
          ),
        ),
      ),
    ).toBe(1);
    const [payment] = await sql<{ status: string; amount_sat: number }>(
      'select status, amount_sat from payment where id = $1',
      [id],
    );
    const [left] = await sql<{ n: number }>('select sum(amount_sat) as n from ledger where sub_account_id = $1', [
      subAccountId,
    ]);
    expect(left?.n).toBe(payment?.status === 'sent' ? 0 : payment?.amount_sat);
  });

  it('sending a payment waits for a correction that takes its money, and is refused', async () => {
    await work([{ at: startOfDay(DAY), accepted: 1e12 }]);
    await closeDays(pool, TERMS, NOW, DAY);
    const [{ id, sats } = { id: 0, sats: 0 }] = await openPayments(pool, NOW).then((opened) =>
      sql<{ id: number; sats: number }>('select id, amount_sat as sats from payment where id = $1', [opened[0]?.id]),
    );
    await transaction(pool, (client) => movePayment(client, id, { status: 'queued', version: 1 }, NOW));
    const [earned] = await sql<{ gross_sat: number }>('select gross_sat from earning');
    const expectedGrossSat = earned?.gross_sat ?? 0;
    const correction = { account: 'ann', algorithm: 'SHA256_ASICBOOST' as const, day: DAY, note: 'race', userId: 1 };
    let sent: Promise<unknown> = Promise.resolve();
    await transaction(pool, async (client) => {
      await adjustEarning(client, { ...correction, expectedGrossSat, grossSat: expectedGrossSat - 1000 }, NOW);
      sent = transaction(pool, (other) => movePayment(other, id, { status: 'sent', version: 2, txid: tx(1) }, NOW));
      await waiting(sent);
    });
    await expect(sent).rejects.toMatchObject({ code: 'balance_too_low' });
    expect(await sql('select sum(amount_sat) < $1 as less from ledger where sub_account_id = 1', [sats])).toEqual([
      { less: true },
    ]);
  });

  it('deleting an account waits for a bonus that it is given, and is refused', async () => {
    await sql("insert into bonus_request (email, source, day) values ('a@b.example', 's', current_date)");
    const ann = { id: 1, userName: 'ann', identityId: 'user_1' } as AppUser;
    let deleted: Promise<unknown> = Promise.resolve();
    await transaction(pool, async (client) => {
      const given = { status: 'granted', account: 'ann', amountSat: 5000 } as const;
      await decideBonus(client, 1, given, { adminId: 2, at: NOW });
      deleted = closeAccount(pool, ann, '192.0.2.1', NOW);
      await waiting(deleted);
    });
    expect(await deleted).toBeNull();
  });

  it('a payment queued during a change of address is not for the old or the held address', async () => {
    await work([{ at: startOfDay(DAY), accepted: 1e12 }]);
    await closeDays(pool, TERMS, NOW, DAY);
    const [{ id } = { id: 0 }] = await openPayments(pool, NOW);
    await Promise.all([
      ...Array.from({ length: 50 }, () =>
        transaction(pool, (client) => movePayment(client, id, { status: 'queued', version: 1 }, NOW)).catch(
          () => undefined,
        ),
      ),
      pool.query(
        `update sub_account
         set btc_address = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', address_hold_until = to_timestamp($1::float8)
         where id = 1`,
        [NOW + 72 * 3600],
      ),
    ]);
    expect(await sql('select status from payment where id = $1', [id])).toEqual([{ status: 'pending' }]);
  });

  it('fifty requests with one idempotency key run once, and all get the same response', async () => {
    const request = {
      method: 'PUT',
      url: '/x',
      body: { a: 1 },
      headers: { 'idempotency-key': 'one' },
    } as unknown as FastifyRequest;
    const me = { user: { id: 1 } } as unknown as Principal;
    let done = 0;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => once(pool, me, request, NOW, () => Promise.resolve({ done: (done += 1) }))),
    );
    expect(new Set(answers.map(({ answer }) => answer.done))).toEqual(new Set([1]));
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
  });

  it('own codes, loops and a hundred concurrent activations', async () => {
    const codes: string[] = [];
    for (const id of [1, 2, 3, 4]) codes.push(await makeCode(pool, id));
    const at = (index: number): string => codes[index] ?? '';
    expect(await activate(pool, 1, at(0))).toEqual('referral_own');
    // Everybody activates everybody's code at once: the result has no loop, and no user has two referrers.
    await Promise.all(Array.from({ length: 100 }, (_, i) => activate(pool, (i % 4) + 1, at((i * 7 + 1) % 4))));
    const bound = new Map(
      (await sql<{ user_id: number; referrer_id: number }>('select user_id, referrer_id from referral')).map((row) => [
        row.user_id,
        row.referrer_id,
      ]),
    );
    expect(bound.size).toBeGreaterThan(0);
    for (const start of bound.keys()) {
      const seen = new Set<number>();
      for (let user: number | undefined = start; user !== undefined; user = bound.get(user)) {
        expect(seen.has(user)).toBe(false);
        seen.add(user);
      }
    }
    await sql('delete from referral');
    const many = await Promise.all(Array.from({ length: 100 }, () => activate(pool, 1, at(1))));
    expect(many.filter((refused) => refused === null)).toHaveLength(1);
  });

  it('closing days in any order, or concurrently, gives the same result', async () => {
    const shares = fc.array(
      fc.record({
        account: fc.integer({ min: 1, max: 4 }),
        day: fc.integer({ min: 0, max: 3 }),
        hour: fc.integer({ min: 0, max: 23 }),
        accepted: fc.double({ min: 1, max: 1e13, noNaN: true }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 });
    const state = async () => [
      await sql(
        `select sub_account_id, algorithm, day, gross_sat, fee_sat, referral_sat, net_sat
         from earning
         order by 1, 2, 3`,
      ),
      await sql('select party, sub_account_id, user_id, kind, amount_sat, ref from ledger order by 1, 2, 3, 6'),
    ];
    const empty = (...tables: string[]): Promise<unknown> =>
      pool.query(
        `set session_replication_role to replica;
         ${tables.map((table) => `delete from ${table};`).join('')}
         set session_replication_role to origin`,
      );
    const clear = () => empty('balance', 'earning', 'ledger', 'referral_accrual', 'day_price', 'setting');
    await fc.assert(
      fc.asyncProperty(shares, orders, fc.integer({ min: 1, max: 4 }), async (given, order, referred) => {
        await empty('account_1m', 'account_10m', 'account_1h', 'account_1d', 'referral');
        await clear();
        if (referred > 1)
          await pool.query("insert into referral (user_id, referrer_id, activated_at) values ($1, 1, '2026-11-01')", [
            referred,
          ]);
        for (const { account, day, hour, accepted } of given)
          await work([{ subAccountId: account, at: startOfDay(addDays(DAY, day)) + hour * 3600, accepted }]);
        for (const day of order) await closeDays(pool, TERMS, NOW, addDays(DAY, day));
        const one = await state();
        await clear();
        await Promise.all(order.map((day) => closeDays(pool, TERMS, NOW, addDays(DAY, day))));
        const two = await state();
        await clear();
        await closeDays(pool, TERMS, NOW);
        expect(two).toEqual(one);
        expect(await state()).toEqual(one);
        await expectZeroSum();
      }),
      { numRuns: process.env.HEAVY ? 500 : 6 },
    );
  }, 600_000);

  it('in any time zone of the database each hour belongs to one UTC day, once', async () => {
    await work([-1, 0, 23, 24].map((hour) => ({ at: startOfDay(DAY) + hour * 3600, accepted: 1e12 })));
    const otherZone = new pg.Pool({ ...pool.options, options: '-c timezone=Pacific/Kiritimati' });
    // `end` does not wait until the server has closed the connections: the removal of the database may reach one.
    otherZone.on('error', () => undefined);
    for (const day of [-1, 0, 1]) await closeDays(otherZone, TERMS, NOW, addDays(DAY, day));
    expect((await otherZone.query('show timezone')).rows).toEqual([{ TimeZone: 'Pacific/Kiritimati' }]);
    await otherZone.end();
    expect(await sql('select day, shares from earning order by day')).toEqual([
      { day: addDays(DAY, -1), shares: 1 },
      { day: DAY, shares: 2 },
      { day: addDays(DAY, 1), shares: 1 },
    ]);
  });
});
