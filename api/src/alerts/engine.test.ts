/** The engine over a database, minute by minute. A run keeps nothing in memory: each of them is a restart. */
import { hashrateOfWork } from '@pool/shared/domain';
import { databaseOfFile, emptyTables, insertUsers } from '../platform/db/testing/test-database';
import { transaction } from '../platform/db/transaction';
import { countBatch } from '../mining/shares/count-batch';
import type { Bucket } from '../mining/shares/rollup';
import { dayOf, addDays, startOfDay } from '../platform/days';
import { createLog } from '../platform/log';
import { writeNotes } from '../messages/notifications';
import { type NoteFacts, noteText, plain } from '../messages/outbox/texts';
import { setLimit } from './account-limits';
import { valuesOf } from '../platform/db/querier';
import { changeEvent, farmEvents, holdsEvent } from './event-calls';
import { changeGroup, changeWorkers, makeGroup } from '../mining/workers/worker-groups';
import { WorkerLists } from '../mining/workers/workers';
import { runAlerts, startAlerts } from './engine';
import { poolIncidents } from './outage-log';

describe('the alert engine', () => {
  const database = databaseOfFile();
  let now: number;
  let sequence: number;
  /** Names of the users, each with its account; the first has id 1. */
  let names: string[];
  const told = async (): Promise<[string, unknown][]> => {
    const { rows } = await database.pool.query<{ kind: string; values: unknown }>(
      'select kind, values from notification order by id',
    );
    return rows.map(({ kind, values }) => [kind, values]);
  };

  beforeEach(async () => {
    await emptyTables(database);
    sequence = 0;
    now = Math.floor(Date.now() / 86_400_000) * 86_400 + 30;
  });

  async function miners(...all: string[]): Promise<void> {
    names = all;
    await insertUsers(database, ...all);
  }
  const idOf = (name: string): number => names.indexOf(name) + 1;

  type Work = {
    at?: number;
    span?: number;
    accepted?: number;
    rejected?: number;
    shares?: number;
    /** Seconds from one look to the next. */ step?: number;
  };
  const TWO: Work = { accepted: 200, shares: 20, step: 120 };
  const bucket = (
    who: string,
    { at = now, span = 60, accepted = 100, rejected = 0, shares = 10 }: Work = {},
  ): Bucket => {
    const [account = '', worker = ''] = who.split('.');
    return {
      subAccountId: idOf(account),
      algorithm: 'SHA256_ASICBOOST',
      worker,
      at: at - (at % span),
      span,
      accepted,
      stale: 0,
      rejected,
      shares,
      lastShareAt: accepted > 0 ? at : null,
    };
  };
  const count = (buckets: readonly Bucket[]): Promise<unknown> =>
    transaction(database.pool, (client) => countBatch(client, { proxyId: 'test', sequence: (sequence += 1) }, buckets));
  /** A day of work behind them, 100 a minute. */
  const yesterday = (...workers: string[]): Promise<unknown> =>
    count(
      workers.flatMap((who) =>
        Array.from({ length: 24 }, (_, i) =>
          bucket(who, { at: Math.floor(now / 3600) * 3600 - (i + 1) * 3600, span: 3600, accepted: 6000, shares: 600 }),
        ),
      ),
    );
  /** Minutes in which these workers send shares, with a look at the end of each. */
  async function minutes(n: number, workers: readonly string[], work: Work = {}, healthy = true): Promise<void> {
    for (let i = 0; i < n; i += 1) {
      if (workers.length) await count(workers.map((who) => bucket(who, work)));
      now += work.step ?? 60;
      await runAlerts(database.pool, now, () => healthy);
    }
  }

  it('tells that a worker is offline after ten minutes, that it is back after five, each once', async () => {
    await miners('anna');
    await minutes(12, ['anna.rig1', 'anna.rig2']);
    await minutes(9, ['anna.rig2']);
    expect(await told()).toEqual([]);
    await minutes(8, ['anna.rig2']);
    expect(await told()).toEqual([['worker_offline', { account: 'anna', worker: 'rig1' }]]);
    await minutes(5, ['anna.rig1', 'anna.rig2']);
    expect(await told()).toHaveLength(1);
    await minutes(10, ['anna.rig1', 'anna.rig2']);
    expect((await told()).slice(1)).toEqual([['worker_recovered', { account: 'anna', worker: 'rig1' }]]);
  });

  it('waits for a slow machine as long as its connection and its pace explain its silence', async () => {
    await miners('anna');
    await minutes(1, ['anna.slow', 'anna.gone', 'anna.rig']);
    await database.pool.query(
      `update worker_live l
       set connected_at = to_timestamp($1), silence = 83 * 60, disconnected_at = case when w.name = 'gone' then to_timestamp($1) end
       from worker w where w.sub_account_id = l.sub_account_id and w.id = l.worker_id and w.name <> 'rig'`,
      [now - 600],
    );
    await minutes(10, ['anna.rig'], TWO);
    expect(await told()).toEqual([['worker_offline', { account: 'anna', worker: 'gone' }]]);
    await minutes(33, ['anna.rig'], TWO);
    expect((await told()).at(-1)).toEqual(['worker_offline', { account: 'anna', worker: 'slow' }]);
  });

  it('tells once that a whole account is below its limit, and that it is back clearly above it', async () => {
    await miners('anna');
    const whole = hashrateOfWork('SHA256_ASICBOOST', 1000, 60);
    const of = { subAccountId: 1, account: 'anna', algorithm: 'SHA256_ASICBOOST' } as const;
    await setLimit(database.pool, { ...of, hashrate: 0.79 * whole }, { actorId: 1, ip: null });
    expect(await valuesOf(database.pool)`select subject from audit where action = 'alerts.limit'`).toEqual([
      'anna/SHA256_ASICBOOST',
    ]);
    const low = async (): Promise<string[]> =>
      (await told()).map(([kind]) => kind).filter((kind) => kind.startsWith('account_'));
    /** Minutes in which the account works with this part of its whole hashrate. */
    const work = (n: number, part: number) =>
      minutes(n / 2, ['anna.rig'], { accepted: 2000 * part, shares: 200, step: 120 });
    await work(36, 1);
    expect(await low()).toEqual([]);
    // Below the limit when 20 of 30 minutes are so.
    await work(20, 0.7);
    expect(await low()).toEqual([]);
    await work(16, 0.7);
    const [, values] = (await told()).find(([kind]) => kind === 'account_low') ?? [];
    expect(values).toMatchObject({ account: 'anna', algorithm: 'SHA256_ASICBOOST', limit: '56.55 GH/s' });
    // Above the limit, but not by 5 %.
    await work(40, 0.8);
    expect(await low()).toEqual(['account_low']);
    await work(24, 1);
    expect(await low()).toEqual(['account_low', 'account_low_over']);
    // An outage of the pool, and the half hour after it, is not the account's.
    await minutes(5, [], TWO, false);
    await work(26, 1);
    expect(await low()).toHaveLength(2);
  });

  it('tells once that a group makes less than its limit of what it made in the week, and that it is back', async () => {
    await miners('anna');
    await yesterday('anna.rig1', 'anna.rig2', 'anna.idle', 'anna.other');
    const acting = { actorId: 1, ownerId: 1, ip: '' };
    await makeGroup(database.pool, acting, 1, 'Hall A');
    const ids = [1, 2, 3];
    await changeWorkers(database.pool, { userId: 1, ip: '' }, ids, { action: 'group', groupName: 'Hall A' }, now);
    // One that is being mended is not expected to mine.
    const { rows } = await database.pool.query<{ id: number }>("select id from worker where name = 'idle'");
    await changeWorkers(database.pool, { userId: 1, ip: '' }, [rows[0]!.id], { action: 'mute' }, now);
    const hall = { subAccountId: 1, name: 'Hall A' };
    expect(await changeGroup(database.pool, acting, hall, { limit: 0.9 })).toHaveProperty('id');
    const low = async () => (await told()).filter(([kind]) => kind.startsWith('workers_group_'));
    const work = (n: number, part: number) =>
      minutes(n / 2, ['anna.rig1', 'anna.rig2', 'anna.other'], { accepted: 200 * part, shares: 20, step: 120 });
    await work(20, 1);
    await work(10, 0.85);
    expect(await low()).toEqual([]);
    await work(14, 0.85);
    const values = { account: 'anna', group: 'Hall A', limit: 90, percent: expect.any(Number) };
    expect(await low()).toEqual([['workers_group_low', values]]);
    await work(20, 1);
    expect((await low()).slice(1)).toEqual([['workers_group_low_over', values]]);
    // An outage of the pool is not the group's, nor is a limit that is taken away.
    await minutes(6, [], TWO, false);
    await changeGroup(database.pool, acting, hall, { limit: null });
    await work(30, 0.5);
    expect(await low()).toHaveLength(2);
  });

  it('a mute ends at its time, and what went off meanwhile is told then; one until it mines again ends by itself', async () => {
    await miners('anna');
    await minutes(12, ['anna.timed', 'anna.mended', 'anna.rig']);
    const { rows } = await database.pool.query<{ id: number }>('select id from worker order by name');
    const [mended = 0, , timed = 0] = rows.map(({ id }) => id);
    const mute = (id: number, until: number | null) =>
      changeWorkers(database.pool, { userId: 1, ip: '' }, [id], { action: 'mute', until }, now);
    const muted = async () =>
      (await database.pool.query<{ name: string }>('select name from worker where muted order by 1')).rows.map(
        ({ name }) => name,
      );
    await mute(timed, now + 3600);
    await minutes(15, ['anna.rig', 'anna.mended']);
    expect(await told()).toEqual([]);
    await minutes(30, ['anna.rig', 'anna.mended'], TWO);
    expect(await told()).toEqual([['worker_offline', { account: 'anna', worker: 'timed' }]]);
    const faults = await database.pool.query('select from worker_event where worker_id = $1', [timed]);
    expect(faults.rowCount).toBe(1);

    await minutes(6, ['anna.rig'], TWO);
    await mute(mended, null);
    await minutes(4, ['anna.rig'], TWO);
    expect(await muted()).toEqual(['mended']);
    await minutes(8, ['anna.rig', 'anna.mended'], TWO);
    expect(await muted()).toEqual([]);
  });

  it("keeps a worker's faults with the times they began and ended, those of a muted one too", async () => {
    await miners('anna');
    await minutes(12, ['anna.rig1', 'anna.rig2']);
    await database.pool.query("update worker set muted = true where name = 'rig1'");
    const last = now;
    await minutes(20, ['anna.rig2']);
    const back = now;
    await minutes(12, ['anna.rig1', 'anna.rig2']);
    expect(await told()).toEqual([]);
    const { rows } = await database.pool.query<{ name: string; kind: string; at: number }>(
      `select w.name, e.kind, extract(epoch from e.at)::float8 as at
       from worker_event e join worker w on w.sub_account_id = e.sub_account_id and w.id = e.worker_id
       order by e.id`,
    );
    expect(rows).toEqual([
      { name: 'rig1', kind: 'offline', at: expect.any(Number) },
      { name: 'rig1', kind: 'offline_over', at: expect.any(Number) },
    ]);
    const [began, ended] = rows.map(({ at }) => at);
    expect(Math.abs((began ?? 0) - last)).toBeLessThanOrEqual(60);
    expect(Math.abs((ended ?? 0) - back)).toBeLessThanOrEqual(120);
  });

  it('records when the pool itself was out: no upstream, most miners cut off, the server away', async () => {
    const farm = ['anna', 'boris', 'clara', 'dora', 'emil'];
    await miners(...farm);
    const rigs = farm.map((name) => `${name}.rig`);
    const outages = async (): Promise<unknown[]> =>
      (
        await database.pool.query<{ why: string; since: number; until: number | null }>(
          `select why, extract(epoch from since)::int as since, extract(epoch from until)::int as until
           from pool_outage
           where algorithm = 'SHA256_ASICBOOST'
           order by id`,
        )
      ).rows;
    await minutes(3, rigs);
    const upstream = { why: 'upstream', since: now + 60, until: null as number | null };
    await minutes(3, rigs, {}, false);
    expect(await outages()).toEqual([upstream]);
    await minutes(1, rigs);
    upstream.until = now;
    expect(await outages()).toEqual([upstream]);
    const cut = now;
    await minutes(7, []);
    const cutOff = { why: 'miners', since: expect.any(Number) as number, until: null as number | null };
    expect(await outages()).toEqual([upstream, cutOff]);
    const {
      rows: [found],
    } = await database.pool.query<{ since: number }>(
      "select extract(epoch from since)::int as since from pool_outage where why = 'miners'",
    );
    expect(Math.abs((found?.since ?? 0) - cut)).toBeLessThanOrEqual(60);
    // The server stops in the middle of it.
    cutOff.until = now;
    const server = { why: 'server', since: now, until: now + 3600 };
    now += 3600;
    await runAlerts(database.pool, now);
    expect(await outages()).toEqual([upstream, cutOff, server]);
    // Visitors see the same, newest first; what was away for both algorithms once.
    const said = (await poolIncidents(database.pool, now)).map(({ at, until, why, algorithms }) => [
      why,
      (until ?? NaN) - at,
      algorithms.join(),
    ]);
    const sha = 'SHA256_ASICBOOST';
    expect(said).toEqual([
      ['server', 3600, `SCRYPT,${sha}`],
      ['miners', expect.any(Number), sha],
      ['upstream', upstream.until - upstream.since, `SCRYPT,${sha}`],
    ]);
    expect(await poolIncidents(database.pool, now + 91 * 86_400)).toEqual([]);
  });

  it('records a short absence at a start, and that since the last share where an earlier start failed', async () => {
    const start = async () => {
      const log = createLog('silent');
      const alerts = await startAlerts({ pool: database.pool, log, now: () => now });
      await alerts.stop();
      const { rows } = await database.pool.query<{ from: number; until: number }>(
        `select extract(epoch from since)::int as from, extract(epoch from until)::int as until from pool_outage
         where algorithm = 'SCRYPT' and why = 'server' order by id`,
      );
      return rows;
    };
    expect(await start()).toEqual([]);
    await database.pool.query('delete from setting');
    await miners('anna');
    await count([bucket('anna.rig')]);
    const last = now;
    now += 600;
    expect(await start()).toEqual([{ from: last, until: now }]);
    now += 90;
    expect(await start()).toEqual([
      { from: last, until: last + 600 },
      { from: last + 600, until: now },
    ]);
    expect(await poolIncidents(database.pool, now)).toMatchObject([{ at: last, until: last + 600 }]);
  });

  it('tells where workers went off together, of muted or inactive ones nothing, and that nearly all came back', async () => {
    await miners('anna', 'boris', 'clara');
    await database.pool.query("update sub_account set user_id = 1 where name = 'clara'");
    const hall = Array.from({ length: 20 }, (_, i) => `${i < 14 ? 'anna' : 'clara'}.d-${String(i).padStart(2, '0')}`);
    const rest = Array.from({ length: 20 }, (_, i) => `anna.e-${String(i).padStart(2, '0')}`);
    await yesterday(...hall);
    await minutes(12, [...hall, ...rest, 'anna.quiet', 'boris.only', 'boris.well']);
    await count([bucket('anna.gone', { at: now - 90_000 })]);
    await database.pool.query("update worker set muted = true where name = 'quiet'");
    const last = now;
    // Some have their last share later: all of them are one message.
    await minutes(2, [...rest, 'boris.well', ...hall.slice(0, 9)]);
    await minutes(13, [...rest, 'boris.well']);
    const [single, event, ...none] = (await told()).sort();
    expect(none).toEqual([]);
    expect(single).toEqual(['worker_offline', { account: 'boris', worker: 'only' }]);
    expect(event).toEqual([
      'workers_offline',
      {
        ...{
          context: 'cost',
          event: 1,
          account: 'anna',
          by: 'name',
          place: 'd',
          off: 20,
          total: 20,
          percent: 49,
          hs: expect.any(Number),
        },
        ...{
          since: new Date(last * 1000 - 60_000).toISOString(),
          hashrate: expect.any(String),
          sats: expect.any(Number),
        },
      },
    ]);
    const { rows } = await database.pool.query(
      "select n.accounts, e.rate from notification n, (select sum(hashrate) as rate from worker_event where event_id = 1) e where kind = 'workers_offline'",
    );
    const rate = hashrateOfWork('SHA256_ASICBOOST', 2000, 60);
    expect(rows).toEqual([{ accounts: [1, 3], rate: expect.any(Number) }]);
    expect(Math.abs(rows[0].rate / rate - 1)).toBeLessThan(0.1);
    const asked = { userId: 1, algorithm: 'SHA256_ASICBOOST', since: now } as const;
    const seenBy = async (accounts: number[]) => {
      const [event] = await farmEvents(database.pool, { ...asked, accounts }, now, true);
      return [event?.isPart, event?.total, event?.rigs, await holdsEvent(database.pool, 1, accounts)];
    };
    // A reader of one of its sub-accounts learns of those workers alone, and cannot silence the others.
    expect([await seenBy([1, 3]), await seenBy([1])]).toEqual([
      [undefined, 20, 20, true],
      [true, 14, 14, false],
    ]);
    // The half that is back at first is no message, nor is the one that stays off.
    await minutes(10, [...rest, 'boris.well', ...hall.slice(0, 10)]);
    await minutes(10, [...rest, 'boris.well', ...hall.slice(0, 19)]);
    expect(await told()).toHaveLength(2);
    await minutes(15, [...rest, 'boris.well', ...hall.slice(0, 19)]);
    const [, , over, ...more] = await told();
    expect(more).toEqual([]);
    expect(over).toEqual([
      'workers_recovered',
      {
        ...{ context: 'cost', event: 1, account: 'anna', by: 'name', place: 'd', off: 19, total: 20, percent: 46 },
        ...{ since: expect.any(String), sats: expect.any(Number), minutes: expect.any(Number) },
      },
    ]);
    // The last one is by itself.
    await minutes(12, [...rest, 'boris.well', ...hall]);
    expect((await told()).slice(3)).toEqual([['worker_recovered', { account: 'clara', worker: 'd-19' }]]);
  });

  it('says no more of an event that is looked after, until then; twice as many are told again', async () => {
    await miners('anna');
    const hall = Array.from({ length: 20 }, (_, i) => `anna.d-${String(i).padStart(2, '0')}`);
    const rest = Array.from({ length: 20 }, (_, i) => `anna.e-${String(i).padStart(2, '0')}`);
    await minutes(12, [...hall, ...rest]);
    await database.pool.query("insert into worker_group (sub_account_id, name) values (1, 'Hall D')");
    await database.pool.query(
      "update worker w set group_id = g.id from worker_group g where g.sub_account_id = w.sub_account_id and w.name like 'd-%'",
    );
    const offs = async () => (await told()).map(([, values]) => (values as { off: number }).off);
    await minutes(15, [...hall.slice(8), ...rest]);
    expect(await offs()).toEqual([8]);
    await minutes(14, [...hall.slice(15), ...rest]);
    expect(await offs()).toEqual([8]);
    await minutes(14, [...hall.slice(18), ...rest]);
    expect(await offs()).toEqual([8, 18]);
    const actor = { actorId: 1, ip: null };
    await changeEvent(database.pool, { id: 1, acknowledged: { until: now + 600 }, note: 'breaker 4' }, actor);
    const asked = { userId: 1, algorithm: 'SHA256_ASICBOOST', accounts: [1], since: now } as const;
    expect(await farmEvents(database.pool, asked, now, false)).toMatchObject([
      {
        id: 1,
        by: 'group',
        value: 'Hall D',
        off: 18,
        until: null,
        note: 'breaker 4',
        acknowledged: { by: 'anna', until: now + 600 },
      },
    ]);
    expect(await farmEvents(database.pool, { ...asked, accounts: [] }, now, false)).toEqual([]);
    await minutes(9, [...hall.slice(18), ...rest]);
    expect(await offs()).toHaveLength(2);
    await minutes(2, [...hall.slice(18), ...rest]);
    expect(await offs()).toEqual([8, 18, 18]);
    await changeEvent(database.pool, { id: 1, acknowledged: { until: null } }, actor);
    await minutes(30, rest);
    expect(await offs()).toHaveLength(3);
  });

  it('tells of 298 strange names in one message, and not of their faults; machines that work are no strangers', async () => {
    await miners('anna');
    await yesterday('anna.rig1', 'anna.rig2');
    await minutes(2, ['anna.rig1', 'anna.rig2']);
    const names = Array.from({ length: 298 }, (_, i) => `anna.x${String(i).padStart(3, '0')}`);
    await count([
      ...names.slice(0, 150).map((who) => bucket(who, { accepted: 0.01, shares: 1 })),
      bucket('anna.rig3'),
      bucket('anna.rig4'),
    ]);
    await minutes(1, ['anna.rig1', 'anna.rig2']);
    await count(names.slice(150).map((who) => bucket(who, { accepted: 0.01, shares: 1 })));
    await minutes(20, ['anna.rig1', 'anna.rig2', 'anna.rig3', 'anna.rig4']);
    expect(await told()).toEqual([
      ['workers_strange', { account: 'anna', count: 150, names: expect.stringMatching(/^x000, x001, .*, …$/) }],
    ]);
    const { rows } = await database.pool.query<{ standing: string | null; n: number }>(
      'select standing, count(*) as n from worker group by 1 order by 1',
    );
    expect(rows).toEqual([
      { standing: 'strange', n: 298 },
      { standing: null, n: 4 },
    ]);
  });

  it('tells of a rate that stays low, and that it is back', async () => {
    await miners('anna');
    await yesterday('anna.slow', 'anna.well');
    // The hour before in full, as the ten minutes have it.
    await count(
      ['anna.slow', 'anna.well'].flatMap((who) =>
        Array.from({ length: 7 }, (_, i) => bucket(who, { at: now - i * 600, span: 600, accepted: 1000, shares: 100 })),
      ),
    );
    now += 600;
    await minutes(3, ['anna.slow', 'anna.well'], TWO);
    expect(await told()).toEqual([]);
    // The list of workers judges by the same rule.
    const lowOnPages = async () =>
      (await new WorkerLists(database.pool).list(1, 'SHA256_ASICBOOST', now)).flatMap(({ name, state }) =>
        state === 'low' ? [name] : [],
      );
    expect(await lowOnPages()).toEqual([]);
    for (let i = 0; i < 30; i += 1) {
      await count([bucket('anna.slow', { accepted: 80, shares: 8 })]);
      await minutes(1, ['anna.well'], TWO);
    }
    expect(await told()).toEqual([['worker_low', { account: 'anna', worker: 'slow' }]]);
    expect(await lowOnPages()).toEqual(['slow']);
    await minutes(30, ['anna.slow', 'anna.well'], TWO);
    expect((await told()).slice(1)).toEqual([['worker_low_over', { account: 'anna', worker: 'slow' }]]);
  });

  it('tells of rejects', async () => {
    await miners('anna');
    await minutes(12, ['anna.rig']);
    await minutes(15, ['anna.rig'], { ...TWO, rejected: 30 });
    expect(await told()).toEqual([['worker_rejects', { account: 'anna', worker: 'rig' }]]);
  });

  it('tells nobody after a restart, only of who does not come back in ten minutes', async () => {
    await miners('anna', 'boris');
    await minutes(12, ['anna.back', 'anna.lost', 'boris.back']);
    now += 3 * 3600; // nobody there
    await minutes(9, ['anna.back', 'boris.back']);
    expect(await told()).toEqual([]);
    await minutes(8, ['anna.back', 'boris.back']);
    expect(await told()).toEqual([['worker_offline', { account: 'anna', worker: 'lost' }]]);
  });

  it('tells nobody of an upstream that is down', async () => {
    await miners('anna', 'boris');
    await minutes(12, ['anna.rig', 'boris.rig']);
    await minutes(10, [], TWO, false);
    await minutes(8, ['anna.rig', 'boris.rig'], TWO);
    expect(await told()).toEqual([]);
  });

  it("tells of a switch of a sub-account's upstream once, and of none that is everybody's", async () => {
    await miners('anna');
    const write = (from: string | null, to: string | null, why: string, own = true) =>
      database.pool.query(
        `insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why, at)
         values ($1, $2, $3, $4, $5, to_timestamp($6::float8))`,
        ['SCRYPT', own ? 1 : null, from, to, why, now],
      );
    await write('stratum+tcp://a.example:1', 'stratum+tcp://b.example:2', 'closed');
    await write('stratum+tcp://x.example:1', 'stratum+tcp://y.example:2', 'closed', false);
    await write('stratum+tcp://b.example:2', null, 'timeout');
    for (let n = 0; n < 3; n += 1) await write(null, null, 'unreadable');
    await minutes(3, []);
    expect(await told()).toEqual([
      [
        'upstream_switch',
        {
          account: 'anna',
          algorithm: 'SCRYPT',
          why: 'closed',
          from: 'stratum+tcp://a.example:1',
          to: 'stratum+tcp://b.example:2',
        },
      ],
      ['upstream_lost', { account: 'anna', algorithm: 'SCRYPT', why: 'timeout', from: 'stratum+tcp://b.example:2' }],
      ['upstream_unreadable', { account: 'anna', algorithm: 'SCRYPT', why: 'unreadable' }],
    ]);
  });

  it("sends yesterday's digest once, at eight, to who wants it", async () => {
    await miners('anna', 'boris');
    await database.pool.query(
      `insert into telegram_connection (user_id, chat_id, status, events, token_hash, session_id, expires_at, linked_at)
       values ($1, 1, 'linked', '{digest}', 'x', 's', now(), now())`,
      [1],
    );
    const day = addDays(dayOf(now), -1);
    for (const [name, on, times] of [
      ['anna', day, 1],
      ['anna', addDays(day, -1), 2],
      ['boris', day, 1],
    ] as const) {
      await database.pool.query(
        `insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
           fee_percent, gross_sat, fee_sat, net_sat)
         values ($1, 'SHA256_ASICBOOST', $2, 1, 1, $3 * 1.5e15, 0.0005, 1e5, 1.5, $3 * 1000, $3 * 15, $3 * 985)`,
        [idOf(name), on, times],
      );
    }
    now = startOfDay(dayOf(now)) + 8 * 3600 - 150;
    await minutes(2, ['anna.rig']);
    expect(await told()).toEqual([]);
    await minutes(4, ['anna.rig']);
    expect(await told()).toEqual([
      [
        'daily_digest',
        {
          ...{ day, amount: '0.00000985', hashrate: 'SHA256 1.50 PH/s', online: 1, offline: 0 },
          ...{ context: 'change', difference: -985, hashrateSat: -985, uptimeSat: 0, rejectsSat: 0, priceSat: 0 },
          ...{ feeSat: 0, correctionSat: 0 },
        },
      ],
    ]);
  });

  it('a digest has the sub-accounts of its reader: a member whose role is limited gets those alone', async () => {
    await miners('anna', 'boris', 'carol', 'dora', 'hall');
    const { pool } = database;
    // Anna's row is the farm's, of which the hall is a part; the others are its members.
    await pool.query('update sub_account set user_id = 1 where id = 5');
    await pool.query("insert into organization (id, user_id, name, slug) values ('org_1', 1, 'Farm', 'anna')");
    await pool.query(`insert into organization_member (id, organization_id, user_id, role, accounts)
      values ('m2', 'org_1', 2, 'accountant', null), ('m3', 'org_1', 3, 'accountant', '{5}'), ('m4', 'org_1', 4, 'technician', null)`);
    await pool.query(
      "insert into alert_setting (user_id, mail_events) values (2, '{digest}'), (3, '{digest}'), (4, '{digest}')",
    );
    const day = addDays(dayOf(now), -1);
    for (const [account, sats] of [
      ['anna', 7000],
      ['hall', 900],
    ] as const)
      await pool.query(
        `insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
           fee_percent, gross_sat, fee_sat, net_sat) values ($1, 'SCRYPT', $2, 1, 1, 1e12, 0.0005, 1e5, 0, $3, 0, $3)`,
        [idOf(account), day, sats],
      );
    // A night in the hall, and one in another account, of which the hall's accountant hears nothing.
    const began = startOfDay(day) + 7800;
    const wentOff = async (event: number, account: string, count: number) => {
      await pool.query(
        `insert into farm_event (user_id, algorithm, by, value, total, since, told, until, lost_sat)
         values (1, 'SHA256_ASICBOOST', 'group', $1, 9, to_timestamp($2), 9, to_timestamp($2 + 1260), 8400)`,
        [`Rows of ${account}`, began],
      );
      await pool.query(
        `with made as (
           insert into worker (sub_account_id, algorithm, name) select $1, 'SHA256_ASICBOOST', 'rig' || n
           from generate_series(1, $2) n returning id
         )
         insert into worker_event (sub_account_id, worker_id, kind, at, hashrate, event_id)
         select $1, id, 'offline', to_timestamp($3), 1e14, $4 from made`,
        [idOf(account), count, began, event],
      );
    };
    await wentOff(1, 'hall', 9);
    await wentOff(2, 'anna', 4);
    now = startOfDay(dayOf(now)) + 8 * 3600;
    await runAlerts(pool, now);
    const { rows } = await pool.query<NoteFacts & { user_id: number }>(
      'select user_id, kind, values from notification order by user_id',
    );
    const day_ = `${day}: earned`;
    const rest = 'mean hashrate SCRYPT 1.00 TH/s; workers running: 0, offline: 0';
    const largest = 'the largest, Rows of hall: 9 off for 21 min';
    expect(rows.map((note) => [note.user_id, noteText(plain.say, 'en', note)])).toEqual([
      [
        2,
        `${day_} 0.000079 BTC, ${rest.replace('1.00', '2.00')}. Workers that went off together: events 2, ` +
          `about 16,800 sats lost; ${largest}`,
      ],
      [3, `${day_} 0.000009 BTC, ${rest}. Workers that went off together: events 1, about 8,400 sats lost; ${largest}`],
    ]);
  });

  it('tells a member who may not see money of an event without it', async () => {
    await miners('anna', 'boris', 'carol');
    const { pool } = database;
    await pool.query("insert into organization (id, user_id, name, slug) values ('org_1', 1, 'Farm', 'anna')");
    await pool.query(`insert into organization_member (id, organization_id, user_id, role)
      values ('m2', 'org_1', 2, 'technician'), ('m3', 'org_1', 3, 'owner')`);
    const values = { context: 'cost', by: 'all', place: '', sats: 7, off: 5 };
    await writeNotes(pool, [{ userId: 1, kind: 'workers_offline', values, accounts: [1] }], now);
    const { rows } = await pool.query('select values from notification order by user_id');
    const { sats: _, ...rest } = { ...values, context: 'place' };
    expect(rows).toEqual([{ values }, { values: rest }, { values }]);
  });

  it('does the work once when two servers look at the same time', async () => {
    await miners('anna');
    await minutes(12, ['anna.rig', 'anna.well']);
    await minutes(9, ['anna.well']);
    now += 90;
    await count([bucket('anna.well')]);
    const before = (await told()).length;
    await Promise.all([runAlerts(database.pool, now), runAlerts(database.pool, now)]);
    expect(await told()).toHaveLength(before + 1);
  });
});
