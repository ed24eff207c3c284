/** The hold of changes of where hashpower goes: what miners work for meanwhile, and how it ends. */
import { randomBytes } from 'node:crypto';
import type { PoolHold } from '@pool/shared/api/contract';
import pino from 'pino';
import { renewSecrets } from '../../../ops/sealed-secrets';
import { Secrets } from '../../../platform/secrets';
import { endHolds } from '../../../mining/upstreams/pool-hold';
import { allPools, pgPoolLists } from '../../../mining/upstreams/pool-lists';
import type { Answer, Person } from '../../testing/test-app';
import { add, BASE, KEYS, made, PASSWORD, PoolsTest } from '../../testing/pools';

const ALGORITHM = 'SHA256_ASICBOOST';
const THIEF = 'stratum+tcp://thief.example:3333';
let p: PoolsTest;
let pools: number[];
beforeAll(async () => {
  p = await PoolsTest.open();
});
afterAll(() => p.test.close());
beforeEach(async () => {
  await p.empty();
  await p.query('delete from pool_hold');
  pools = [await made(p.owner, 'One'), await made(p.owner, 'Two')];
  await add(p.owner, p.account, pools[0] ?? 0);
  for (const id of pools) await add(p.owner, p.second, id);
  // These lists have been there for long.
  await p.query('delete from notification');
  await hold('PUT', { on: true });
});

async function hold(method: 'GET' | 'PUT' | 'DELETE' = 'GET', body?: object, who = p.owner): Promise<PoolHold> {
  const answer = await who.call('/api/poolHold', { method, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as PoolHold;
}
/** What the proxy reads. */
const inForce = async (account = p.account, secrets = p.secrets) =>
  (await pgPoolLists(p.test.database.pool, secrets, p.changes, pino({ level: 'silent' })).find(account, ALGORITHM)).map(
    ({ name, url, user, password }) => [name, url, user, password].join(' '),
  );
const edited = async (account: number) => (await p.read(account)).map(({ name, url }) => `${name} ${url}`);
const own = (name: string) => `${name} ${BASE.url} ${BASE.user} ${PASSWORD}`;
const replace = async (account: number, ...ids: number[]): Promise<void> => {
  const body = { algo: ALGORITHM, configs: ids.map((poolConfigId) => ({ poolConfigId })) };
  const answer = await p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${account}`, body);
  expect(answer.status).toBe(200);
};
const edit = (id: number, body: object): Promise<Answer> => p.owner.put(`/api/poolConfigs/${id}`, body);
const hoursLeft = ({ until, offAt }: PoolHold, of: 'until' | 'offAt' = 'until') =>
  Math.round((Date.parse({ until, offAt }[of] ?? '') - Date.now()) / 3_600_000);
const warnings = async () =>
  await p.query<{ id: number; kind: string; values: Record<string, unknown> }>(
    'select id, kind, values from notification order by id desc',
  );
/** Everything a thief would change. */
async function steal(): Promise<void> {
  const thief = await made(p.owner, 'Thief', { url: THIEF });
  await replace(p.account, thief);
  expect((await edit(pools[1] ?? 0, { url: THIEF, password: 'thief' })).status).toBe(200);
  await replace(p.second, thief);
  for (const id of pools) expect((await p.owner.del(`/api/poolConfigs/${id}`)).status).toBe(200);
  await made(p.owner, 'One', { url: THIEF });
}
const lists = () => Promise.all([p.account, p.second].map((account) => inForce(account)));
const before = () => [[own('One')], [own('One'), own('Two')]];

it('until its end miners work by the lists and pools of before; then by the new ones', async () => {
  const kept = await allPools(p.test.database.pool);
  expect(await hold()).toEqual({ on: true, hours: 72, offAt: null, until: null, inForce: [] });
  await steal();
  expect(await lists()).toEqual(before());
  expect(await allPools(p.test.database.pool)).toEqual(kept);
  expect(await edited(p.account)).toEqual([`Thief ${THIEF}`]);
  const held = await hold();
  expect(hoursLeft(held)).toBe(72);
  expect(held.inForce.map(({ subAccountId, name }) => [subAccountId, name])).toEqual([
    [p.account, 'One'],
    [p.second, 'One'],
    [p.second, 'Two'],
  ]);
  const [warning] = await warnings();
  expect(warning).toMatchObject({
    kind: 'pools_held',
    values: { account: 'owner-two', pool: 'Thief', until: held.until },
  });

  // A further change starts the time again and keeps the lists.
  await p.query("update pool_hold set until = now() + interval '1 hour'");
  await replace(p.account);
  expect(hoursLeft(await hold())).toBe(72);
  expect(await lists()).toEqual(before());

  await p.query("update pool_hold set until = now() - interval '1 second'");
  expect(await lists()).toEqual([[], [`Thief ${THIEF} ${BASE.user} ${PASSWORD}`]]);
  expect(await hold()).toMatchObject({ on: true, until: null, inForce: [] });
  const [over] = await endHolds(p.test.database.pool);
  expect(over?.subAccountIds.toSorted((a, b) => a - b)).toEqual([p.account, p.second]);
  expect(await p.query('select id from held_pool')).toEqual([]);
  expect(await endHolds(p.test.database.pool)).toEqual([]);
});

it('a new name, and a change of a pool in no list, are not held', async () => {
  await edit(pools[0] ?? 0, { name: 'Uno' });
  await edit(await made(p.owner, 'Three'), { url: THIEF, password: 'x' });
  expect((await hold()).until).toBeNull();
});

it('a place that is not in force shows no state of the pool that is', async () => {
  const [place] = await p.read(p.account);
  const status = { state: 'active' as const, latencyMs: 5, lastError: null, lastSwitchAt: null, rejectRate: null };
  p.status.set(place?.id ?? 0, status);
  expect((await p.read(p.account))[0]).toMatchObject({ state: 'active' });
  await edit(pools[0] ?? 0, { url: THIEF, password: 'thief' });
  expect((await p.read(p.account))[0]).toMatchObject({ url: THIEF, state: 'standby', latencyMs: null });
});

it.each(['cancelled', 'taken back by the first of its warnings'])(
  '%s in an old session, everything is as before, pools that are gone too',
  async (how) => {
    await steal();
    const told = p.told.length;
    const old: Person = await p.test.oldSession('owner');
    if (how === 'cancelled') await hold('DELETE', undefined, old);
    else {
      const body = { notification: (await warnings()).at(-1)?.id };
      expect((await old.post('/api/subAccountPoolConfigs/undo', body)).status).toBe(200);
    }
    expect(p.told[told]?.toSorted((a, b) => a - b)).toEqual([p.account, p.second]);
    expect(await hold()).toMatchObject({ on: true, until: null });
    // The thief has taken the name of the pool that was gone.
    const [one = ''] = await edited(p.account);
    expect(one).toBe(`One ${pools[0]} ${BASE.url}`);
    expect(await edited(p.second)).toEqual([one, `Two ${BASE.url}`]);
    expect((await inForce(p.second)).map((line) => line.split(' ').at(-1))).toEqual([PASSWORD, PASSWORD]);
    expect((await warnings()).every(({ kind, values }) => kind !== 'pools_held' || values.undone === 1)).toBe(true);
    expect((await p.owner.del('/api/poolHold')).code).toBe('no_pending_change');
    expect(await p.query('select id from held_pool')).toEqual([]);
  },
);

it('an old session keeps no list in force that was itself changed of late, when its owner takes that back', async () => {
  const thief: Person = await p.test.oldSession('owner');
  await steal();
  await p.query('update pool_hold set since = null, until = null');
  await endHolds(p.test.database.pool);
  await p.query('delete from held_pool');
  await p.query("update notification set created_at = created_at - interval '5 days'");
  const stolen = await lists();
  await replace(p.second, await made(p.owner, 'Mine'));
  expect((await thief.del('/api/poolHold')).code).toBe('reverification_required');
  const [answer] = await warnings();
  const undo = { method: 'POST' as const, body: { notification: answer?.id } };
  expect((await thief.call('/api/subAccountPoolConfigs/undo', undo)).code).toBe('reverification_required');
  expect([await edited(p.second), await lists()]).toEqual([[`Mine ${BASE.url}`], stolen]);
  expect((await p.owner.del('/api/poolHold')).status).toBe(200);
});

it('a change in force is taken back with what is held, though its thief has turned the hold on since', async () => {
  await p.query('delete from pool_hold');
  const thief = await made(p.owner, 'Thief', { url: THIEF });
  await replace(p.account, thief);
  const [warning] = await warnings();
  await hold('PUT', { on: true });
  await replace(p.second, thief);
  const body = { notification: warning?.id };
  expect((await p.owner.post('/api/subAccountPoolConfigs/undo', body)).status).toBe(200);
  expect([await lists(), (await hold()).until]).toEqual([before(), null]);
});

it('turning it off needs a recent sign-in and waits as long, with changes held; it can be kept on', async () => {
  const old = await p.test.oldSession('owner');
  expect((await old.put('/api/poolHold', { on: false })).code).toBe('reverification_required');
  const off = await hold('PUT', { on: false });
  expect([off.on, hoursLeft(off, 'offAt')]).toEqual([true, 72]);
  expect((await warnings())[0]).toMatchObject({ kind: 'pool_hold_off', values: { until: off.offAt } });
  expect((await hold('PUT', { on: false })).offAt).toBe(off.offAt);
  await steal();
  expect(await lists()).toEqual(before());
  expect(await hold('PUT', { on: true }, old)).toMatchObject({ on: true, offAt: null, until: expect.any(String) });

  // It ends with the change that is held, not before.
  await hold('PUT', { on: false });
  await p.query("update pool_hold set off_at = now() - interval '1 second'");
  expect(await endHolds(p.test.database.pool)).toEqual([]);
  expect(await lists()).toEqual(before());
  expect(await hold()).toMatchObject({ on: false, until: expect.any(String) });
  await p.query('update pool_hold set until = now()');
  expect(await endHolds(p.test.database.pool)).toHaveLength(1);
  expect(await p.query('select user_id from pool_hold')).toEqual([]);
  await replace(p.second);
  expect(await inForce(p.second)).toEqual([]);
  expect(await hold()).toEqual({ on: false, hours: 72, offAt: null, until: null, inForce: [] });
});

it('a sub-account that is gone stays gone; one that is new has no pools until the end', async () => {
  const made2 = (await p.owner.post('/api/subAccounts/', { name: 'owner-three' })).body as {
    id: number;
  };
  await add(p.owner, made2.id, pools[0] ?? 0);
  expect(await inForce(made2.id)).toEqual([]);
  await p.query('update sub_account set deleted_at = now() where id = $1', [p.second]);
  await p.query('delete from sub_account_pool_config where sub_account_id = $1', [p.second]);
  expect(await inForce(p.second)).toEqual([]);
  await hold('DELETE');
  expect(await edited(made2.id)).toEqual([]);
  expect(await p.query('select id from sub_account_pool_config where sub_account_id = $1', [p.second])).toEqual([]);
  await p.query('update sub_account set deleted_at = null where id = $1', [p.second]);
});

it('another key encrypts the passwords of the lists in force too; a closed account has none', async () => {
  await steal();
  const secrets = new Secrets([randomBytes(32), KEYS[0]]);
  expect(await renewSecrets(p.test.database.pool, secrets)).toBe(5);
  expect(await inForce(p.account, secrets)).toEqual([own('One')]);
  const leaver = await p.test.person('leaver');
  const { id } = (await p.query<{ id: number }>("select id from sub_account where name = 'leaver'"))[0] ?? { id: 0 };
  await leaver.put('/api/poolHold', { on: true });
  await add(leaver, id, await made(leaver, 'Leaving'));
  await add(leaver, id, await made(leaver, 'Later'));
  const owned = () =>
    p.query('select h.id from held_pool h join app_user u on u.id = h.user_id where u.user_name = $1', ['leaver']);
  expect(await owned()).toEqual([]);
  await p.query('update pool_hold set until = null');
  await add(leaver, id, await made(leaver, 'Last'));
  expect(await owned()).toHaveLength(2);
  const closed = await leaver.del('/api/account');
  expect([closed.status, closed.text]).toEqual([200, expect.any(String)]);
  expect(await owned()).toEqual([]);
});
