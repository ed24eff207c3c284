/** Two names of one machine: sums and rows before, while they are joined, and after. Journey by the API's calls. */
import type { WorkerJoins } from '@pool/shared/api/contract';
import { writeLive } from '../shares/worker-rows';
import { transaction } from '../../platform/db/transaction';
import { appOfFile, type Person } from '../../http/testing/test-app';
import { BY_ACCOUNT } from '../../platform/db/distributed';

const NOW = Math.floor(Date.now() / 3600_000) * 3600 + 1800;
const MINUTE = 60;
const SHA = 'SHA256_ASICBOOST';
const test = appOfFile({ now: () => NOW });
let owner: Person;
/** Each test has an account of its own. */
let account = { id: 0, name: '' };

/** Shares of a worker, at these minutes before now. */
const mined = (worker: string, ago: number[], accepted = 65_536) =>
  test.work(ago.map((minutes) => ({ account: account.name, worker, at: NOW - minutes * MINUTE, accepted, span: 60 })));
const connection = (worker: string, from: number, until: number | null, remote = '203.0.113.7') =>
  transaction(test.database.pool, (client) =>
    writeLive(client, [
      {
        ...{ subAccountId: account.id, algorithm: SHA, worker, difficulty: 65_536, software: 'bmminer/2.0.0', remote },
        ...{ port: 3333, tls: true, connectedAt: (NOW - from * MINUTE) * 1000 },
        disconnectedAt: until === null ? null : (NOW - until * MINUTE) * 1000,
      },
    ]),
  );
const joins = (who = owner): Promise<WorkerJoins> => who.read<WorkerJoins>('/api/workerJoins');
const part = (...ids: (number | undefined)[]) => owner.post('/api/workerJoins/part', { ids });
const idsOf = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await test.rows<{ id: number; name: string }>('select id, name from worker where sub_account_id = $1', [
        account.id,
      ])
    ).map((w) => [w.name, w.id]),
  );
const list = async () => {
  const { body } = await owner.call('/api/liveWorkers/?sort=name');
  const { workers } = body as {
    workers: { id: number; name: string; h24: number; shares24h: number; group: string }[];
  };
  return workers;
};

/** All rows of workers, as text; that the owner knows a worker stays. */
const everything = async (): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {};
  for (const table of BY_ACCOUNT)
    tables[table] = (
      await test.rows<{ row: string }>(`select (to_jsonb(t) - 'standing')::text as row from ${table} t order by 1`)
    ).map(({ row }) => row);
  return tables;
};
const STEPS = ['1m', '10m', '1h', '1d'];
/** Sums of the account's workers in each step, and its own. */
const sums = async () => {
  const found: Record<string, unknown> = {};
  for (const step of STEPS)
    for (const table of [`share_${step}`, `account_${step}`])
      found[table] = await test.rows(
        `select extract(epoch from at)::int as at, sum(accepted) as accepted, sum(rejected) as rejected,
           sum(shares)::int as shares
         from ${table} where sub_account_id = $1 group by 1 order by 1`,
        [account.id],
      );
  return found;
};
const ofWorker = async (id: number) =>
  test.rows(
    `select extract(epoch from at)::int as at, accepted, shares from share_10m where worker_id = $1 order by 1`,
    [id],
  );

beforeEach(async () => {
  const name = `farm${account.id}`;
  owner = await test.person(name);
  account = { id: await test.accountId(name), name };
  await mined('rig-12', [3000, 2000, 600, 60, 30, 29, 24]);
  await mined('other', [600, 2, 1]);
  await test.rows("insert into worker_group (sub_account_id, name) values ($1, 'Hall A')", [account.id]);
  await test.rows(
    `update worker w set group_id = g.id, muted = true, alert_limit = 0.5
     from worker_group g where g.sub_account_id = $1 and w.sub_account_id = $1 and w.name = 'rig-12'`,
    [account.id],
  );
  await test.rows(
    `insert into worker_event (sub_account_id, worker_id, kind, at)
     select sub_account_id, id, 'offline', to_timestamp($1) from worker where sub_account_id = $2 and name = 'rig-12'`,
    [NOW - 10 * MINUTE, account.id],
  );
  await test.rows(
    `insert into worker_alert (sub_account_id, worker_id, kind, since, active, told)
     select sub_account_id, id, 'offline', to_timestamp($1), true, true from worker
     where sub_account_id = $2 and name = 'rig-12'`,
    [NOW - 20 * MINUTE, account.id],
  );
  await connection('rig-12', 4000, 23);
  await connection('other', 700, null);
  await mined('rig-12b', [20, 10, 2]);
  await connection('rig-12b', 20, null);
});
it('a new name that looks like a former one is offered, joined with all it had, and parted again exactly', async () => {
  const { 'rig-12': former = 0, 'rig-12b': worker = 0 } = await idsOf();
  const [rows, total] = [await everything(), await sums()];
  expect(await joins()).toEqual({
    offers: [
      {
        ...{ worker, name: 'rig-12b', former, formerName: 'rig-12' },
        ...{ since: NOW - 20 * MINUTE, goneAt: NOW - 24 * MINUTE },
      },
    ],
    joins: [],
  });
  const before = await list();

  const joined = await owner.post('/api/workerJoins', { pairs: [{ worker, former }] });
  expect(joined).toMatchObject({
    status: 200,
    body: { offers: [], joins: [{ worker: former, name: 'rig-12b', former: 'rig-12' }] },
  });
  expect(await sums()).toEqual(total);
  const now = await list();
  expect(now.map(({ name }) => name)).toEqual(['other', 'rig-12b']);
  expect(now[1]).toMatchObject({
    id: former,
    group: 'Hall A',
    muted: true,
    alertLimit: 0.5,
    state: 'online',
    port: 3333,
    tls: true,
  });
  expect(now[1]?.shares24h).toBe((before[1]?.shares24h ?? 0) + (before[2]?.shares24h ?? 0));
  expect(now[1]?.h24).toBeCloseTo((before[1]?.h24 ?? 0) + (before[2]?.h24 ?? 0), -9);

  const [{ id = 0 } = {}] = (await joins()).joins;
  const parted = await part(id);
  // What was parted is not offered again.
  expect(parted).toMatchObject({ status: 200, body: { offers: [], joins: [], kept: [] } });
  expect(await everything()).toEqual(rows);
  expect(await sums()).toEqual(total);
  expect(await list()).toEqual(before);
  expect(
    await test.rows("select action, subject from audit where action like 'worker.%' and subject like $1 order by id", [
      `${account.name}.%`,
    ]),
  ).toEqual([
    { action: 'worker.join', subject: `${account.name}.rig-12b` },
    { action: 'worker.part', subject: `${account.name}.rig-12b` },
  ]);
});

it('what comes under either name meanwhile goes to its own worker, once', async () => {
  const { 'rig-12': former = 0, 'rig-12b': worker = 0 } = await idsOf();
  const [own, news] = [await ofWorker(former), await ofWorker(worker)];
  await owner.post('/api/workerJoins', { pairs: [{ worker, former }] });
  // Shares of the former name that were still in a journal, and in steps that both mined in.
  await mined('rig-12', [28]);
  await mined('rig-12b', [2, 1]);
  const total = await sums();
  expect((await list()).map(({ name }) => name)).toEqual(['other', 'rig-12', 'rig-12b']);
  const [{ id = 0 } = {}] = (await joins()).joins;
  expect((await part(id)).status).toBe(200);
  expect(await sums()).toEqual(total);
  expect(await idsOf()).toMatchObject({ 'rig-12': former, 'rig-12b': worker });
  const grown = (rows: object[]) => rows.reduce((sum: number, row) => sum + (row as { shares: number }).shares, 0);
  expect(grown(await ofWorker(former))).toBe(grown(own) + 1);
  expect(grown(await ofWorker(worker))).toBe(grown(news) + 2);
});

it('a name that comes back may be joined again; joins are undone last first', async () => {
  const { 'rig-12': former = 0, 'rig-12b': worker = 0 } = await idsOf();
  await owner.post('/api/workerJoins', { pairs: [{ worker, former }] });
  const [first] = (await joins()).joins;
  const work = await ofWorker(former);
  await connection('rig-12b', 20, 2);
  await mined('rig-12', [1]);
  await connection('rig-12', 1, null);
  const [offer] = (await joins()).offers;
  expect(offer).toMatchObject({ name: 'rig-12', former, formerName: 'rig-12b' });
  const back = { worker: offer?.worker ?? 0, former };
  await owner.post('/api/workerJoins', { pairs: [back] });
  expect((await list()).map(({ id, name }) => [id, name])).toEqual([
    [expect.any(Number), 'other'],
    [former, 'rig-12'],
  ]);
  expect((await part(first?.id)).status).toBe(404);
  const [second] = (await joins()).joins;
  expect((await part(second?.id)).status).toBe(200);
  const { 'rig-12b': kept = 0 } = await idsOf();
  expect(kept).toBe(former);
  expect(await ofWorker(former)).toEqual(work);
});

it('two people at once join it once; what is not likely, or held to be two machines, is refused', async () => {
  const { 'rig-12': former = 0, 'rig-12b': worker = 0, other = 0 } = await idsOf();
  expect((await owner.post('/api/workerJoins', { pairs: [{ worker, former: other }] })).code).toBe('changed_meanwhile');
  const stranger = await test.person('stranger');
  expect((await stranger.post('/api/workerJoins', { pairs: [{ worker, former }] })).code).toBe('changed_meanwhile');
  expect(
    (await stranger.post(`/api/workerJoins?userName=${account.name}`, { pairs: [{ worker, former }] })).status,
  ).toBe(404);
  const both = await Promise.all([1, 2].map(() => owner.post('/api/workerJoins', { pairs: [{ worker, former }] })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [{ id = 0 } = {}] = (await joins()).joins;
  const back = await Promise.all([1, 2].map(() => part(id)));
  expect(back.map(({ status }) => status).sort()).toEqual([200, 404]);
});

it('a farm that renames all its machines behind one router is joined at once, and parted at once', async () => {
  const names = Array.from({ length: 100 }, (_, i) => i);
  const work = (name: string, ago: number[]) =>
    ago.map((minutes) => ({
      account: account.name,
      worker: name,
      at: NOW - minutes * MINUTE,
      accepted: 1000,
      span: 60,
    }));
  await test.work(names.flatMap((n) => work(`s-${n}`, [900, 40, 25])));
  await test.work(names.flatMap((n) => work(`asic-${n}`, [22, 3])));
  for (const n of names) {
    await connection(`s-${n}`, 900, 24, '198.51.100.1');
    await connection(`asic-${n}`, 22, null, '198.51.100.1');
  }
  const [rows, total] = [await everything(), await sums()];
  const { offers } = await joins();
  expect(offers).toHaveLength(101);
  const pairs = offers.map(({ worker, former }) => ({ worker, former }));
  const joined = await owner.post('/api/workerJoins', { pairs });
  expect((joined.body as WorkerJoins).joins).toHaveLength(101);
  expect(await sums()).toEqual(total);
  expect(
    (await test.rows("select from worker where sub_account_id = $1 and name like 's-%'", [account.id])).length,
  ).toBe(0);
  // Two people part them at once: each worker is parted once.
  const ids = (await joins()).joins.map(({ id }) => id);
  const answers = await Promise.all([part(...ids), part(...ids)]);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(await joins()).toEqual({ offers: [], joins: [] });
  expect(await everything()).toEqual(rows);
  expect((await part(...ids)).status).toBe(404);
  expect((await part()).status).toBe(400);
});

it('what cannot be parted is named', async () => {
  const { 'rig-12': former = 0, 'rig-12b': worker = 0 } = await idsOf();
  const { other = 0 } = await idsOf();
  await owner.post('/api/workerJoins', { pairs: [{ worker, former }] });
  // Another machine takes the former name, and is joined with its own former one.
  await connection('other', 700, 4, '203.0.113.9');
  await mined('rig-12', [1]);
  await connection('rig-12', 2, null, '203.0.113.9');
  const { 'rig-12': taker = 0 } = await idsOf();
  expect((await owner.post('/api/workerJoins', { pairs: [{ worker: taker, former: other }] })).status).toBe(200);
  const [later, first] = (await joins()).joins;
  expect((await part(first?.id)).body).toMatchObject({ kept: [first?.id], joins: [later, first] });
  // The one that is in the way goes first.
  expect((await part(first?.id, later?.id)).body).toMatchObject({ kept: [], joins: [] });
});
