/** The admins' overview and system page, and switching the version of a remote. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RemoteManifest } from '@pool/shared/contract';
import type { OverviewDays } from '../../../admin/overview-days';
import { LEAST_USERS } from '../../../remotes/canary';
import type { ClientReport } from '../../../remotes/figures';
import { movePointer, readHistory, readPointer } from '../../../remotes/pointers';
import { mapManifest } from '../../../remotes/testing/manifest';
import { type Caller, versionFor } from '../../../remotes/version-for';
import { eventually } from '../../../testing/eventually';
import { type Answer, appOfFile, type Person, personOfFile } from '../../testing/test-app';
import { newFolder } from '../../../testing/folder';

describe('the system', () => {
  const folder = newFolder();
  beforeAll(() => {
    for (const version of ['1.0.0', '1.1.0']) {
      mkdirSync(join(folder, 'map', version), { recursive: true });
      writeFileSync(join(folder, 'map', version, 'manifest.json'), JSON.stringify(mapManifest(version)));
    }
    writeFileSync(join(folder, 'map/current.json'), '{"version":"1.0.0"}');
  });
  const test = appOfFile({
    env: { REMOTES_DIR: folder },
    uncounted: async () => [{ day: '2026-11-18', why: 'refused', lines: 7, paths: ['x'] }],
  });
  const admin = personOfFile(test, 'boss', { role: 'admin' });
  const miner = personOfFile(test, 'miner');
  const current = () => JSON.parse(readFileSync(join(folder, 'map/current.json'), 'utf8')) as object;

  beforeAll(async () => {
    await test.rows(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat)
       select id, '2026-11-18', '2026-11-18', 700 from sub_account where name = 'miner'`,
    );
    await test.visitor.post('/api/requestBonus?email=a@example.com');
  });

  const put = (name: string, body: unknown, who = admin): Promise<Answer> =>
    who.put(`/api/admin/remotes/${name}`, body);

  it('says what needs a person, and nothing else', async () => {
    expect((await admin.call('/api/admin/overview')).body).toMatchObject({
      users: 2,
      unpaidSat: 0,
      payments: [{ status: 'pending', count: 1, totalSat: 700 }],
      oldestPendingAt: expect.any(String),
      tasks: [
        { task: 'payments_pending', count: 1 },
        { task: 'shares_refused', count: 7 },
        { task: 'bonus_new', count: 1 },
      ],
    });
    expect((await miner.call('/api/admin/overview')).status).toBe(403);
  });

  it('says what each of the last 30 finished days brought: hashrate by account, debt, payouts, new users', async () => {
    const { pool } = test.database;
    const now = Date.now() / 1000;
    const daysAgo = (n: number) => Math.floor(now / 86_400 - n) * 86_400;
    const names = ['farm-a', 'farm-b', 'farm-c', 'farm-d', 'farm-e', 'farm-f'];
    await pool.query(
      `with s as (
         insert into sub_account (user_id, name)
         select id, n from app_user, unnest($1::text[]) as n where user_name = 'miner'
         returning id, name
       )
       insert into account_1d (sub_account_id, algorithm, at, accepted)
       select id, 'SHA256_ASICBOOST', to_timestamp($2::float8), 86400 * position(right(name, 1) in 'fedcba') from s`,
      [names, daysAgo(2)],
    );
    const account = `(select id from sub_account where name = 'miner')`;
    await pool.query(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref, at) values
         ('account', ${account}, 'earning', 900, 'SCRYPT/2026-01-01', to_timestamp($1::float8)),
         ('mined', null, 'earning', -900, 'SCRYPT/2026-01-01', to_timestamp($1::float8))`,
      [daysAgo(40)],
    );
    await pool.query(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref, at) values
         ('account', ${account}, 'payout', -600, 'then', to_timestamp($1::float8)),
         ('chain', null, 'payout', 600, 'then', to_timestamp($1::float8)),
         ('account', ${account}, 'earning', 50, $2, now()),
         ('mined', null, 'earning', -50, $2, now())`,
      [daysAgo(3), `SCRYPT/${new Date(daysAgo(2) * 1000).toISOString().slice(0, 10)}`],
    );
    const { body } = await admin.call('/api/admin/overview/days');
    const last = (values: number[]) => values.slice(-4);
    const { days, hashrates, owedSat, paidSat, newUsers } = body as OverviewDays;
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toBe(new Date(daysAgo(1) * 1000).toISOString().slice(0, 10));
    const [sha, scrypt] = hashrates;
    expect(scrypt?.accounts).toEqual([]);
    expect(sha?.accounts.map(({ name }) => name)).toEqual([...names.slice(0, 4), null]);
    expect(sha?.accounts.map((each) => last(each.hashrates))).toEqual(
      [6, 5, 4, 3, 2 + 1].map((work) => [0, 0, work * 2 ** 32, 0]),
    );
    expect([last(owedSat), last(paidSat)]).toEqual([
      [900, 300, 350, 350],
      [0, 600, 0, 0],
    ]);
    // They signed up today, which is not finished.
    expect(newUsers).toEqual(days.map(() => 0));
    expect((await miner.call('/api/admin/overview/days')).status).toBe(403);
  });

  it('knows how each deployed version does in browsers; not of made-up ones, and not of long reports', async () => {
    const post = (body: object) => miner.post('/api/client-errors', body);
    const mount = { remote: 'map', version: '1.1.0', ms: 200 };
    const error = { kind: 'crash', remote: 'map', version: '1.1.0', message: 'Error: x', stack: '', count: 3 };
    const report = {
      shell: 'abc',
      mounts: [mount, { ...mount, ms: 400 }, { ...mount, version: '7.7.7' }],
      errors: [
        { ...error, faultyMounts: 1 },
        { ...error, remote: '../map', faultyMounts: 1 },
      ],
    };
    expect((await post(report)).status).toBe(400);
    expect((await post({ ...report, errors: report.errors.slice(0, 1) })).status).toBe(200);
    expect((await post({ ...report, shell: 'x'.repeat(3_000) })).status).toBe(413);
    const { remotes } = await admin.read<{ remotes: { versions: { version: string; figures: object | null }[] }[] }>(
      '/api/admin/system',
    );
    expect(remotes[0]?.versions.map(({ version, figures }) => [version, figures]).sort()).toEqual([
      ['1.0.0', null],
      ['1.1.0', { mounts: 2, faulty: 1, p95Ms: 400, errors: [{ kind: 'crash', message: 'Error: x', count: 3 }] }],
    ]);
    const { text } = await admin.call('/metrics');
    expect(text).toContain('remote_errors_total{remote="map",version="1.1.0",kind="crash"} 3');
    expect(text).not.toContain('7.7.7');
    // Nobody raises an alarm alone, nor makes labels.
    const own = { ...error, count: 1000, faultyMounts: 1000 };
    const made = { ...own, remote: null, version: '9.9.9' };
    expect((await post({ shell: 'madeUp', mounts: [], errors: [own, own, made] })).status).toBe(200);
    const { text: after } = await admin.call('/metrics');
    expect(after).toContain('remote_errors_total{remote="map",version="1.1.0",kind="crash"} 4');
    expect(after).toContain('remote_errors_total{remote="shell",version="",kind="crash"} 4');
    expect(after).not.toMatch(/9\.9\.9|madeUp/);
  });

  it('switches a remote to another version, to a share of the users, and back; with who did it', async () => {
    const system = async () =>
      await admin.read<{ remotes: { name: string; history: unknown[] }[] }>('/api/admin/system');
    expect(await system()).toMatchObject({
      proxy: { connections: 0, sharesPerSecond: 0 },
      uncounted: [{ day: '2026-11-18', why: 'refused', shares: 7 }],
      database: { migrations: expect.any(Number), bytes: expect.any(Number) },
      job: null,
      remotes: [{ name: 'map', version: '1.0.0', canary: null, history: [] }],
    });
    const was = { version: '1.0.0', canary: null };
    const canary = { version: '1.0.0', canary: { version: '1.1.0', percent: 10 } };
    expect((await put('map', { ...canary, expected: was })).body).toEqual(canary);
    expect(current()).toEqual(canary);
    // Another admin has read the pointer of before.
    expect((await put('map', { version: '1.1.0', canary: null, expected: was })).code).toBe('changed_meanwhile');
    expect((await put('map', { version: '1.1.0', canary: null, expected: canary })).status).toBe(200);
    expect(current()).toEqual({ version: '1.1.0' });
    expect((await miner.read<{ version: string }[]>('/api/remotes')).map(({ version }) => version)).toEqual(['1.1.0']);
    const now = { version: '1.1.0', canary: null };
    for (const version of ['9.9.9', '..'])
      expect([400, 409]).toContain((await put('map', { version, canary: null, expected: now })).status);
    expect((await put('nothing', { ...was, expected: now })).status).toBe(404);
    expect((await put('map', { ...was, expected: now }, miner)).status).toBe(403);
    expect((await put('map', { ...was, urgent: true, expected: now })).body).toEqual(was);
    expect(current()).toEqual({ version: '1.0.0', withdrawn: ['1.1.0'] });
    const moves = ['rollback', 'promote', 'canary'].map((what) => ({ who: 'boss', what }));
    expect((await system()).remotes[0]?.history).toMatchObject(moves);
  });

  it("shows a remote's part of a page to nobody while an admin has it switched off, in every version", async () => {
    const slots = async () => (await miner.read<RemoteManifest[]>('/api/remotes'))[0]?.slots?.length;
    const listed = async () => (await admin.read<{ remotes: { slots: object[] }[] }>('/api/admin/system')).remotes;
    const turn = (off: boolean, name = 'map', place = 'dashboard') => put(`${name}/slots`, { place, off });
    await movePointer(join(folder, 'map'), { at: new Date(), who: 'team', what: 'rollback', to: { version: '1.0.0' } });
    expect([await slots(), (await listed())[0]?.slots]).toEqual([1, [{ place: 'dashboard', off: false }]]);
    expect((await put('map/slots', { place: 'dashboard', off: true }, miner)).status).toBe(403);
    expect([await turn(true, 'none'), await turn(true, 'map', 'payments')].map(({ status }) => status)).toEqual([
      404, 404,
    ]);
    expect([await turn(true), await turn(true)].map(({ status }) => status)).toEqual([200, 200]);
    expect([await slots(), (await listed())[0]?.slots]).toEqual([0, [{ place: 'dashboard', off: true }]]);
    // Another version changes nothing of it.
    await movePointer(join(folder, 'map'), { at: new Date(), who: 'team', what: 'publish', to: { version: '1.1.0' } });
    await movePointer(join(folder, 'map'), { at: new Date(), who: 'team', what: 'rollback', to: { version: '1.0.0' } });
    expect(await readPointer(join(folder, 'map'))).toMatchObject({ version: '1.0.0', slotsOff: ['dashboard'] });
    expect((await turn(false)).status).toBe(200);
    expect(await readPointer(join(folder, 'map'))).not.toHaveProperty('slotsOff');
    expect(await slots()).toBe(1);
    const rows = await test.rows(`select after from audit where action = 'remote.slot' order by id`);
    expect(rows).toEqual([true, false].map((off) => ({ after: { place: 'dashboard', off } })));
  });

  it('turns a part of a remote on for some users, for everybody and off again, and knows how its pages do', async () => {
    const flag = 'map.night';
    mkdirSync(join(folder, 'map/1.2.0'));
    writeFileSync(join(folder, 'map/1.2.0/manifest.json'), JSON.stringify({ ...mapManifest('1.2.0'), flags: [flag] }));
    await movePointer(join(folder, 'map'), { at: new Date(), who: 'team', what: 'publish', to: { version: '1.2.0' } });
    const other = await test.person('other');
    type Listed = { version: string; flags?: string[] };
    const flagsOf = async (who: Person) => (await who.read<Listed[]>('/api/remotes'))[0]?.flags;
    const shown = async () =>
      (await admin.read<{ remotes: { flags: object[] }[] }>('/api/admin/system')).remotes[0]?.flags;
    const turn = async (users: string[] | null, who = admin, name = flag) =>
      (await put('map/flags', { flag: name, users }, who)).status;
    await eventually(async () => (await flagsOf(miner))?.length === 0, 'a version with a flag that is off');
    expect([await turn(['nobody']), await turn(['miner'], miner), await turn(null, admin, 'map.day')]).toEqual([
      409, 403, 404,
    ]);
    expect([await turn(['miner']), await turn(['miner'])]).toEqual([200, 200]);
    expect([await flagsOf(miner), await flagsOf(other)]).toEqual([[flag], []]);
    const mount = { remote: 'map', version: '1.2.0', ms: 200 };
    const error = { kind: 'crash', remote: 'map', version: '1.2.0', message: 'Error: x', stack: '', count: 1 };
    const errors = [{ ...error, faultyMounts: 1 }];
    await miner.post('/api/client-errors', { shell: 'abc', mounts: [mount, mount], errors });
    await other.post('/api/client-errors', { shell: 'abc', mounts: [mount], errors });
    expect(await shown()).toEqual([{ flag, users: ['miner'], figures: { mounts: 2, faulty: 1 } }]);
    expect(await turn(null)).toBe(200);
    expect([await flagsOf(miner), await flagsOf(other)]).toEqual([[flag], [flag]]);
    // The version that has it may be gone.
    await movePointer(join(folder, 'map'), { at: new Date(), who: 'team', what: 'rollback', to: { version: '1.0.0' } });
    await eventually(async () => (await flagsOf(miner)) === undefined, 'the version before');
    expect([await turn(null), await turn([])]).toEqual([404, 200]);
    const rows = await test.rows(`select after from audit where action = 'remote.flag' order by id`);
    expect(rows).toEqual([['miner'], null, []].map((users) => ({ after: { flag, users } })));
  });
});

describe('canaries', () => {
  const folder = newFolder();
  const home = join(folder, 'map');
  const OTHERS = ['farm', 'lab', 'power'];
  /** What everybody has. */
  const GOOD = '1.0.0';

  const NAMES = ['boss', ...Array.from({ length: 19 }, (_, n) => `miner-${n}`)];
  /** Canaries that half of the users get. */
  const CANARIES = Array.from({ length: 200 }, (_, n) => `1.${n + 1}.0`).filter((version) => {
    const pointer = { version: GOOD, canary: { version, percent: 50 } };
    const users = NAMES.map((userName) => ({ user: { userName } }) as Caller);
    return users.filter((me) => versionFor(me, pointer) === version).length === NAMES.length / 2;
  });
  let next = 0;
  const nextCanary = (): string => CANARIES[(next += 1)] ?? '';

  let users: Person[];

  function deploy(name: string, versions: readonly string[]): void {
    for (const version of versions) {
      mkdirSync(join(folder, name, version), { recursive: true });
      const manifest = JSON.stringify(mapManifest(version)).replaceAll('map', name);
      writeFileSync(join(folder, name, version, 'manifest.json'), manifest);
    }
    writeFileSync(join(folder, name, 'current.json'), JSON.stringify({ version: GOOD }));
  }

  beforeAll(() => {
    deploy('map', [GOOD, ...CANARIES]);
    for (const name of OTHERS) deploy(name, [GOOD]);
  });
  const test = appOfFile({ env: { REMOTES_DIR: folder } });
  const admin = personOfFile(test, 'boss', { role: 'admin' });
  beforeAll(async () => {
    users = [admin, ...(await Promise.all(NAMES.slice(1).map((name) => test.person(name))))];
  });

  type Listed = { name: string; version: string; withdrawn?: string[] };
  const listOf = (who: Person) => who.read<Listed[]>('/api/remotes');
  const mapOf = async (who: Person) => (await listOf(who)).find(({ name }) => name === 'map')!;
  const othersOf = async (who: Person) => (await listOf(who)).filter(({ name }) => name !== 'map');

  /** How mounts of a version end: their time, and what is reported of each. */
  type Mounts = { ms: number | null; kind?: ClientReport['errors'][number]['kind'] };

  /**
   * Each user opens the page three times, in the version that the pool gives. Returns the users of the canary and of
   * the other version who told of it before the pointer moved; null: it did not move. `addressOf`: the address of the user
   * with this number.
   */
  async function open(
    canary: string,
    how: Mounts,
    addressOf = (user: number) => `10.0.${user}.1`,
  ): Promise<[number, number] | null> {
    const told: [number, number] = [0, 0];
    const began = JSON.stringify(await readPointer(home));
    for (const [index, user] of users.entries()) {
      const { version } = await mapOf(user);
      const { ms, kind }: Mounts = version === canary ? how : { ms: 300 };
      const about = { remote: 'map', version };
      const mounts = Array.from({ length: 3 }, () => ({ ...about, ms }));
      const errors = kind ? [{ kind, ...about, message: 'x', stack: '', count: 3, faultyMounts: 3 }] : [];
      const body = { shell: '', mounts, errors };
      const answer = await user.call('/api/client-errors', { method: 'POST', body, address: addressOf(index) });
      expect(answer.status).toBe(200);
      if (JSON.stringify(await readPointer(home)) !== began) return told;
      told[version === canary ? 0 : 1] += 1;
    }
    return null;
  }

  it('takes back a canary that crashes, with the report that is enough, and tells the admins', async () => {
    const why = /^errors in 100 % of \d+ mounts, at 100 % of \d+ users; 1\.0\.0: in 0 %/;
    const version = nextCanary();
    const others = await Promise.all(users.map(othersOf));
    const body = { version: GOOD, canary: { version, percent: 50 }, expected: { version: GOOD, canary: null } };
    expect((await admin.put('/api/admin/remotes/map', body)).status).toBe(200);

    // The answer to the report comes after the move: nothing waits for a clock.
    expect(Math.min(...(await open(version, { ms: 300, kind: 'crash' }))!)).toBe(LEAST_USERS - 1);
    const withdrawn: unknown = expect.arrayContaining([version]);
    expect(await readPointer(home)).toEqual({ version: GOOD, withdrawn });
    const reason: unknown = expect.stringMatching(why);
    expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'rollback', why: reason });
    expect(await mapOf(admin)).toMatchObject({ version: GOOD, withdrawn });
    const { notifications } = await admin.read<{ notifications: object[] }>('/api/notifications');
    expect(notifications[0]).toMatchObject({
      kind: 'canary_rollback',
      values: { remote: 'map', version, why: reason },
    });
    // Users of the other remotes notice nothing.
    expect(others[0]).toHaveLength(OTHERS.length);
    expect(await Promise.all(users.map(othersOf))).toEqual(others);
  });

  /** A team's canary for half of the users, since so many minutes. */
  async function begin(version: string, more: { auto?: number } = {}, minutes = 0): Promise<void> {
    const to = { version: GOOD, canary: { version, percent: 50, ...more } };
    await movePointer(home, { at: new Date(Date.now() - minutes * 60_000), who: 'team', what: 'canary', to });
    await eventually(
      async () => (await Promise.all(users.map(mapOf))).some((map) => map.version === version),
      'the canary is served',
    );
  }

  it('twenty accounts at one site decide nothing, nor two at many', async () => {
    const version = nextCanary();
    await begin(version);
    expect(await open(version, { ms: 300, kind: 'crash' }, (user) => `10.0.0.${user}`)).toBeNull();
    // Another time of its promotion begins nothing anew, and its team reads why there is no verdict.
    await begin(version, { auto: 60 });
    const said = () => readFileSync(join(home, 'canary.txt'), 'utf8');
    // It is written again every five seconds, maybe in the middle of the reports.
    const all = /at 100 % of 1 users, 10 accounts at 1 networks; 1\.0\.0: .* is the proxy in TRUSTED_PROXIES\?/;
    await eventually(
      () => existsSync(join(home, 'canary.txt')) && said().includes(version) && all.test(said()),
      'the state of the canary',
    );
    const everyone = users;
    const versions = await Promise.all(users.map(async (user) => (await mapOf(user)).version));
    const two = [version, GOOD].map((each) => users[versions.indexOf(each)]!);
    users = Array.from({ length: 14 }, () => two).flat();
    expect(await open(version, { ms: 300, kind: 'crash' }, (user) => `10.1.${user}.1`)).toBeNull();
    users = everyone;
  });

  it('promotes a canary that is as good after its time, if that was asked for', async () => {
    const version = nextCanary();
    await begin(version, { auto: 60 }, 61);
    expect(Math.min(...(await open(version, { ms: 310 }))!)).toBe(LEAST_USERS - 1);
    expect(await readPointer(home)).toMatchObject({ version });
    const why: unknown = expect.stringMatching(/^as good as 1\.0\.0 after 60 min: errors in 0 % of \d+ mounts/);
    expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'promote', why });
    expect((await mapOf(admin)).version).toBe(version);
  });
});
