/** A share is in one row of each step of its worker and of its account, for as long as the step is kept. */
import type { PoolClient } from 'pg';
import type { Share } from '../../stratum/ports';
import { addBuckets, minuteBuckets, STEPS } from './rollup';

const A = 'SHA256_ASICBOOST';
const T = Date.parse('2026-11-18T10:59:00Z') / 1000;
const share = (change: Partial<Share>): Share => ({
  subAccountId: 1,
  algorithm: A,
  worker: 'a',
  difficulty: 1,
  outcome: 'accepted',
  at: T * 1000,
  ...change,
});
const IDS = ['1 SHA256_ASICBOOST a', '1 SHA256_ASICBOOST b', '1 SCRYPT a', '2 SHA256_ASICBOOST a'];

type Written = { table: string; rows: unknown[][] };
/** What is written of the shares, by statement; `missing`: a worker without a number. */
async function written(shares: readonly Share[], { now = T, rows = 1000, missing = '' } = {}): Promise<Written[]> {
  const statements: Written[] = [];
  const client = {
    query: async (text: string, columns: unknown[][]) => {
      const table = /insert into (\w+)/.exec(text)?.[1] ?? '';
      statements.push({ table, rows: columns[0]!.map((_, row) => columns.map((column) => column[row])) });
    },
  } as unknown as PoolClient;
  const ids = new Map(IDS.map((key, at) => [key, 7 - at] as const).filter(([key]) => key !== missing));
  await addBuckets(client, minuteBuckets(shares), ids, { now, rows });
  return statements;
}
const of = (statements: readonly Written[], table: string) =>
  statements.filter((one) => one.table === table).flatMap(({ rows }) => rows);

test('shares of two minutes are one row of a longer step, and two where a step begins', async () => {
  const all = await written([
    share({ difficulty: 2 }),
    share({ difficulty: 3, at: (T - 60) * 1000 }),
    share({ difficulty: 5, at: (T + 60) * 1000 }),
    share({ difficulty: 7, outcome: 'stale' }),
    share({ difficulty: 11, outcome: 'rejected' }),
    share({ difficulty: 13, ownPool: true }),
  ]);
  const row = (at: number, ...sums: number[]) => [1, 7, at, ...sums];
  const last = row(T + 60, 5, 0, 0, 1, 0, 0);
  expect(of(all, 'share_1m')).toEqual([row(T - 60, 3, 0, 0, 1, 0, 0), row(T, 2, 7, 11, 1, 13, 1), last]);
  expect(of(all, 'share_10m')).toEqual([row(T - 540, 5, 7, 11, 2, 13, 1), last]);
  expect(of(all, 'share_1h')).toEqual([row(T - 3540, 5, 7, 11, 2, 13, 1), last]);
  expect(of(all, 'share_1d')).toEqual([row(T - 59 * 60 - 10 * 3600, 10, 7, 11, 3, 13, 1)]);
  for (const { name } of STEPS)
    expect(of(all, `account_${name}`)).toEqual(of(all, `share_${name}`).map(([, , ...sums]) => [1, A, ...sums]));
});

test.each(STEPS.filter(({ keep }) => keep < Infinity))(
  'a row of $name is written until its time is over',
  async (step) => {
    const at = T - (T % step.seconds);
    const tables = async (now: number) => (await written([share({})], { now })).map(({ table }) => table);
    expect(await tables(at + step.keep)).toContain(`share_${step.name}`);
    const later = await tables(at + step.keep + 1);
    expect(later).not.toContain(`share_${step.name}`);
    expect(later.slice(-1)).toEqual(['account_1d']);
  },
);

test('rows come by worker, or account, and time, whatever the order of the shares, and a part at a time', async () => {
  const shares = [2, 0, 1].flatMap((minute) =>
    [share({ worker: 'b' }), share({ subAccountId: 2 }), share({ algorithm: 'SCRYPT' }), share({})].map((one) => ({
      ...one,
      at: (T - minute * 60) * 1000,
    })),
  );
  const all = await written(shares, { rows: 5 });
  const minutes = [T - 120, T - 60, T];
  expect(of(all, 'share_1m').map(([, id, at]) => [id, at])).toEqual(
    [4, 5, 6, 7].flatMap((id) => minutes.map((at) => [id, at])),
  );
  expect(of(all, 'account_1m').map(([id, algorithm, at, , , , count]) => [id, algorithm, at, count])).toEqual([
    ...minutes.map((at) => [1, A, at, 2]),
    ...minutes.map((at) => [1, 'SCRYPT', at, 1]),
    ...minutes.map((at) => [2, A, at, 1]),
  ]);
  expect(all.filter(({ table }) => table === 'share_1m').map(({ rows }) => rows.length)).toEqual([5, 5, 2]);
});

test('a worker without a number has no row', async () => {
  const all = await written([share({}), share({ worker: 'b' })], { missing: '1 SHA256_ASICBOOST b' });
  expect(of(all, 'share_1d').map(([, id]) => id)).toStrictEqual([7]);
});

test('shares of a minute are added up for each upstream, and those that it did not get are credited', () => {
  const taken = (upstream: string, accepted: number) => ({ taken: { upstream, accepted } });
  const [bucket, ...others] = minuteBuckets([
    share({ difficulty: 2, ...taken('x', 4) }),
    share({ difficulty: 3, ...taken('x', 0) }),
    share({ difficulty: 5, ...taken('y', 5) }),
    share({ difficulty: 7, ...taken('x', 8) }),
    share({ difficulty: 9, at: T * 1000 + 59_999 }),
    share({ difficulty: 1, outcome: 'stale', ...taken('x', 4) }),
  ]);
  expect(others).toEqual([]);
  expect(bucket).toMatchObject({ accepted: 26, stale: 1, shares: 5, lastShareAt: T + 59 });
  expect(Object.fromEntries(bucket!.taken!)).toEqual({
    x: { accepted: 12, credited: 12, acceptedShares: 2, creditedShares: 3 },
    y: { accepted: 5, credited: 5, acceptedShares: 1, creditedShares: 1 },
  });
});
