/** When an account mined clearly less than usual: on whose side that was, and what it cost. */
import type { Dip } from '@pool/shared/api/contract';
import { testApp, type TestApp } from '../../testing/test-app';

const STEP = 600;
const now = Math.floor(Date.now() / 600_000) * STEP + 300;
const end = now - 300;
const SHA = 'SHA256_ASICBOOST';

let test: TestApp;
beforeAll(async () => {
  test = await testApp({ now: () => now });
});
afterAll(() => test.close());

it('names the side of each dip, newest first, and its cost to who may read payments', async () => {
  const owner = await test.person('owner');
  const { pool } = test.database;
  const at = (stepsAgo: number) => end - stepsAgo * STEP;
  const low = new Map([
    [100, 0.25],
    [60, 0.5],
    [59, 0.5],
    [20, 0],
  ]);
  await test.work(
    Array.from({ length: 140 }, (_, i) => i + 1).flatMap((ago) => {
      const accepted = 8e9 * (low.get(ago) ?? 1);
      return accepted > 0 ? [{ account: 'owner', worker: 'rig', at: at(ago), accepted, span: STEP }] : [];
    }),
  );
  await pool.query('update account_10m set shares = 1000');
  await pool.query(
    `insert into pool_outage (algorithm, why, since, until)
     values ($1, 'upstream', to_timestamp($2), to_timestamp($2 + 600))`,
    [SHA, at(100)],
  );
  await pool.query(
    `insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why, at)
     select $1, id, 'stratum+tcp://a.example:1', 'stratum+tcp://b.example:2', 'lost', to_timestamp($2)
     from sub_account where name = 'owner'`,
    [SHA, at(60) + 60],
  );
  const { body } = await owner.call('/api/dips');
  const dips = body as Dip[];
  expect(dips.map(({ lostSat, ...dip }) => dip)).toEqual([
    { at: at(20), until: at(19), side: 'miners' },
    { at: at(60), until: at(58), side: 'upstream' },
    { at: at(100), until: at(99), side: 'pool' },
  ]);
  // The steps missed 1, 1 and 0.75 of the usual hashrate.
  const [whole = 0, halves = 0, part = 0] = dips.map(({ lostSat }) => lostSat ?? 0);
  expect(whole).toBeGreaterThan(0);
  expect(Number.isInteger(whole)).toBe(true);
  expect(halves / whole).toBeCloseTo(1, 1);
  expect(part / whole).toBeCloseTo(0.75, 1);

  const link = await owner.post('/api/watchers', { name: 'link', scopes: ['hashrate'] });
  const { token } = link.body as { token: string };
  const seen = await test.visitor.call('/api/dips', { headers: { authorization: `Bearer ${token}` } });
  expect((seen.body as Dip[]).map(({ lostSat }) => lostSat)).toEqual([undefined, undefined, undefined]);
  // What another's link reaches is not this account.
  expect((await (await test.person('other')).call('/api/dips?userName=owner')).status).toBe(404);
});
