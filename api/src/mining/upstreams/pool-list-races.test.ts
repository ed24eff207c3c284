/** Concurrent edits of upstream lists on a real PostgreSQL: the embedded database is one session and has no races. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/db/database';
import { transaction, type Run } from '../../platform/db/transaction';
import { postgresDatabase } from '../../platform/db/testing/postgres';
import { Secrets } from '../../platform/secrets';
import { createUser } from '../../accounts/accounts';
import { changePoolConfig, deletePoolConfig, makePoolConfig, MAX_POOL_CONFIGS, poolConfigsOf } from './pool-configs';
import { cancelHeld, endHolds, type Owner, setPoolHold } from './pool-hold';
import { placesOf } from './pool-lists';
import { addPlace, MAX_IN_LIST, removePlace, reorder, replaceList } from './pool-list-edit';
import { Refused } from '../../platform/refused';

const ALGORITHM = 'SHA256_ASICBOOST';
const secrets = new Secrets([randomBytes(32)]);
let database: Database;
let owner: Owner;
let account: number;

beforeAll(async () => {
  database = await postgresDatabase();
  const user = await createUser(database.pool, { identityId: 'user_1', userName: 'owner', email: null });
  owner = { id: user.id, ip: '127.0.0.1', holdHours: 72 };
  account = (await database.pool.query<{ id: number }>('select id from sub_account')).rows[0]?.id ?? 0;
});
afterAll(() => database.close());
const run: Run = (work) => transaction(database.pool, work);

const save = (name: string) =>
  makePoolConfig(database.pool, secrets, owner, {
    name,
    algorithm: ALGORITHM,
    url: 'stratum+tcp://pool.example:3333',
    user: 'u',
    password: 'p',
  });
/** `ok`, or the code of the refusal; anything else fails the test. */
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Refused) return error.code;
      throw error;
    },
  );
const count = (all: readonly string[]) =>
  Object.fromEntries([...new Set(all)].sort().map((word) => [word, all.filter((other) => other === word).length]));
const priorities = async () => (await placesOf(database.pool, owner.id, account)).map((row) => row.priority);

test('60 concurrent saves: 50 succeed; 10 of one name: one succeeds', async () => {
  const same = await Promise.all(Array.from({ length: 10 }, () => outcome(save('Same'))));
  expect(count(same)).toEqual({ ok: 1, pool_name_taken: 9 });
  const all = await Promise.all(Array.from({ length: 60 }, (_, n) => outcome(save(`Pool ${n}`))));
  expect(count(all)).toEqual({ ok: MAX_POOL_CONFIGS - 1, too_many_pools: 61 - MAX_POOL_CONFIGS });
});

test('15 concurrent additions to a list: ten succeed; concurrent removals leave no gap', async () => {
  const pools = (await poolConfigsOf(database.pool, owner.id)).slice(0, 15);
  const all = await Promise.all(
    pools.map(({ id }) => outcome(addPlace(run, owner, account, { poolConfigId: id, enabled: true }))),
  );
  expect(count(all)).toEqual({ list_full: 5, ok: MAX_IN_LIST });
  expect(await priorities()).toEqual(Array.from({ length: MAX_IN_LIST }, (_, i) => i + 1));
  const places = (await placesOf(database.pool, owner.id, account)).slice(2, 8);
  const gone = await Promise.all([...places, ...places].map(({ id }) => outcome(removePlace(run, owner, id))));
  expect(count(gone)).toEqual({ not_found: 6, ok: 6 });
  expect(await priorities()).toEqual([1, 2, 3, 4]);
});

test('concurrent reorders and removals: each is complete or refused, places stay 1 to n', async () => {
  const ids = (await placesOf(database.pool, owner.id, account)).map((row) => row.id);
  const [first = 0] = ids;
  const orders = Array.from({ length: 12 }, (_, i) => [...ids.slice(i % 4), ...ids.slice(0, i % 4)]);
  const work = [
    ...orders.slice(0, 6).map((order) => outcome(reorder(run, owner, account, ALGORITHM, order))),
    outcome(removePlace(run, owner, first)),
    ...orders.slice(6).map((order) => outcome(reorder(run, owner, account, ALGORITHM, order))),
  ];
  const { ok = 0, not_the_list: refused = 0 } = count(await Promise.all(work));
  expect(ok + refused).toBe(13);
  expect(ok).toBeGreaterThanOrEqual(1);
  expect(await priorities()).toEqual([1, 2, 3]);
});

test('deleting a pool while adding it to a list: one of the two succeeds, never both', async () => {
  await replaceList(run, owner, account, ALGORITHM, []);
  for (const { id } of (await poolConfigsOf(database.pool, owner.id)).slice(0, 10)) {
    const both = await Promise.all([
      outcome(addPlace(run, owner, account, { poolConfigId: id, enabled: true })),
      outcome(deletePoolConfig(database.pool, owner, id)),
    ]);
    expect([
      ['ok', 'pool_in_use'],
      ['not_found', 'ok'],
    ]).toContainEqual(both);
  }
  const { rows } = await database.pool.query(
    'select 1 from sub_account_pool_config c left join pool_config p on p.id = c.pool_config_id where p.id is null',
  );
  expect(rows).toEqual([]);
});

test('changes of two lists and their pools, cancelled and held again all at once: what is in force stays', async () => {
  const { pool } = database;
  await pool.query("insert into sub_account (user_id, name) values ($1, 'second')", [owner.id]);
  const accounts = (await pool.query<{ id: number }>('select id from sub_account order by id')).rows.map(
    ({ id }) => id,
  );
  await pool.query('truncate sub_account_pool_config, pool_config');
  const first = (await save('First')).id;
  const ids = [first, (await save('Second')).id];
  for (const id of accounts) await addPlace(run, owner, id, { poolConfigId: first, enabled: true });
  await setPoolHold(pool, owner, true);
  const read = async () => (await pool.query('select * from pool_in_force order by id')).rows;
  const before = await read();
  expect(before).toHaveLength(2);
  const configs = ids.map((poolConfigId) => ({ poolConfigId, enabled: true }));
  const cancel = () => transaction(pool, (client) => cancelHeld(client, owner, true));
  const edits = (n: number): Promise<unknown>[] => [
    ...accounts.map((id) => replaceList(run, owner, id, ALGORITHM, n % 2 ? configs : configs.toReversed())),
    changePoolConfig(run, secrets, owner, first, { url: `stratum+tcp://thief.example:${4000 + n}`, password: 'x' }),
    cancel(),
    endHolds(pool),
    read().then((now) => expect(now).toEqual(before)),
  ];
  const refused = await Promise.all(
    Array.from({ length: 25 }, (_, n) => edits(n))
      .flat()
      .map(outcome),
  );
  expect(count(refused)).toEqual({ ok: 25 * (accounts.length + 4) });
  expect(await read()).toEqual(before);
  await cancel();
  expect((await pool.query('select * from edited_pool order by id')).rows).toEqual(before);
});
