/** Work for users' own upstream pools: it shows in their own charts and earns nothing here. */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { estimateOpenDays } from '../payouts/balance';
import { history, windows } from '../../mining/shares/charts';
import { closeDays } from './earnings';
import { countBatch } from '../../mining/shares/count-batch';
import { decodeShare, encodeShare } from '../../mining/shares/journal/share-line';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { minuteBuckets } from '../../mining/shares/rollup';
import { poolStatistics } from './statistics';
import { transaction } from '../../platform/db/transaction';
import type { Share } from '../../stratum/ports';

const ALGORITHM = 'SHA256_ASICBOOST';
const NOW = Math.floor(Date.now() / 1000);
// More than 24 h ago at any time of the day.
const DAY = addDays(dayOf(NOW), -2);
const database = databaseOfFile();
let sequence = 0;

const share = (change: Partial<Share>): Share => ({
  subAccountId: 1,
  algorithm: ALGORITHM,
  worker: 'rig',
  difficulty: 1e9,
  outcome: 'accepted',
  at: NOW * 1000,
  ...change,
});
const count = (...shares: Share[]) =>
  transaction(database.pool, (client) =>
    countBatch(client, { proxyId: 'test', sequence: (sequence += 1) }, minuteBuckets(shares)),
  );

beforeAll(async () => {
  await database.pool.query(
    "insert into app_user (id, identity_id, user_name) values (1, 'a', 'alice'), (2, 'b', 'bob')",
  );
  await database.pool.query("insert into sub_account (id, user_id, name) values (1, 1, 'alice'), (2, 2, 'bob')");
});

it('marks work for an own pool in the journal', () => {
  for (const one of [share({}), share({ ownPool: true })]) expect(decodeShare(encodeShare(one))).toEqual(one);
  // A journal line of a version without own pools.
  expect(decodeShare(JSON.stringify([NOW * 1000, 1, ALGORITHM, 'rig', 'accepted', 1e9]))).toEqual(share({}));
});

it("shows own work in the account's and the worker's charts, not in the pool's, and pays nothing for it", async () => {
  const noon = startOfDay(DAY) + 43_200;
  // Two shares of alice go to her own pool, at difficulty 1e18; one of hers and one of bob's go to the pool's upstream.
  for (const at of [noon * 1000, NOW * 1000])
    await count(
      share({ ownPool: true, difficulty: 1e18, at }),
      share({ ownPool: true, difficulty: 1e18, at: at + 1 }),
      share({ at }),
      share({ subAccountId: 2, at }),
    );
  const { pool } = database;
  const { rows } = await pool.query(
    `select sub_account_id as id, sum(accepted) as accepted, sum(shares)::int as shares,
       sum(own_accepted) as own, sum(own_shares)::int as "ownShares"
     from account_1h
     group by 1
     order by 1`,
  );
  expect(rows).toEqual([
    { id: 1, accepted: 2e9, shares: 2, own: 4e18, ownShares: 4 },
    { id: 2, accepted: 2e9, shares: 2, own: 0, ownShares: 0 },
  ]);
  const { rows: ofWorker } = await pool.query(
    `select sum(shares)::int as shares, sum(accepted) as accepted
     from share_1h s
     join worker w on w.id = s.worker_id
     where w.sub_account_id = 1`,
  );
  expect(ofWorker).toEqual([{ shares: 6, accepted: 4e18 + 2e9 }]);

  expect((await windows(pool, { of: 'accounts', ids: [1], algorithm: ALGORITHM }, NOW)).quality).toMatchObject({
    accepted: expect.closeTo(2e18 + 1e9, -10),
    shares: 3,
  });
  expect((await windows(pool, { of: 'pool', algorithm: ALGORITHM }, NOW)).quality).toMatchObject({
    accepted: 2e9,
    shares: 2,
  });
  const highest = async (source: Parameters<typeof history>[1]) =>
    Math.max(...(await history(pool, source, 'd7', NOW + 3600)).accepted.map((rate) => rate ?? 0));
  expect(await highest({ of: 'accounts', ids: [1], algorithm: ALGORITHM })).toBeGreaterThan(
    1e6 * (await highest({ of: 'pool', algorithm: ALGORITHM })),
  );
  const [statistics] = await poolStatistics(pool, NOW);
  expect(statistics?.hashrate).toBeLessThan(1e18);

  await closeDays(pool, { poolFeePercent: 1.5 }, NOW, DAY);
  const { rows: earned } = await pool.query(
    'select sub_account_id as id, work, shares, gross_sat from earning order by 1',
  );
  expect(earned).toEqual([
    { id: 1, work: 1e9, shares: 1, gross_sat: earned[1]?.gross_sat },
    { id: 2, work: 1e9, shares: 1, gross_sat: earned[1]?.gross_sat },
  ]);
  const accounts = [1, 2].map((id) => ({
    id,
    name: `${id}`,
    userId: id,
    thresholdSat: 1,
    feePercent: 1.5,
    btcAddress: null,
    addressHoldUntil: null,
    payoutPaused: false,
  }));
  const [first, second] = await estimateOpenDays(pool, accounts, NOW);
  expect(first?.grossSat).toBe(second?.grossSat);
});
