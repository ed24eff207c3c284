/** Upstream lists of sub-accounts over HTTP, and attacks on them. */
import pino from 'pino';
import { ownerOf } from '../../../mining/upstreams/pool-configs';
import { renewSecrets } from '../../../ops/sealed-secrets';
import { pgPoolLists } from '../../../mining/upstreams/pool-lists';
import type { PoolStatus } from '../../../stratum/ports';
import { Secrets } from '../../../platform/secrets';
import type { Answer, Person } from '../../testing/test-app';
import { add, BASE, KEYS, list, made, PASSWORD, PoolsTest } from '../../testing/pools';

let p: PoolsTest;
beforeAll(async () => {
  p = await PoolsTest.open();
});
beforeEach(() => p.empty());
afterAll(() => p.test.close());

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
  const names = async () => (await p.read(p.account)).map(({ algo, priority, name }) => `${algo} ${priority} ${name}`);
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

  it('that send the miners elsewhere warn their owner, who takes the change back once, also in an old session', async () => {
    type Warning = { id: number; kind: string; values: Record<string, string | number>; path: string };
    const warnings = async (): Promise<Warning[]> => {
      const { body } = await p.owner.call('/api/notifications');
      return (body as { notifications: Warning[] }).notifications.filter(({ kind }) => kind.startsWith('pools_'));
    };
    const undo = (who: Person, notification?: number) => who.post('/api/subAccountPoolConfigs/undo', { notification });
    await p.query('delete from notification');
    const own = await p.read(p.account);
    const thief = await made(p.owner, 'Thief');
    await add(p.owner, p.account, thief);
    expect(await warnings()).toEqual([]);
    const { pool } = p.test.database;
    await pool.query(
      "update identity_user set email = 'owner@pool.test', email_verified_at = now(), language = 'fr' where user_name = 'owner'",
    );
    await p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, {
      algo: 'SHA256_ASICBOOST',
      configs: [{ poolConfigId: thief }],
    });
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

    // The thief's old session does not take back what the owner has put back.
    const list = (await p.read(p.account))
      .filter(({ algo }) => algo === 'SHA256_ASICBOOST')
      .map(({ poolConfigId, enabled }) => ({ poolConfigId, enabled }));
    const replace = (configs: object[]) =>
      p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, { algo: 'SHA256_ASICBOOST', configs });
    await replace([{ poolConfigId: thief }]);
    await replace(list);
    const [back] = await warnings();
    const session = await p.test.oldSession('owner');
    expect((await undo(session, back?.id)).code).toBe('reverification_required');
    await order('One', 'Two', 'Three', 'Thief');

    // A pool that is gone is left out; an empty list is the pool's own upstream.
    await p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, {
      algo: 'SHA256_ASICBOOST',
      configs: [],
    });
    await p.owner.del(`/api/poolConfigs/${pools[1]}`);
    const [gone] = await warnings();
    expect(gone).toMatchObject({ kind: 'pools_default', values: { pool: '' } });
    expect((await undo(p.owner, gone?.id)).status).toBe(200);
    await order('One', 'Three', 'Thief');

    // Another address of a pool in use: taken back, the pool is off and the next takes over.
    await p.owner.put(`/api/poolConfigs/${pools[0]}`, { url: 'stratum+tcp://thief.example:3333', password: PASSWORD });
    const [moved] = await warnings();
    expect(moved).toMatchObject({ kind: 'pools_changed', values: { pool: 'One' } });
    await undo(p.owner, moved?.id);
    expect((await p.read(p.account)).filter(({ enabled }) => !enabled).map(({ name }) => name)).toEqual(['One']);
  });

  it('contain a pool once, and at most ten', async () => {
    expect((await add(p.owner, p.account, pools[0] ?? 0)).code).toBe('pool_in_list');
    for (let n = 4; n <= 10; n += 1)
      expect((await add(p.owner, p.account, await made(p.owner, `Pool ${n}`))).status).toBe(200);
    expect((await add(p.owner, p.account, await made(p.owner, 'Eleventh'))).code).toBe('list_full');
  });

  it('can be enabled, reordered, shortened and replaced', async () => {
    const [, one, two, three] = await p.read(p.account);
    const put = (id: number | undefined, body: object) => p.owner.put(`/api/subAccountPoolConfigs/${id}`, body);
    expect(list(await put(two?.id, { enabled: false })).find((row) => row.id === two?.id)).toMatchObject({
      enabled: false,
      state: 'disabled',
      priority: 2,
    });
    await put(three?.id, { priority: 1 });
    await order('Three', 'One', 'Two');
    await put(three?.id, { priority: 50 });
    await order('One', 'Two', 'Three');
    await p.owner.del(`/api/subAccountPoolConfigs/${one?.id}`);
    await order('Two', 'Three');
    const replaced = await p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, {
      algo: 'SHA256_ASICBOOST',
      configs: [{ poolConfigId: pools[2] }, { poolConfigId: pools[0], enabled: false }],
    });
    expect(list(replaced).find((row) => row.name === 'Three')?.id).toBe(three?.id);
    await order('Three', 'One');
    expect(
      (
        await p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, {
          algo: 'SHA256_ASICBOOST',
          configs: [{ poolConfigId: pools[3] }],
        })
      ).code,
    ).toBe('not_the_list');
    await order('Three', 'One');
    await p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, {
      algo: 'SHA256_ASICBOOST',
      configs: [],
    });
    await order();
    expect(
      (
        await p.query<{ action: string }>(
          "select distinct action from audit where action like 'pool_list.%' order by 1",
        )
      ).map((row) => row.action),
    ).toEqual(['pool_list.add', 'pool_list.change', 'pool_list.remove', 'pool_list.replace', 'pool_list.undo']);
  });

  it('row 5: a new order is exactly the pools of the list, else it is refused', async () => {
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

  it('concurrent new orders: one of them wins completely', async () => {
    const ids = (await p.read(p.account)).filter((row) => row.algo === 'SHA256_ASICBOOST').map(({ id }) => id);
    const [a = 0, b = 0, c = 0] = ids;
    const orders = [
      [a, b, c],
      [c, b, a],
      [b, a, c],
      [c, a, b],
    ];
    const answers = await Promise.all(
      [...orders, ...orders, ...orders].map((wanted) =>
        reorder(
          p.owner,
          wanted.map((id) => ({ id })),
        ),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const now = (await p.read(p.account)).filter((row) => row.algo === 'SHA256_ASICBOOST');
    expect(now.map((row) => row.priority)).toEqual([1, 2, 3]);
    expect(orders).toContainEqual(now.map(({ id }) => id));
  });

  it('row 4: a list and its pools must have one owner', async () => {
    const foreignPool = await made(p.stranger, 'Foreign');
    expect((await add(p.owner, p.account, foreignPool)).status).toBe(404);
    expect((await add(p.owner, p.foreignAccount, pools[0] ?? 0)).status).toBe(404);
    expect((await add(p.stranger, p.foreignAccount, pools[0] ?? 0)).status).toBe(404);
    expect(
      (
        await p.owner.put(`/api/subAccountPoolConfigs?subAccountId=${p.account}`, {
          algo: 'SHA256_ASICBOOST',
          configs: [{ poolConfigId: foreignPool }],
        })
      ).status,
    ).toBe(404);
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
    'row 50: do not reveal how a pool was not reached (%s)',
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
    expect((await other.find(p.account, 'SHA256_ASICBOOST')).map(({ name, password }) => [name, password])).toEqual([
      ['One', null],
      ['Three', 'x'],
    ]);
    expect(lines.join()).toMatch(/encrypted with the key [0-9a-f]{16}.*the pool is not used/);
    expect(lines.join()).not.toContain(PASSWORD);
    expect(await other.find(p.second, 'SHA256_ASICBOOST')).toEqual([]);
  });

  it('are re-encrypted when the key was replaced', async () => {
    const [renewing, lost] = [new Secrets([KEYS[1], KEYS[0]]), new Secrets([KEYS[1]])];
    await expect(renewSecrets(p.test.database.pool, lost)).rejects.toThrow('no key for: 4');
    expect(await renewSecrets(p.test.database.pool, renewing)).toBe(4);
    expect(await renewSecrets(p.test.database.pool, renewing)).toBe(0);
    const found = await pgPoolLists(p.test.database.pool, lost, p.changes, pino({ level: 'silent' })).find(
      p.account,
      'SCRYPT',
    );
    expect(found).toMatchObject([{ password: PASSWORD }]);
  });

  it('are deleted with their sub-account', async () => {
    const { id } = (await p.owner.post('/api/subAccounts/', { name: 'owner-three' })).body as { id: number };
    const alone = await made(p.owner, 'Alone');
    await add(p.owner, id, alone);
    [p.told.length, p.portsTold] = [0, 0];
    expect((await p.owner.del(`/api/subAccounts/${id}`)).status).toBe(200);
    expect([p.told, p.portsTold]).toEqual([[[id]], 1]);
    expect((await p.owner.del(`/api/poolConfigs/${alone}`)).status).toBe(200);
    expect((await p.owner.call(`/api/subAccountPoolConfigs?subAccountId=${id}`)).status).toBe(404);
  });
});
