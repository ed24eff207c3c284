/** Charts of a worker group and of earlier days, and what happened during a chart. */
import fc from 'fast-check';
import type { z } from 'zod';
import type { ChartEvent, Contract, Dip, Live, Series, Worker, WorkerCounts } from '@pool/shared/api/contract';
import { byTrouble, hashrateOfWork } from '@pool/shared/domain';
import { countWork } from '../../../mining/shares/testing/count-work';
import { addDays, dayOf, startOfDay } from '../../../platform/days';
import { appOfFile, bearing, personOfFile } from '../../testing/test-app';

const DAY = 86_400;
const SHA = 'SHA256_ASICBOOST';

describe('charts', () => {
  let accountId: number;
  const now = Math.floor(Date.now() / 600_000) * 600 + 300;
  const test = appOfFile({ now: () => now });
  const owner = personOfFile(test, 'owner');

  beforeAll(async () => {
    const at = now - 1200;
    await test.work([
      { account: 'owner', worker: 'one', at, accepted: 3e6, span: 600 },
      { account: 'owner', worker: 'two', at, accepted: 5e6, span: 600 },
      { account: 'owner', worker: 'one', at: at - DAY, accepted: 7e6, span: 600 },
      { account: 'owner', worker: 'one', at: now - 60, accepted: 1e6, span: 60 },
      { account: 'owner', worker: 'two', at: now - 60, accepted: 2e6, span: 60 },
    ]);
    accountId = await test.accountId('owner');
    expect((await owner.post('/api/workerGroups/', { name: 'hall 1', subAccountId: accountId })).status).toBe(200);
    await test.rows(
      "update worker w set group_id = g.id from worker_group g where g.sub_account_id = w.sub_account_id and w.name = 'one'",
    );
  });

  const get = <T>(path: string, who = owner): Promise<T> => who.read(`/api/${path}`);
  /** The points of a chart, as work. */
  const points = ({ accepted }: Series): number[] =>
    accepted.flatMap((hs) => (hs ? [Math.round((hs / hashrateOfWork(SHA, 1, 1)) * 600)] : []));

  it('of a group: its workers only, in history, live figures and counts', async () => {
    expect(points(await get<Series>('proxyHashchart/'))).toEqual([8e6]);
    expect(points(await get<Series>('proxyHashchart/?group=hall%201'))).toEqual([3e6]);
    expect(points(await get<Series>('proxyHashchart/?group=nothing'))).toEqual([]);
    const live = await get<{ current: { h24: number }; quality24h: { accepted: number } }>(
      'proxyLiveHashchart/?group=hall%201',
    );
    expect(live.quality24h.accepted).toBe(4e6);
    expect(await get('getWorkerCount/?group=hall%201')).toMatchObject({ total: 1 });
    expect(await get('getWorkerCount/')).toMatchObject({ total: 2 });
  });

  it('of a day before', async () => {
    const [today, before] = [
      await get<Series>('proxyHashchart/'),
      await get<Series>('proxyHashchart/?daysBefore=1&group=hall%201'),
    ];
    expect(today.from - before.from).toBe(DAY);
    expect(points(before)).toEqual([7e6]);
    expect((await owner.call('/api/proxyHashchart/?daysBefore=8')).status).toBe(400);
  });

  it('say what happened: to who may read it, in its time, oldest first', async () => {
    const { pool } = test.database;
    const midnight = startOfDay(dayOf(now));
    for (const [ago, price] of [
      [3, 0.0005],
      [1, 0.0005],
      [0, 0.00051],
    ] as const)
      await pool.query(
        `insert into day_price (day, algorithm, price_btc, btc_price_usd, source)
         values ($1, $2, $3, 90000, 'manual')`,
        [addDays(dayOf(now), -ago), SHA, price],
      );
    await pool.query(
      `insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why, at)
       values ($1, $2, 'stratum+tcp://a.example:1', 'stratum+tcp://b.example:2', 'lost', to_timestamp($3)),
         ('SCRYPT', $2, null, 'stratum+tcp://c.example:3', 'restored', to_timestamp($3))`,
      [SHA, accountId, now - 500],
    );
    for (const [sentAt, sats] of [
      [now - 2 * DAY, 7_000_000],
      [now - 400, 5_000_000],
    ]) {
      await pool.query(
        `insert into payment (sub_account_id, period_from, period_to, amount_sat, address, status)
         values ($1, '2026-01-01', '2026-01-02', $2, 'bc1q', 'queued')`,
        [accountId, sats],
      );
      await pool.query(
        "update payment set status = 'sent', txid = repeat('a', 64), sent_at = to_timestamp($1) where status = 'queued'",
        [sentAt],
      );
    }
    await pool.query(
      `insert into pool_outage (algorithm, why, since, until)
       values ($1, 'server', to_timestamp($2), to_timestamp($2 + 100)), ($1, 'upstream', to_timestamp($2 + 400), null),
         ($1, 'miners', to_timestamp($2) - interval '3 days', to_timestamp($2) - interval '2 days')`,
      [SHA, now - 600],
    );
    const events = await get<ChartEvent[]>('chartEvents');
    expect(events.toSorted((a, b) => a.at - b.at)).toEqual(events);
    const others = events.filter(({ kind }) => kind !== 'price');
    expect(others).toEqual([
      { kind: 'outage', at: now - 600, until: now - 500, why: 'server' },
      { kind: 'switch', at: now - 500, from: 'a.example:1', to: 'b.example:2', why: 'lost' },
      { kind: 'payout', at: now - 400, amountSat: 5_000_000 },
      { kind: 'outage', at: now - 200, until: null, why: 'upstream' },
    ]);
    expect(events.filter(({ kind }) => kind === 'price')).toEqual([
      { kind: 'price', at: midnight, priceBtc: 0.00051, before: 0.0005 },
    ]);
    const link = await owner.post('/api/watchers', { name: 'link', scopes: ['hashrate'] });
    const watcher = bearing((link.body as { token: string }).token, test.visitor);
    const kinds = new Set((await get<ChartEvent[]>('chartEvents', watcher)).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['outage', 'price']);
    expect((await watcher.call('/api/proxyHashchart/?group=hall%201')).status).toBe(404);
  });

  it('names the side of each dip, newest first, and its cost to who may read payments', async () => {
    const miner = await test.person('dipper');
    const { pool } = test.database;
    await pool.query('delete from pool_outage');
    const end = now - 300;
    const at = (stepsAgo: number) => end - stepsAgo * 600;
    const low = new Map([
      [100, 0.25],
      [60, 0.5],
      [59, 0.5],
      [20, 0],
    ]);
    await test.work(
      Array.from({ length: 140 }, (_, i) => i + 1).flatMap((ago) => {
        const accepted = 8e9 * (low.get(ago) ?? 1);
        return accepted > 0 ? [{ account: 'dipper', worker: 'rig', at: at(ago), accepted, span: 600 }] : [];
      }),
    );
    await pool.query('update account_10m set shares = 1000');
    await pool.query(
      `insert into pool_outage (algorithm, why, since, until)
     values ($1, 'upstream', to_timestamp($2), to_timestamp($2 + 600))`,
      [SHA, at(100)],
    );
    await pool.query(
      `insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why, at)
     select $1, id, 'stratum+tcp://a.example:1', 'stratum+tcp://b.example:2', 'lost', to_timestamp($2)
     from sub_account where name = 'dipper'`,
      [SHA, at(60) + 60],
    );
    const { body } = await miner.call('/api/dips');
    const dips = body as Dip[];
    expect(dips.map(({ lostSat, ...dip }) => dip)).toEqual([
      { at: at(20), until: at(19), side: 'miners' },
      { at: at(60), until: at(58), side: 'upstream' },
      { at: at(100), until: at(99), side: 'pool' },
    ]);
    // The steps missed 1, 1 and 0.75 of the usual hashrate.
    const [whole = 0, halves = 0, part = 0] = dips.map(({ lostSat }) => lostSat ?? 0);
    expect(whole).toBeGreaterThan(0);
    expect(Number.isInteger(whole)).toBe(true);
    expect(halves / whole).toBeCloseTo(1, 1);
    expect(part / whole).toBeCloseTo(0.75, 1);

    const link = await miner.post('/api/watchers', { name: 'link', scopes: ['hashrate'] });
    const { token } = link.body as { token: string };
    const seen = await test.visitor.call('/api/dips', { headers: { authorization: `Bearer ${token}` } });
    expect((seen.body as Dip[]).map(({ lostSat }) => lostSat)).toEqual([undefined, undefined, undefined]);
    // What another's link reaches is not this account.
    expect((await owner.call('/api/dips?userName=dipper')).status).toBe(404);
  });
});

type List = z.output<Contract['GET /liveWorkers/']['response']>;

describe('changes of a long list of workers', () => {
  /** A quarter of an hour, so that the minutes below stay in one hour. */
  let now = Math.floor(Date.now() / 3_600_000) * 3600 + 900;
  const test = appOfFile({ now: () => now });
  const owner = personOfFile(test, 'owner');
  let page: List;

  beforeAll(async () => {
    await test.work(
      ['first', 'second', 'third'].map((worker) => ({ account: 'owner', worker, at: now - 60, accepted: 1e6 })),
    );
    await test.rows(
      `insert into worker (sub_account_id, algorithm, name)
       select id, 'SHA256_ASICBOOST', 'idle-' || n from sub_account, generate_series(1, 1000) n where name = 'owner'`,
    );
    page = await get('?sort=name');
  });

  const get = (query: string): Promise<List> => owner.read(`/api/liveWorkers/${query}`);
  const since = (version = page.version ?? 'none', query = '&sort=name'): Promise<List> =>
    get(`?since=${encodeURIComponent(version)}${query}`);
  const named = (rows: readonly Pick<Worker, 'id'>[]): string[] =>
    rows.map(({ id }) => page.workers.find((worker) => worker.id === id)?.name ?? `${id}`);
  /** The list of the page with an answer's changes. */
  const applied = ({ workers, numbers = [] }: List): Worker[] =>
    page.workers.map((old) => {
      const latest = numbers.find(({ id }) => id === old.id);
      if (!latest) return workers.find(({ id }) => id === old.id) ?? old;
      const { measuring: _m, backSince: _b, ...rest } = old;
      return {
        ...rest,
        ...latest,
        spark: old.spark.with(-1, latest.spark.at(-1) ?? null).with(-2, latest.spark.at(-2) ?? null),
      };
    });
  const ask = async (seconds: number): Promise<List> => {
    now += seconds;
    const answer = await since();
    const whole = await get('?sort=name');
    expect(applied(answer)).toEqual(whole.workers);
    expect(answer).toMatchObject({ version: whole.version, counts: whole.counts, total: whole.total });
    page = whole;
    return answer;
  };

  it('are numbers of those that mined, and whole rows of those with other changes', async () => {
    expect(page.workers).toHaveLength(1003);
    expect(page.numbers).toBeUndefined();
    await test.work([{ account: 'owner', worker: 'second', at: now, accepted: 5e6, rejected: 1e3 }]);
    await test.rows("update worker set muted = true where name = 'idle-7'");
    await test.rows(
      "update worker_live set software = 'new/2' where worker_id = (select id from worker where name = 'third')",
    );
    const answer = await ask(30);
    expect(named(answer.numbers ?? [])).toEqual(['first', 'second']);
    expect(named(answer.workers)).toEqual(['idle-7', 'third']);
    // The same reading again.
    expect(await since()).toMatchObject({ workers: [], numbers: [], version: page.version });
    // Silent for ten minutes: the state changes by itself.
    const later = await ask(900);
    expect(later.numbers?.find(({ id }) => named([{ id }])[0] === 'first')).toMatchObject({ state: 'offline' });
    expect(later.workers).toEqual([]);
  });

  it('are counted from any reading, and whole rows as hours end', async () => {
    const old = page;
    await ask(20);
    await ask(20);
    page = old;
    await ask(0);
    expect(named((await ask(7200)).workers)).toEqual(['first', 'second', 'third']);
    expect((await ask(20)).workers).toEqual([]);
  });

  it('have no parts when workers came, went or changed by their owner, after a start, or in another order', async () => {
    const whole = async (answer: Promise<List>, rows = page.workers.length): Promise<void> => {
      const { numbers, workers } = await answer;
      expect([numbers, workers.length]).toEqual([undefined, rows]);
    };
    await whole(since('none'));
    await whole(since(`${page.version}0`));
    expect((await since(page.version, '&sort=-name')).version).toBeUndefined();
    await whole(since(page.version, '&sort=-name'));
    await whole(since(page.version, '&sort=state'));
    await whole(since(page.version, '&sort=name&search=idle-99'), 11);
    expect((await since()).numbers).toEqual([]);
    const gone = page.workers.find(({ name }) => name === 'idle-1');
    const body = { ids: [gone?.id], action: 'delete' };
    expect((await owner.post('/api/workers/bulk', body)).status).toBe(200);
    await whole(since(), 1002);
    page = await get('?sort=name');
    await test.work([{ account: 'owner', worker: 'new', at: now, accepted: 1e6 }]);
    now += 20;
    await whole(since(), 1003);
  });

  it('are of the whole list also when it was read in several answers', async () => {
    const [first, last] = [await get('?sort=name&limit=600'), await get('?sort=name&limit=600&cursor=o600')];
    expect([...first.workers, ...last.workers]).toEqual((await get('?sort=name')).workers);
    expect([first.nextCursor, last.nextCursor, last.version]).toEqual(['o600', null, first.version]);
    await test.work([{ account: 'owner', worker: 'third', at: now, accepted: 1e6 }]);
    now += 20;
    const { numbers, nextCursor } = await since(first.version, '&sort=name&limit=600');
    expect(named(numbers ?? [])).toContain('third');
    expect(nextCursor).toBeNull();
  });

  it('begin after the workers in most trouble, from which the list goes on by name from its start', async () => {
    const { workers, nextCursor, version, counts, total } = await get('?sort=name&worst=2');
    const all = await get(`?sort=name&worst=2&cursor=${nextCursor}`);
    const worst = new Set(all.workers.toSorted(byTrouble).slice(0, 2));
    expect(workers).toEqual(all.workers.filter((worker) => worst.has(worker)));
    expect([version, counts, total]).toEqual([undefined, all.counts, all.workers.length]);
    expect([all.nextCursor, typeof all.version]).toEqual([null, 'string']);
    expect((await get('?sort=name&worst=5000')).workers).toEqual(all.workers);
  });

  it('are not offered for a short list', async () => {
    const other = await test.person('other');
    await test.work([{ account: 'other', at: now, accepted: 1e6 }]);
    const { body } = await other.call(`/api/liveWorkers/?sort=name&since=${page.version}`);
    expect(body).toMatchObject({ workers: [{ name: 'rig' }] });
    expect(body).not.toHaveProperty('version');
    expect(body).not.toHaveProperty('numbers');
  });
});

describe('one figure has one value', () => {
  /** Minutes ago at which a machine began and stopped, and its work a minute; some of it at a pool of its own. */
  const machine = fc.record({
    begun: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 90, max: 2000 })),
    lasts: fc.integer({ min: 1, max: 2000 }),
    work: fc.integer({ min: 100, max: 10_000 }),
    own: fc.boolean(),
    group: fc.constantFrom('hall 1', 'hall 2'),
  });
  let now = Math.floor(Date.now() / 600_000) * 600 + 317;
  const test = appOfFile({ now: () => now });
  const admin = personOfFile(test, 'boss', { role: 'admin' });
  beforeAll(async () => {
    await test.rows("insert into referral_code (code, user_id) values ('BOSS1234', $1)", [admin.userId]);
  });

  it('of dashboard, workers, groups, sub-accounts, referral and the admin’s users, whatever was mined', async () => {
    let people = 0;
    const { pool } = test.database;
    const one = async (machines: readonly (typeof machine extends fc.Arbitrary<infer M> ? M : never)[]) => {
      now += 60;
      const name = `miner${(people += 1)}`;
      const person = await test.person(name);
      const id = await test.accountId(name);
      const buckets = machines.flatMap(({ begun, lasts, work, own }, i) => {
        const end = now - Math.max(0, begun - lasts) * 60;
        const found = [];
        for (let at = Math.floor((now - begun * 60) / 60) * 60; at < end;) {
          const span = now - at > 3 * 3600 && at % 600 === 0 ? 600 : 60;
          const accepted = (work * span) / 60;
          const sums = own ? { accepted: 0, shares: 0, own: { accepted, shares: 9 } } : { accepted, shares: 9 };
          found.push({
            subAccountId: id,
            worker: `rig-${i}`,
            at,
            span,
            lastShareAt: Math.min(at + span, now) - 1,
            ...sums,
          });
          at += span;
        }
        return found;
      });
      await countWork(pool, buckets);
      for (const group of new Set(machines.map((each) => each.group)))
        await person.post('/api/workerGroups/', { name: group, subAccountId: id });
      for (const [i, { group }] of machines.entries())
        await pool.query(
          `update worker w set group_id = g.id from worker_group g
           where g.sub_account_id = $1 and g.name = $2 and w.sub_account_id = $1 and w.name = $3`,
          [id, group, `rig-${i}`],
        );
      await pool.query('insert into referral (user_id, referrer_id, activated_at) values ($1, $2, now())', [
        person.userId,
        admin.userId,
      ]);
      now += 4;
      const get = <T>(path: string, who = person): Promise<T> => who.read(`/api/${path}`);
      const live = async (query = ''): Promise<Live['current']> =>
        (await get<Live>(`proxyLiveHashchart/?algorithm=${SHA}${query}`)).current;
      const { workers } = await get<{ workers: Worker[] }>(`liveWorkers/?algorithm=${SHA}`);
      const counts = await get<WorkerCounts>(`getWorkerCount/?algorithm=${SHA}`);
      const groups = await Promise.all(
        [...new Set(machines.map(({ group }) => group))].map((g) => live(`&group=${g}`)),
      );
      const [facts] =
        await get<{ hashrates: Record<string, number>; workersOnline: number; workersLow: number }[]>(
          'subAccounts/facts',
        );
      const [user] = (
        await get<{ rows: { hashrate24h: number; workersOnline: number }[] }>(`users/?search=${name}@`, admin)
      ).rows;
      const [referred] = await get<{ hashrate24h: number }[]>('referral/list', admin);
      const account = await live();
      const sum = (of: readonly Record<'m5' | 'h1' | 'h24', number>[], window: 'm5' | 'h1' | 'h24') =>
        of.reduce((total, each) => total + each[window], 0);
      const same = (...values: (number | undefined)[]): void => {
        for (const value of values) expect(value! / (values[0] || 1)).toBeCloseTo((values[0] ?? 0) && 1, 4);
      };
      same(account.m5, sum(workers, 'm5'), sum(groups, 'm5'));
      same(account.h1, sum(workers, 'h1'), sum(groups, 'h1'), facts!.hashrates[SHA] ?? 0);
      same(account.h24, sum(workers, 'h24'), sum(groups, 'h24'), user!.hashrate24h, referred!.hashrate24h);
      const running = workers.filter(({ state }) => state === 'online' || state === 'low').length;
      expect([user!.workersOnline, counts.online + counts.low, facts!.workersOnline + facts!.workersLow]).toEqual(
        Array(3).fill(running),
      );
    };
    await fc.assert(fc.asyncProperty(fc.array(machine, { minLength: 1, maxLength: 4 }), one), {
      numRuns: 6,
      endOnFailure: true,
    });
  });
});
