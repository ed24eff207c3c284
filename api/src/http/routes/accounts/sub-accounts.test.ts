/** Sub-accounts, worker groups, bulk actions on workers (security.md 3, 4, 42). */
import type { Connection, Worker } from '@pool/shared/api/contract';
import { pgPortList } from '../../../mining/upstreams/own-ports';
import { PoolChanges } from '../../../stratum/pool-changes';
import type { PortList } from '../../../stratum/ports';
import { type Answer, type Person, testApp, type TestApp } from '../../testing/test-app';

const DAY = 86_400;

describe('sub-accounts', () => {
  let test: TestApp;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  const now = Math.floor(Date.now() / 1000);
  const dismissed: string[] = [];
  const changes = new PoolChanges();

  beforeAll(async () => {
    const tlsPorts = [{ algorithm: 'SCRYPT', port: 3352 }] as const;
    test = await testApp({ changes, stratum: { tlsPorts, dismiss: (_, worker) => dismissed.push(worker) } });
    [owner, stranger, admin] = [
      await test.person('owner'),
      await test.person('stranger'),
      await test.person('boss', { role: 'admin' }),
    ];
    await test.work([
      ...['a', 'b', 'c'].map((worker) => ({ account: 'owner', worker, at: now - 120, accepted: 1e6 })),
      { account: 'owner', worker: 'gone', at: now - 2 * DAY, accepted: 1e6, span: 600 },
      { account: 'stranger', worker: 'a', at: now - 120, accepted: 1e6 },
    ]);
  });
  afterAll(() => test.close());

  const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query<T>(text, values)).rows;
  const idOf = async (name: string): Promise<number> =>
    (await query<{ id: number }>('select id from sub_account where name = $1', [name]))[0]?.id ?? 0;
  const workerId = async (account: string, name: string): Promise<number> =>
    (
      await query<{ id: number }>(
        'select w.id from worker w join sub_account s on s.id = w.sub_account_id where s.name = $1 and w.name = $2',
        [account, name],
      )
    )[0]?.id ?? 0;
  const make = (name: string, who = owner): Promise<Answer> => who.post('/api/subAccounts/', { name });
  const remove = (id: number, who = owner): Promise<Answer> => who.del(`/api/subAccounts/${id}`);
  const names = async (who = owner): Promise<string[]> =>
    ((await who.call('/api/subAccounts/')).body as { subAccounts: { name: string }[] }).subAccounts.map(
      ({ name }) => name,
    );

  describe('names', () => {
    it('are unique in the pool, user names included', async () => {
      expect((await make('barn-one')).status).toBe(200);
      for (const name of ['barn-one', 'stranger', 'boss']) expect((await make(name)).code).toBe('account_name_taken');
    });
    it('go to one of several concurrent requests', async () => {
      const answers = await Promise.all([
        make('wanted'),
        make('wanted', stranger),
        make('wanted'),
        make('wanted', stranger),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    });
    it.each(['Barn', 'barn\u202e', 'bаrn'])('%j is refused', async (name) =>
      expect((await make(name)).status).toBe(400),
    );
  });

  it('show what they do now, and what keeps each from being deleted', async () => {
    await make('idle');
    await test.work([{ account: 'idle', at: now - 3 * DAY, accepted: 1e6, span: 600 }]);
    await make('empty');
    // A worker that mines a tenth of what it mined a day long.
    await make('slow');
    await test.work([
      ...Array.from({ length: 140 }, (_, i) => ({
        account: 'slow',
        at: now - 4200 - i * 600,
        accepted: 1e9,
        span: 600,
      })),
      ...Array.from({ length: 60 }, (_, i) => ({ account: 'slow', at: now - 120 - i * 60, accepted: 1e6 })),
    ]);
    // These are enough to judge by.
    await query('update share_10m set shares = 10');
    await query('update share_1h set shares = 100');
    const { body } = await owner.call('/api/subAccounts/facts');
    const facts = new Map((body as { id: number }[]).map((row) => [row.id, row]));
    expect(facts.get(await idOf('owner'))).toMatchObject({
      hashrates: { SHA256_ASICBOOST: expect.any(Number) as number },
      workersOnline: 3,
      workersLow: 0,
      workersOffline: 0,
      btcAddress: null,
      heldUntil: null,
      minerPasswordSet: false,
      obstacle: 'primary_account',
    });
    expect(facts.get(await idOf('idle'))).toMatchObject({
      hashrates: {},
      workersOnline: 0,
      obstacle: 'balance_not_zero',
    });
    expect(facts.get(await idOf('empty'))).toMatchObject({ unpaidSat: 0, obstacle: null });
    // The user's own pages count them so.
    const { body: counts } = await owner.call('/api/getWorkerCount/?subAccountName=slow');
    expect(counts).toMatchObject({ online: 0, low: 1, offline: 0 });
    expect(facts.get(await idOf('slow'))).toMatchObject({ workersOnline: 0, workersLow: 1, workersOffline: 0 });
    expect(facts.has(await idOf('stranger'))).toBe(false);
  });

  describe('deleting', () => {
    it('closes it: not shown, not mined to, its name stays taken', async () => {
      await make('closing');
      const id = await idOf('closing');
      expect((await remove(id)).body).toEqual({ deleted: true });
      expect(await names()).not.toContain('closing');
      expect((await owner.call('/api/payment/?currentAccount=closing')).status).toBe(404);
      expect((await remove(id)).status).toBe(404);
      expect((await make('closing', stranger)).code).toBe('account_name_taken');
      expect(
        await query("select subject from audit where action = 'sub_account.delete' and subject = 'closing'"),
      ).toHaveLength(1);
    });
    it('not the primary', async () => expect((await remove(await idOf('owner'))).code).toBe('primary_account'));
    it('not with a share in 24 h', async () => {
      await make('busy');
      await test.work([{ account: 'busy', at: now - 3600, accepted: 1e6 }]);
      expect((await remove(await idOf('busy'))).code).toBe('workers_active');
    });
    it('not with work of an open day, nor with money', async () => {
      await make('rich');
      const id = await idOf('rich');
      await test.work([{ account: 'rich', at: now - 2 * DAY, accepted: 1e6, span: 600 }]);
      expect((await remove(id)).code).toBe('balance_not_zero');
      await make('owed');
      // The ledger sums to zero, so another account owes it.
      const book = async (sats: number, ref: string): Promise<unknown> =>
        query(
          `insert into ledger (sub_account_id, kind, amount_sat, ref)
           values ($1, 'adjustment', $3, $4), ($2, 'adjustment', -$3::bigint, $4)`,
          [await idOf('owed'), await idOf('stranger'), sats, ref],
        );
      await book(1, 'x');
      expect((await remove(await idOf('owed'))).code).toBe('balance_not_zero');
      await book(-1, 'y');
      expect((await remove(await idOf('owed'))).status).toBe(200);
    });
  });

  const add = (body: object, who = owner, more = ''): Promise<Answer> => who.post(`/api/workerGroups/${more}`, body);
  const drop = (name: string, id: number | '', who = owner, more = ''): Promise<Answer> =>
    who.del(`/api/workerGroups/${encodeURIComponent(name)}?${id === '' ? '' : `subAccountId=${id}`}${more}`);

  describe('groups', () => {
    it('are made, listed, deleted; their workers are then in none', async () => {
      const subAccountId = await idOf('owner');
      const made = await add({ name: 'Стойка 7', subAccountId });
      expect(made.body).toMatchObject({ name: 'Стойка 7', subAccountId, workers: 0 });
      const ids = [await workerId('owner', 'a'), await workerId('owner', 'b')];
      expect((await owner.post('/api/workers/bulk', { ids, action: 'group', groupName: 'Стойка 7' })).body).toEqual({
        changed: 2,
      });
      expect((await owner.call('/api/workerGroups/')).body).toEqual([
        expect.objectContaining({ name: 'Стойка 7', workers: 2 }),
      ]);
      expect((await owner.call(`/api/liveWorkers/?group=${encodeURIComponent('Стойка 7')}`)).body).toMatchObject({
        total: 2,
      });
      const { deleted, workers } = (await drop('Стойка 7', subAccountId)).body as {
        deleted: boolean;
        workers: number[];
      };
      expect([deleted, workers.sort()]).toEqual([true, ids.sort()]);
      // The log keeps what was in it.
      const { body } = await owner.call('/api/audit?action=worker_group.delete');
      expect(body).toMatchObject({
        rows: [{ before: { workers: [{ group: 'Стойка 7', count: 2, names: expect.arrayContaining(['a', 'b']) }] } }],
      });
      expect((await owner.call('/api/workerGroups/')).body).toEqual([]);
      expect((await owner.call('/api/liveWorkers/')).body).toMatchObject({
        workers: expect.arrayContaining([expect.objectContaining({ name: 'a', group: null })]),
      });
    });
    it('are renamed with their workers, to a name no other of the sub-account has', async () => {
      const subAccountId = await idOf('owner');
      const rename = (name: string, next: string, who = owner, id: number | '' = subAccountId): Promise<Answer> =>
        who.put(`/api/workerGroups/${name}?subAccountId=${id}`, { name: next });
      await add({ name: 'north', subAccountId });
      await add({ name: 'south', subAccountId });
      const ids = [await workerId('owner', 'a')];
      await owner.post('/api/workers/bulk', { ids, action: 'group', groupName: 'north' });
      await owner.call('/api/liveWorkers/');
      expect((await rename('north', 'hall-1')).body).toMatchObject({ name: 'hall-1', workers: 1 });
      expect((await owner.call('/api/liveWorkers/?group=hall-1')).body).toMatchObject({ total: 1 });
      expect((await rename('hall-1', 'south')).code).toBe('group_name_taken');
      expect((await rename('hall-1', 'hall-1')).status).toBe(200);
      expect((await rename('hall-1', 'x', stranger)).status).toBe(404);
      expect((await rename('north', 'x')).status).toBe(404);
      expect((await rename('hall-1', 'x', owner, '')).status).toBe(400);
      expect(
        await query("select before -> 'name' as before, after from audit where action = 'worker_group.rename'"),
      ).toEqual([{ before: 'north', after: { name: 'hall-1' } }]);
      for (const name of ['hall-1', 'south']) await drop(name, subAccountId);
    });
    it('have a limit, and a price and draw of power, which only readers of payments see', async () => {
      const subAccountId = await idOf('owner');
      await add({ name: 'north', subAccountId });
      const change = (body: object, who = owner): Promise<Answer> =>
        who.put(`/api/workerGroups/north?subAccountId=${subAccountId}`, body);
      const north = async (who = owner) =>
        ((await who.call('/api/workerGroups/')).body as { name: string }[]).find(({ name }) => name === 'north');
      const ids = [await workerId('owner', 'a')];
      await owner.post('/api/workers/bulk', { ids, action: 'group', groupName: 'north' });
      expect(await north()).toMatchObject({ limit: null, power: null });

      const power = { usdPerKwh: 0.055, kilowatts: 6.5 };
      expect((await change({ limit: 0.9, power })).body).toMatchObject({ limit: 0.9, power: { ...power, draws: 6.5 } });
      // Nothing typed: what its models draw, as long as all are known.
      await change({ power: { ...power, kilowatts: null } });
      expect(await north()).toMatchObject({ limit: 0.9, power: { machines: 1, draws: null } });
      await query("update worker_live set software = 'Antminer S21/1.0' where worker_id = $1", ids);
      expect(await north()).toMatchObject({ power: { machines: 1, draws: 3.5 } });

      for (const bad of [{ usdPerKwh: -1 }, { usdPerKwh: 11 }, { kilowatts: 0 }, { kilowatts: 'a' }])
        expect((await change({ power: { ...power, ...bad } })).body).toMatchObject({
          code: 'invalid_request',
          errors: [{ path: `power.${Object.keys(bad)[0]}` }],
        });
      for (const limit of [0, 1.1]) expect((await change({ limit })).status).toBe(400);
      expect((await change({ power }, stranger)).status).toBe(404);
      // What is set again as it was is no change.
      await change({ limit: 0.9, power: null });
      await change({ power: null });
      expect(await north()).toMatchObject({ limit: 0.9, power: null });
      expect(
        await query(
          "select action, after from audit where action in ('worker_group.limit', 'worker_group.power') order by id",
        ),
      ).toEqual([
        { action: 'worker_group.limit', after: { alertLimit: 0.9 } },
        { action: 'worker_group.power', after: power },
        { action: 'worker_group.power', after: { ...power, kilowatts: null } },
        { action: 'worker_group.power', after: { usdPerKwh: null, kilowatts: null } },
      ]);
      await drop('north', subAccountId);
    });
    it('need a selected sub-account', async () => {
      const refused = { status: 400, code: 'no_sub_account', detail: 'No sub-account selected' };
      for (const answer of [await add({ name: 'x' }), await drop('x', '')]) expect(answer.body).toMatchObject(refused);
    });
    it("an admin edits any user's, by name", async () => {
      const subAccountId = await idOf('stranger');
      expect((await add({ name: 'by-admin', subAccountId }, admin)).status).toBe(404);
      expect((await add({ name: 'by-admin', subAccountId }, admin, '?userName=stranger')).status).toBe(200);
      expect((await admin.call('/api/workerGroups/?userName=stranger')).body).toHaveLength(1);
      expect((await drop('by-admin', subAccountId, admin, '&userName=stranger')).status).toBe(200);
    });
    it('have a name once per sub-account', async () => {
      const subAccountId = await idOf('owner');
      const answers = await Promise.all([1, 2, 3].map(() => add({ name: 'once', subAccountId })));
      expect(answers.map(({ code }) => code).sort()).toEqual(['group_name_taken', 'group_name_taken', undefined]);
    });
    // whatwg/url#281: what is named as URLs name folders could be neither renamed nor deleted.
    it.each(['', 'a\u202eb', 'x'.repeat(65), '.', '..'])('the name %j is refused', async (name) =>
      expect((await add({ name, subAccountId: 1 })).code).toBe('invalid_request'),
    );
  });

  describe('many workers', () => {
    const bulk = (body: object, who = owner): Promise<Answer> => who.post('/api/workers/bulk', body);
    const mutedNames = async (): Promise<string[]> =>
      (await query<{ name: string }>('select name from worker where muted order by name')).map(({ name }) => name);

    it('are muted and unmuted, visible at once', async () => {
      const ids = [await workerId('owner', 'a'), await workerId('owner', 'b')];
      await owner.call('/api/liveWorkers/');
      expect((await bulk({ ids: [...ids, ...ids], action: 'mute' })).body).toEqual({ changed: 2 });
      expect(
        ((await owner.call('/api/liveWorkers/')).body as { workers: { muted: boolean }[] }).workers.filter(
          ({ muted }) => muted,
        ),
      ).toHaveLength(2);
      // Until a time, and until one mines again.
      const until = Math.floor(Date.now() / 1000) + 3600;
      await bulk({ ids: ids.slice(0, 1), action: 'mute', until });
      await bulk({ ids: ids.slice(1), action: 'mute', until: null });
      expect((await owner.call('/api/liveWorkers/')).body).toMatchObject({
        workers: expect.arrayContaining([
          expect.objectContaining({ name: 'a', mutedUntil: until }),
          expect.objectContaining({ name: 'b', mutedUntil: null }),
        ]),
      });
      expect((await bulk({ ids, action: 'unmute', until })).body).toMatchObject({ errors: [{ path: 'until' }] });
      expect((await bulk({ ids, action: 'unmute' })).body).toEqual({ changed: 2 });
      expect(await mutedNames()).toEqual([]);
    });
    it('are in the log by their names and groups, not by numbers', async () => {
      const ids = [await workerId('owner', 'a'), await workerId('owner', 'b')];
      await add({ name: 'of-log', subAccountId: await idOf('owner') });
      await bulk({ ids: ids.slice(0, 1), action: 'group', groupName: 'of-log' });
      await bulk({ ids, action: 'group', groupName: null });
      const { rows } = (await owner.call('/api/audit?action=worker.group')).body as { rows: unknown[] };
      expect(rows[0]).toMatchObject({
        before: {
          workers: expect.arrayContaining([
            { group: 'of-log', count: 1, names: ['a'] },
            { group: null, count: 1, names: ['b'] },
          ]),
        },
        after: { groupName: null },
      });
      expect(JSON.stringify(rows)).not.toContain('ids');
      await drop('of-log', await idOf('owner'));
    });
    it('all or none: a foreign one among them changes nothing', async () => {
      const own = await workerId('owner', 'a');
      const foreign = await bulk({ ids: [own, await workerId('stranger', 'a')], action: 'mute' });
      const absent = await bulk({ ids: [own, 999_999], action: 'mute' });
      expect([foreign.status, absent.status, (await bulk({ ids: [own], action: 'mute' }, admin)).status]).toEqual([
        404, 404, 404,
      ]);
      expect(foreign.text).toBe(absent.text);
      expect(await mutedNames()).toEqual([]);
    });
    it('go into no group their sub-account does not have', async () => {
      await stranger.post('/api/workerGroups/', { name: 'foreign-group', subAccountId: await idOf('stranger') });
      expect(
        (await bulk({ ids: [await workerId('owner', 'a')], action: 'group', groupName: 'foreign-group' })).status,
      ).toBe(404);
    });
    it('are deleted only when inactive', async () => {
      const [gone, a] = [await workerId('owner', 'gone'), await workerId('owner', 'a')];
      expect((await bulk({ ids: [gone, a], action: 'delete' })).code).toBe('worker_active');
      expect(await workerId('owner', 'gone')).toBe(gone);
      const before = await query('select sum(accepted) as work from account_1h where sub_account_id = $1', [
        await idOf('owner'),
      ]);
      expect((await bulk({ ids: [gone], action: 'delete' })).body).toEqual({ changed: 1 });
      expect(await workerId('owner', 'gone')).toBe(0);
      // Its earnings belong to the sub-account.
      expect(
        await query('select sum(accepted) as work from account_1h where sub_account_id = $1', [await idOf('owner')]),
      ).toEqual(before);
    });
    it('with strange names are confirmed, or removed while they mine', async () => {
      await test.work(['x1', 'x2'].map((worker) => ({ account: 'owner', worker, at: now - 60, accepted: 1 })));
      await query("update worker set standing = 'strange' where name like 'x_'");
      const strange = async (): Promise<string[]> =>
        ((await owner.call('/api/liveWorkers/?sort=name')).body as { workers: Worker[] }).workers
          .filter((worker) => worker.strange)
          .map(({ name }) => name);
      const [mine, other] = [await workerId('owner', 'x1'), await workerId('owner', 'x2')];
      expect((await bulk({ ids: [mine], action: 'confirm' })).body).toEqual({ changed: 1 });
      expect(await strange()).toEqual(['x2']);
      expect((await bulk({ ids: [mine, other], action: 'delete' })).code).toBe('worker_active');
      dismissed.length = 0;
      expect((await bulk({ ids: [other], action: 'delete' })).body).toEqual({ changed: 1 });
      expect([await strange(), dismissed]).toEqual([[], ['x2']]);
    });
    it("have an alert limit each, of one's own", async () => {
      const id = await workerId('owner', 'c');
      const set = (alertLimit: unknown, who = owner): Promise<Answer> => who.put(`/api/workers/${id}`, { alertLimit });
      expect((await set(0.5)).body).toEqual({ id, alertLimit: 0.5 });
      expect((await owner.call('/api/liveWorkers/')).body).toMatchObject({
        workers: expect.arrayContaining([expect.objectContaining({ name: 'c', alertLimit: 0.5 })]),
      });
      expect((await set(0.1, stranger)).status).toBe(404);
      for (const wrong of [-0.1, 1.1, '0.5', null]) expect((await set(wrong)).status).toBe(400);
      expect(await query("select before, after from audit where action = 'worker.alert_limit'")).toEqual([
        { before: { alertLimit: 0.7 }, after: { alertLimit: 0.5 } },
      ]);
    });
    it('say what happened to them: faults, and changes, newest first; nobody else is told', async () => {
      const [id, other] = [await workerId('owner', 'c'), await workerId('owner', 'b')];
      await query(
        "insert into worker_event (sub_account_id, worker_id, kind, at) select sub_account_id, id, 'offline', to_timestamp($2::int) from worker where id = $1",
        [id, now - 7200],
      );
      await query(
        "insert into worker_event (sub_account_id, worker_id, kind, at) select sub_account_id, id, 'low', now() from worker where id = $1",
        [other],
      );
      const subAccountId = await idOf('owner');
      await owner.post('/api/workerGroups/', { name: 'events', subAccountId });
      await bulk({ ids: [id, other], action: 'group', groupName: 'events' });
      await bulk({ ids: [id], action: 'group' });
      await bulk({ ids: [other], action: 'mute' });
      const events = await owner.call(`/api/workers/${id}/events`);
      expect(events.body).toEqual([
        { kind: 'group', value: null, at: expect.any(Number) },
        { kind: 'group', value: 'events', at: expect.any(Number) },
        { kind: 'alert_limit', value: 0.5, at: expect.any(Number) },
        { kind: 'offline', value: null, at: now - 7200 },
      ]);
      expect((await admin.call(`/api/workers/${id}/events`)).body).toEqual(events.body);
      expect((await stranger.call(`/api/workers/${id}/events`)).status).toBe(404);
    });
  });

  describe('ports of sub-accounts', () => {
    let ports: PortList;
    let id: number;
    let changed = 0;

    beforeAll(async () => {
      ports = pgPortList(test.database.pool, changes);
      ports.onChange(() => {
        changed += 1;
      });
      id = ((await owner.post('/api/subAccounts/', { name: 'owner-two' })).body as { id: number }).id;
    });
    beforeEach(() => {
      changed = 0;
    });

    const edit = async (body: object): Promise<number> =>
      (await admin.put(`/api/admin/subAccounts/?id=${id}`, body)).status;
    const shown = async () =>
      ((await owner.call('/api/connectionInfo/?userName=owner-two')).body as Connection[]).map(
        ({ algorithm, port, tlsPort, dedicated }) => [algorithm, port, tlsPort, dedicated],
      );

    it('a new sub-account has none', async () => {
      expect(await ports.all()).toEqual([]);
      expect(await shown()).toEqual([
        ['SHA256_ASICBOOST', 3311, null, false],
        ['SCRYPT', 3312, 3352, false],
      ]);
    });

    it.each([
      [
        { ports: { SCRYPT: 24_002 }, proxyPort: 24_003 },
        ['SCRYPT', 24_002, 'SHA256_ASICBOOST', 24_003],
        [24_003, 24_002],
      ],
      [
        { ports: { SHA256_ASICBOOST: 24_001, SCRYPT: 24_002 }, proxyPort: 24_003 },
        ['SCRYPT', 24_002, 'SHA256_ASICBOOST', 24_001, 'SHA256_ASICBOOST', 24_003],
        [24_001, 24_002],
      ],
    ])('%j: each port has one algorithm, and is shown for that one', async (change, open, connect) => {
      expect(await edit(change)).toBe(200);
      expect(changed).toBe(1);
      expect(
        (await ports.all()).flatMap(({ subAccountId, algorithm, port }) => [
          subAccountId === id ? algorithm : 'another',
          port,
        ]),
      ).toEqual(open);
      expect((await shown()).map(([, port]) => port)).toEqual(connect);
    });

    it('the proxy is notified of ports, not of other edits or refused ones', async () => {
      expect(await edit({ thresholdSat: 1_000_000 })).toBe(200);
      expect(await edit({ proxyPort: 3311 })).toBe(409);
      expect(await edit({ proxyPort: 3352 })).toBe(409);
      expect(changed).toBe(0);
      expect((await admin.put('/api/bulkUpdateSubAccounts', { updates: [{ id, proxyPort: 24_005 }] })).status).toBe(
        200,
      );
      expect(changed).toBe(1);
    });

    it('a deleted sub-account has none', async () => {
      expect((await owner.del(`/api/subAccounts/${id}`)).status).toBe(200);
      expect([changed, await ports.all()]).toEqual([1, []]);
    });
  });
});
