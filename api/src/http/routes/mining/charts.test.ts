/** Charts of a worker group and of earlier days, and what happened during a chart. */
import type { ChartEvent, Series } from '@pool/shared/api/contract';
import { hashrateOfWork } from '@pool/shared/domain';
import { dayOf, addDays, startOfDay } from '../../../platform/days';
import { testApp, type Person, type TestApp } from '../../testing/test-app';

const DAY = 86_400;
const SHA = 'SHA256_ASICBOOST';

describe('charts', () => {
  let test: TestApp;
  let owner: Person;
  let accountId: number;
  const now = Math.floor(Date.now() / 600_000) * 600 + 300;

  beforeAll(async () => {
    test = await testApp({ now: () => now });
    owner = await test.person('owner');
    const at = now - 1200;
    await test.work([
      { account: 'owner', worker: 'one', at, accepted: 3e6, span: 600 },
      { account: 'owner', worker: 'two', at, accepted: 5e6, span: 600 },
      { account: 'owner', worker: 'one', at: at - DAY, accepted: 7e6, span: 600 },
      { account: 'owner', worker: 'one', at: now - 60, accepted: 1e6, span: 60 },
      { account: 'owner', worker: 'two', at: now - 60, accepted: 2e6, span: 60 },
    ]);
    const { rows } = await test.database.pool.query<{ id: number }>("select id from sub_account where name = 'owner'");
    accountId = rows[0]?.id ?? 0;
    expect((await owner.post('/api/workerGroups/', { name: 'hall 1', subAccountId: accountId })).status).toBe(200);
    await test.database.pool.query("update worker set group_id = (select id from worker_group) where name = 'one'");
  });
  afterAll(() => test.close());

  const get = async <T>(path: string, who = owner): Promise<T> => {
    const answer = await who.call(`/api/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body as T;
  };
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
    const { token } = await get<{ token: string }>('watchers', {
      ...owner,
      call: (path) => owner.post(path, { name: 'link', scopes: ['hashrate'] }),
    });
    const watcher: Person = {
      ...test.visitor,
      call: (path) => test.visitor.call(path, { headers: { authorization: `Bearer ${token}` } }),
    };
    const kinds = new Set((await get<ChartEvent[]>('chartEvents', watcher)).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['outage', 'price']);
    expect((await watcher.call('/api/proxyHashchart/?group=hall%201')).status).toBe(404);
  });
});
