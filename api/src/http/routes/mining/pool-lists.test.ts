/** Upstream lists of sub-accounts over HTTP, and attacks on them. */
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import type { PoolHold, ShownFacts } from '@pool/shared/api/contract';
import { ownerOf } from '../../../mining/upstreams/pool-configs';
import { endHolds } from '../../../mining/upstreams/pool-hold';
import { allPools, pgPoolLists } from '../../../mining/upstreams/pool-lists';
import { renewSecrets } from '../../../ops/sealed-secrets';
import { Secrets } from '../../../platform/secrets';
import type { PoolStatus } from '../../../stratum/ports';
import { add, BASE, KEYS, list, made, PASSWORD, PoolsTest } from '../../testing/pools';
import type { Answer, Person } from '../../testing/test-app';

let p: PoolsTest;
beforeAll(async () => {
  p = await PoolsTest.open();
});
beforeEach(() => p.empty());
afterAll(() => p.test.close());

describe('lists of pools', () => {
  const reorder = (who: Person, entries: { id: number; algo?: string; subAccountId?: number }[]): Promise<Answer> =>
    who.put('/api/subAccountPoolConfigs/reorder', {
      reorderedConfigs: entries.map((entry) => ({ algo: 'SHA256_ASICBOOST', subAccountId: p.account, ...entry })),
    });

  describe('the lists', () => {
    let pools: number[];
    beforeEach(async () => {
      pools = [
        await made(p.owner, 'One'),
        await made(p.owner, 'Two'),
        await made(p.owner, 'Three'),
        await made(p.owner, 'Scrypt', { algorithm: 'SCRYPT' }),
      ];
      for (const id of pools) await add(p.owner, p.account, id);
    });
    const names = async () =>
      (await p.read(p.account)).map(({ algo, priority, name }) => `${algo} ${priority} ${name}`);
    const SCRYPT = 'SCRYPT 1 Scrypt';
    const order = async (...wanted: string[]) =>
      expect(await names()).toEqual([SCRYPT, ...wanted.map((name, i) => `SHA256_ASICBOOST ${i + 1} ${name}`)]);

    it('are per algorithm, in order, and all of them without a sub-account', async () => {
      await order('One', 'Two', 'Three');
      await add(p.owner, p.second, pools[0] ?? 0);
      expect(list(await p.owner.call('/api/subAccountPoolConfigs'))).toHaveLength(5);
      expect((await p.stranger.call('/api/subAccountPoolConfigs')).body).toEqual([]);
      expect(p.told).toHaveLength(5);
      expect(p.told.at(-1)).toEqual([p.second]);
    });

    it('say where their miners went and why, by the names of the pools; the default list only where it is used', async () => {
      await p.query('delete from upstream_switch');
      const switched = (
        algorithm: string,
        account: number | null,
        from: string | null,
        to: string | null,
        why: string,
        ago = 0,
      ) =>
        p.query(
          `insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why, at)
         values ($1, $2, $3, $4, $5, now() - make_interval(hours => $6))`,
          [algorithm, account, from, to, why, ago],
        );
      const other = 'stratum+ssl://gone.example:443';
      await switched('SHA256_ASICBOOST', p.account, BASE.url, other, 'lost', 3);
      await switched('SHA256_ASICBOOST', p.account, other, null, 'silent', 2);
      await switched('SHA256_ASICBOOST', null, 'stratum+tcp://default.example:1', null, 'lost', 1);
      await switched('SHA256_ASICBOOST', p.foreignAccount, other, null, 'lost', 1);
      await switched('SHA256_ASICBOOST', p.account, null, BASE.url, 'restored', 25);
      const log = (name: string, who = p.owner): Promise<Answer> => who.call(`/api/upstreamSwitches?userName=${name}`);
      expect((await log('owner')).body).toEqual([
        expect.objectContaining({ from: 'gone.example:443', to: null, why: 'silent', algorithm: 'SHA256_ASICBOOST' }),
        expect.objectContaining({ from: 'One', to: 'gone.example:443', why: 'lost', at: expect.any(Number) }),
      ]);
      expect((await log('owner-two')).body).toEqual([expect.objectContaining({ from: 'default.example:1', to: null })]);
      expect((await log('owner', p.stranger)).status).toBe(404);
    });

    type Warning = { id: number; kind: string; values: Record<string, string | number>; path: string };
    const warnings = async (): Promise<Warning[]> => {
      const { body } = await p.owner.call('/api/notifications');
      return (body as { notifications: Warning[] }).notifications.filter(({ kind }) => kind.startsWith('pools_'));
    };
    const undo = (who: Person, notification?: number) => who.post('/api/subAccountPoolConfigs/undo', { notification });
    const replace = (...configs: object[]) =>
      p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, { algo: 'SHA256_ASICBOOST', configs });

    it('that send the miners elsewhere warn their owner, who takes the change back once, also in an old session', async () => {
      await p.query('delete from notification');
      const own = await p.read(p.account);
      const thief = await made(p.owner, 'Thief');
      await add(p.owner, p.account, thief);
      expect(await warnings()).toEqual([]);
      const { pool } = p.test.database;
      await pool.query(
        "update identity_user set email = 'owner@pool.test', email_verified_at = now(), language = 'fr' where user_name = 'owner'",
      );
      await replace({ poolConfigId: thief });
      const [warning] = await warnings();
      expect(warning).toMatchObject({
        kind: 'pools_changed',
        values: { account: 'owner', algorithm: 'SHA256_ASICBOOST', pool: 'Thief' },
      });
      // The language is the owner's, whatever the caller's is.
      const { rows: mails } = await pool.query("select target, content::json->>'text' as text from outbox");
      expect(mails).toEqual([
        { target: 'owner@pool.test', text: expect.stringMatching(/owner.*Thief[^]*vous/) as string },
      ]);
      expect((await undo(p.stranger, warning?.id)).status).toBe(404);
      const told = p.told.length;
      expect((await undo(await p.test.oldSession('owner'), warning?.id)).status).toBe(200);
      await order('One', 'Two', 'Three', 'Thief');
      expect((await p.read(p.account)).slice(0, own.length).map(({ enabled }) => enabled)).toEqual(
        own.map(({ enabled }) => enabled),
      );
      expect(p.told.slice(told)).toEqual([[p.account]]);
      expect((await undo(p.owner, warning?.id)).status).toBe(404);
      expect(await warnings()).toHaveLength(1);
    });

    it("that the owner has put back are not taken back by the thief's old session", async () => {
      const own = (await p.read(p.account))
        .filter(({ algo }) => algo === 'SHA256_ASICBOOST')
        .map(({ poolConfigId, enabled }) => ({ poolConfigId, enabled }));
      await replace({ poolConfigId: await made(p.owner, 'Thief') });
      await replace(...own);
      const [back] = await warnings();
      const session = await p.test.oldSession('owner');
      expect((await undo(session, back?.id)).code).toBe('reverification_required');
      await order('One', 'Two', 'Three');
    });

    it("that are empty, the pool's own upstream, are taken back without a pool that is gone", async () => {
      await replace();
      await p.owner.del(`/api/poolConfigs/${pools[1]}`);
      const [gone] = await warnings();
      expect(gone).toMatchObject({ kind: 'pools_default', values: { pool: '' } });
      expect((await undo(p.owner, gone?.id)).status).toBe(200);
      await order('One', 'Three');
    });

    it('with a pool that got another address have it off, and the next in use, when that is taken back', async () => {
      await p.owner.put(`/api/poolConfigs/${pools[0]}`, {
        url: 'stratum+tcp://thief.example:3333',
        password: PASSWORD,
      });
      const [moved] = await warnings();
      expect(moved).toMatchObject({ kind: 'pools_changed', values: { pool: 'One' } });
      await undo(p.owner, moved?.id);
      expect((await p.read(p.account)).filter(({ enabled }) => !enabled).map(({ name }) => name)).toEqual(['One']);
    });

    it('can be enabled, reordered, shortened and replaced', async () => {
      const [, one, two, three] = await p.read(p.account);
      const put = (id: number | undefined, body: object) => p.owner.put(`/api/subAccountPoolConfigs/${id}`, body);
      expect(list(await put(two?.id, { enabled: false })).find((row) => row.id === two?.id)).toMatchObject({
        enabled: false,
        state: 'disabled',
        priority: 2,
      });
      expect((await add(p.owner, p.account, pools[0] ?? 0)).code).toBe('pool_in_list');
      await put(three?.id, { priority: 1 });
      await order('Three', 'One', 'Two');
      await put(three?.id, { priority: 50 });
      await order('One', 'Two', 'Three');
      await p.owner.del(`/api/subAccountPoolConfigs/${one?.id}`);
      await order('Two', 'Three');
      const replaced = await replace({ poolConfigId: pools[2] }, { poolConfigId: pools[0], enabled: false });
      expect(list(replaced).find((row) => row.name === 'Three')?.id).toBe(three?.id);
      await order('Three', 'One');
      expect((await replace({ poolConfigId: pools[3] })).code).toBe('not_the_list');
      await order('Three', 'One');
      await replace();
      await order();
      expect(
        (
          await p.query<{ action: string }>(
            "select distinct action from audit where action like 'pool_list.%' order by 1",
          )
        ).map((row) => row.action),
      ).toEqual(['pool_list.add', 'pool_list.change', 'pool_list.remove', 'pool_list.replace', 'pool_list.undo']);
    });

    it('a new order is exactly the pools of the list, else it is refused', async () => {
      const [scrypt, one, two, three] = (await p.read(p.account)).map(({ id }) => id);
      const foreignPool = await made(p.stranger, 'Foreign');
      const [foreign] = list(await add(p.stranger, p.foreignAccount, foreignPool)).map(({ id }) => id);
      if (!scrypt || !one || !two || !three || !foreign) throw new Error('lists');
      for (const ids of [
        [one, two],
        [one, two, foreign],
        [one, two, three, three],
        [one, two, scrypt],
      ]) {
        const refused = await reorder(
          p.owner,
          ids.map((id) => ({ id })),
        );
        expect([ids, refused.status, refused.code]).toEqual([ids, 409, 'not_the_list']);
      }
      expect((await reorder(p.owner, [{ id: one }, { id: two }, { id: three, subAccountId: p.second }])).code).toBe(
        'not_the_list',
      );
      expect((await reorder(p.owner, [{ id: one }, { id: two }, { id: three, algo: 'SCRYPT' }])).code).toBe(
        'not_the_list',
      );
      const notMine = [{ id: foreign, subAccountId: p.foreignAccount }];
      expect((await reorder(p.owner, notMine)).text).toBe(
        (await reorder(p.owner, [{ id: foreign, subAccountId: 999_999 }])).text,
      );
      expect((await reorder(p.owner, notMine)).status).toBe(404);
      expect((await reorder(p.owner, [])).status).toBe(400);
      await order('One', 'Two', 'Three');
      p.told.length = 0;
      expect((await reorder(p.owner, [{ id: three }, { id: one }, { id: two }])).status).toBe(200);
      await order('Three', 'One', 'Two');
      expect(p.told).toEqual([[p.account]]);
    });

    it('a list and its pools must have one owner', async () => {
      const foreignPool = await made(p.stranger, 'Foreign');
      expect((await add(p.owner, p.account, foreignPool)).status).toBe(404);
      expect((await add(p.owner, p.foreignAccount, pools[0] ?? 0)).status).toBe(404);
      expect((await add(p.stranger, p.foreignAccount, pools[0] ?? 0)).status).toBe(404);
      expect((await replace({ poolConfigId: foreignPool })).status).toBe(404);
      await order('One', 'Two', 'Three');
      expect(
        await p.query('select 1 from sub_account_pool_config where sub_account_id = $1', [p.foreignAccount]),
      ).toEqual([]);
    });

    it('include the state of each pool', async () => {
      const [, one, two, three] = await p.read(p.account);
      await p.owner.put(`/api/subAccountPoolConfigs/${three?.id}`, { enabled: false });
      const active: PoolStatus = {
        state: 'active',
        latencyMs: 12.5,
        lastError: null,
        lastSwitchAt: 1_795_000_000,
        rejectRate: 0.25,
      };
      p.status.set(one?.id ?? 0, active);
      p.status.set(three?.id ?? 0, active);
      expect((await p.read(p.account)).slice(1)).toMatchObject([
        { name: 'One', ...active },
        { name: 'Two', state: 'standby', latencyMs: null, rejectRate: null },
        { name: 'Three', state: 'disabled', latencyMs: null },
      ]);
      await p.query('update pool_config set password = $2 where id = $1', [
        two?.poolConfigId,
        new Secrets([KEYS[1]]).seal('x', ownerOf(p.owner.userId)),
      ]);
      expect((await p.read(p.account))[2]).toMatchObject({
        name: 'Two',
        state: 'unreadable',
        lastError: expect.stringContaining('cannot be read'),
      });
    });

    it.each(['ECONNREFUSED', 'closed by the peer'])(
      'do not reveal how a pool was not reached (%s)',
      async (lastError) => {
        const [, one] = await p.read(p.account);
        p.status.set(one?.id ?? 0, { state: 'down', latencyMs: null, lastError, lastSwitchAt: null, rejectRate: null });
        expect((await p.read(p.account))[1]).toMatchObject({ state: 'down', lastError: 'cannot be reached' });
      },
    );

    it('are passed to the proxy in order, decrypted, without disabled pools and unreadable passwords', async () => {
      const [, one, two, three] = await p.read(p.account);
      await p.owner.put(`/api/subAccountPoolConfigs/${two?.id}`, { enabled: false });
      await p.owner.put(`/api/poolConfigs/${three?.poolConfigId}`, { password: null });
      const lines: string[] = [];
      const log = pino(
        { base: undefined },
        {
          write: (line: string) => {
            lines.push(line);
          },
        },
      );
      const found = await pgPoolLists(p.test.database.pool, p.secrets, p.changes, log).find(
        p.account,
        'SHA256_ASICBOOST',
      );
      expect(found).toEqual([
        {
          id: one?.id,
          algorithm: 'SHA256_ASICBOOST',
          name: 'One',
          url: BASE.url,
          host: 'pool.example',
          port: 3333,
          tls: false,
          user: 'wallet.rig',
          password: PASSWORD,
        },
        expect.objectContaining({ id: three?.id, name: 'Three', password: 'x' }),
      ]);
      expect(lines).toEqual([]);
      const other = pgPoolLists(p.test.database.pool, new Secrets([KEYS[1]]), p.changes, log);
      expect((await other.find(p.account, 'SHA256_ASICBOOST'))?.map(({ name, password }) => [name, password])).toEqual([
        ['One', null],
        ['Three', 'x'],
      ]);
      expect(lines.join()).toMatch(/encrypted with the key [0-9a-f]{16}.*the pool is not used/);
      expect(lines.join()).not.toContain(PASSWORD);
      expect(await other.find(p.second, 'SHA256_ASICBOOST')).toEqual([]);
    });

    it('are deleted with their sub-account', async () => {
      const { id } = (await p.owner.post('/api/subAccounts/', { name: 'owner-last' })).body as { id: number };
      const alone = await made(p.owner, 'Alone');
      await add(p.owner, id, alone);
      [p.told.length, p.portsTold] = [0, 0];
      expect((await p.owner.del(`/api/subAccounts/${id}`)).status).toBe(200);
      expect([p.told, p.portsTold]).toEqual([[[id]], 1]);
      expect((await p.owner.del(`/api/poolConfigs/${alone}`)).status).toBe(200);
      expect((await p.owner.call(`/api/subAccountPoolConfigs?subAccountId=${id}`)).status).toBe(404);
    });
  });
});

describe('the hold', () => {
  const ALGORITHM = 'SHA256_ASICBOOST';
  const THIEF = 'stratum+tcp://thief.example:3333';
  let pools: number[];
  beforeEach(async () => {
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
    (
      await pgPoolLists(p.test.database.pool, secrets, p.changes, pino({ level: 'silent' })).find(account, ALGORITHM)
    )?.map(({ name, url, user, password }) => [name, url, user, password].join(' '));
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
    const named = (facts: ShownFacts | null) => facts?.places?.map(({ account, name }) => `${account} ${name}`);
    expect(named(held.shown?.before ?? null)).toEqual(['owner One', 'owner-two One', 'owner-two Two']);
    expect(named(held.shown?.after ?? null)).toEqual(['owner Thief', 'owner-two Thief']);
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
      expect((await inForce(p.second))?.map((line) => line.split(' ').at(-1))).toEqual([PASSWORD, PASSWORD]);
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
    const made2 = (await p.owner.post('/api/subAccounts/', { name: 'owner-gone' })).body as {
      id: number;
    };
    await add(p.owner, made2.id, pools[0] ?? 0);
    expect(await inForce(made2.id)).toEqual([]);
    await p.query('update sub_account set deleted_at = now() where id = $1', [p.second]);
    await p.query('delete from sub_account_pool_config where sub_account_id = $1', [p.second]);
    expect(await inForce(p.second)).toBeUndefined();
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
});
