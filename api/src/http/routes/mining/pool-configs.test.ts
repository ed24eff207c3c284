/** Saved upstream pools over HTTP, the connection test, and attacks on both. */
import { ownerOf } from '../../../mining/upstreams/pool-configs';
import type { PoolTarget, PoolTest } from '../../../stratum/ports';
import { Secrets } from '../../../platform/secrets';
import { add, BASE, config, FAIL_MS, KEYS, made, PASSWORD, PoolsTest, save } from '../../testing/pools';

let p: PoolsTest;
beforeAll(async () => {
  p = await PoolsTest.open();
});
beforeEach(() => p.empty());
afterAll(() => p.test.close());

describe('saved pools', () => {
  it('stores a password, and never returns it', async () => {
    const answer = await save(p.owner, { ...BASE, name: 'Main' });
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'Main',
      algorithm: BASE.algorithm,
      url: BASE.url,
      user: BASE.user,
      passwordSet: true,
      uses: 0,
    });
    const { id } = config(answer);
    const all = await p.owner.call('/api/poolConfigs');
    expect(all.body).toEqual([answer.body]);
    const change = await p.owner.put(`/api/poolConfigs/${id}`, { password: `${PASSWORD}-2`, name: 'Primary' });
    expect(change.body).toMatchObject({ name: 'Primary', passwordSet: true });
    const [row] = await p.query<{ password: string }>('select password from pool_config');
    expect(row?.password.startsWith(`${p.secrets.keyId}:`)).toBe(true);
    expect(p.secrets.open(row?.password ?? '', ownerOf(p.owner.userId))).toBe(`${PASSWORD}-2`);
    const written =
      JSON.stringify(await p.query('select * from audit')) +
      JSON.stringify(await p.query('select * from pool_config')) +
      answer.text +
      all.text +
      change.text;
    expect(written).toContain('pool_config.update');
    expect(written).not.toContain(PASSWORD);
    expect(written).not.toContain(Buffer.from(PASSWORD).toString('base64url').slice(0, 20));
    expect((await p.owner.put(`/api/poolConfigs/${id}`, { password: null })).body).toMatchObject({
      passwordSet: false,
    });
    expect((await p.owner.del(`/api/poolConfigs/${id}`)).status).toBe(200);
    expect((await p.owner.call('/api/poolConfigs/')).body).toEqual([]);
  });

  it('sends a stored password to no other address: a new address needs it again', async () => {
    const id = await made(p.owner, 'Main');
    const put = (body: object) => p.owner.put(`/api/poolConfigs/${id}`, body);
    for (const url of [
      'stratum+tcp://thief.example:3333',
      'stratum+tcp://pool.example:4444',
      'stratum+ssl://pool.example:3333',
    ]) {
      const refused = await put({ url });
      expect([refused.status, refused.code]).toEqual([400, 'password_required']);
    }
    // Addresses as people copy them.
    expect(config(await put({ url: ' stratum+tcp://POOL.example.:3333/#xnsub ', user: 'other' }))).toMatchObject({
      url: BASE.url,
      user: 'other',
    });
    expect(config(await put({ url: 'stratum+ssl://pool.example:443', password: 'new' }))).toMatchObject({
      url: 'stratum+ssl://pool.example:443',
      passwordSet: true,
    });
    expect(config(await put({ url: 'stratum+tcp://free.example:3333', password: null }))).toMatchObject({
      passwordSet: false,
    });
  });

  it('a refusal does not repeat the password; names are unique for a user', async () => {
    const answer = await save(p.owner, { ...BASE, name: 'Wrong', url: 'stratum+tcp://user:pw@pool.example:1' });
    expect([answer.status, answer.text]).toEqual([400, expect.not.stringContaining(PASSWORD)]);
    expect(await p.query('select 1 from pool_config')).toEqual([]);
    const [first] = [await made(p.owner, 'One'), await made(p.owner, 'Two')];
    expect((await p.owner.put(`/api/poolConfigs/${first}`, { name: 'Two' })).code).toBe('pool_name_taken');
    expect((await save(p.stranger, { ...BASE, name: 'One' })).status).toBe(200);
  });

  it('refuses to delete a pool of a list, or to change its algorithm', async () => {
    const id = await made(p.owner, 'Used');
    await add(p.owner, p.second, id);
    const refused = await p.owner.del(`/api/poolConfigs/${id}`);
    expect([refused.status, refused.code]).toEqual([409, 'pool_in_use']);
    expect(refused.text).toContain('owner-two');
    expect((await p.owner.put(`/api/poolConfigs/${id}`, { algorithm: 'SCRYPT' })).code).toBe('pool_in_use');
    expect((await p.owner.call('/api/poolConfigs/')).body).toMatchObject([{ uses: 1, algorithm: BASE.algorithm }]);
  });

  it('notifies the proxy of every list of an edited pool, after the commit', async () => {
    const id = await made(p.owner, 'Used');
    await add(p.owner, p.account, id);
    await add(p.owner, p.second, id);
    p.told.length = 0;
    await p.owner.put(`/api/poolConfigs/${id}`, { user: 'other.rig' });
    expect(p.told.map((ids) => [...ids].sort())).toEqual([[p.account, p.second].sort()]);
    await p.owner.put(`/api/poolConfigs/${id}`, { url: 'stratum+tcp://thief.example:1' });
    expect(p.told).toHaveLength(1);
  });
});

describe('allowed addresses', () => {
  it('saving, editing and testing refuse internal hosts', async () => {
    const id = await made(p.owner, 'Outside');
    const url = 'stratum+tcp://127.0.0.1:3333';
    const answers = [
      await save(p.owner, { ...BASE, name: 'Inside', url }),
      await p.owner.put(`/api/poolConfigs/${id}`, { url, password: 'x' }),
      await p.owner.post('/api/poolConfigs/test', { ...BASE, url }),
    ];
    for (const { status, code } of answers) expect([status, code]).toEqual([422, 'upstream_not_allowed']);
    expect(await p.query('select url from pool_config')).toEqual([{ url: BASE.url }]);
  });

  it('an address is checked before the password is asked for again', async () => {
    await p.test.person('returned');
    const returned = await p.test.oldSession('returned');
    const save = async (url: string) =>
      (await returned.post('/api/poolConfigs/', { ...BASE, name: 'Fresh', url })).code;
    expect(await save('stratum+tcp://127.0.0.1:3333')).toBe('upstream_not_allowed');
    expect(await save(BASE.url)).toBe('reverification_required');
  });

  it('a saved pool whose address became internal is not tested', async () => {
    const id = await made(p.owner, 'Moves');
    await p.query("update pool_config set url = 'stratum+tcp://192.168.1.1:3333' where id = $1", [id]);
    expect((await p.owner.post('/api/poolConfigs/test', { id })).code).toBe('upstream_not_allowed');
  });
});

describe('testing a pool', () => {
  it('passes a saved or an unsaved pool to the proxy', async () => {
    const seen: PoolTarget[] = [];
    p.verdict = async (target) => {
      seen.push(target);
      return 'auth_failed';
    };
    const who = await p.test.person('tester');
    const id = await made(who, 'Saved');
    expect((await who.post('/api/poolConfigs/test', { id })).body).toEqual({
      result: 'auth_failed',
    });
    expect(
      (
        await who.post('/api/poolConfigs/test', {
          algorithm: 'SCRYPT',
          url: 'stratum+ssl://Two.Example:443',
          user: 'me',
        })
      ).body,
    ).toEqual({ result: 'auth_failed' });
    expect(seen).toMatchObject([
      { host: 'pool.example', port: 3333, tls: false, user: 'wallet.rig', password: PASSWORD },
      { host: 'two.example', port: 443, tls: true, user: 'me', password: 'x', algorithm: 'SCRYPT' },
    ]);
    await p.query('update pool_config set password = $2 where id = $1', [
      id,
      new Secrets([KEYS[1]]).seal('x', ownerOf(who.userId)),
    ]);
    expect((await who.post('/api/poolConfigs/test', { id })).code).toBe('password_unreadable');
    expect((await who.post('/api/poolConfigs/test', { id, url: BASE.url })).status).toBe(400);
  });

  it('refused and filtered are the same word after the same time; a working pool is instant', async () => {
    const who = await p.test.person('scanner');
    const timed = async (result: PoolTest, afterMs: number) => {
      p.verdict = () =>
        new Promise((resolve) => {
          setTimeout(() => resolve(result), afterMs);
        });
      const start = performance.now();
      const { status: code, body } = await who.post('/api/poolConfigs/test', {
        ...BASE,
        url: 'stratum+tcp://pool.example:1025',
      });
      return { answer: [code, body], ms: performance.now() - start };
    };
    const [refused, filtered] = [await timed('refused', 1), await timed('timeout', FAIL_MS - 50)];
    expect([refused.answer, filtered.answer]).toEqual([
      [200, { result: 'refused' }],
      [200, { result: 'refused' }],
    ]);
    for (const { ms } of [refused, filtered]) expect(ms).toBeGreaterThanOrEqual(FAIL_MS - 5);
    expect((await timed('ok', 1)).answer).toEqual([200, { result: 'ok' }]);
  });

  it('ten a minute', async () => {
    p.verdict = async () => 'ok';
    const who = await p.test.person('hasty');
    const answers = await Promise.all(Array.from({ length: 11 }, () => who.post('/api/poolConfigs/test', BASE)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(answers.find((answer) => answer.status === 429)?.headers['retry-after']).toEqual(expect.any(String));
    expect((await p.stranger.post('/api/poolConfigs/test', BASE)).status).toBe(200);
  });
});
