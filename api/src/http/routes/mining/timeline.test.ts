/** One list of what happened to an account: every kind, its money, and who may read which. */
import type { z } from 'zod';
import type { Contract, TimelineEntry } from '@pool/shared/api/contract';
import { addDays, dayOf, startOfDay } from '../../../platform/days';
import { appOfFile, bearing, type Person } from '../../testing/test-app';

const DAY = 86_400;
const SHA = 'SHA256_ASICBOOST';
const A = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const B = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

type Page = z.output<Contract['GET /timeline']['response']>;

let owner: Person;
const people: Record<string, Person> = {};
const now = Math.floor(Date.now() / 600_000) * 600 + 300;
const test = appOfFile({ now: () => now });
const end = now - 300;
const stepAt = (stepsAgo: number) => end - stepsAgo * 600;

const page = (path = '', who = owner): Promise<Page> => who.read(`/api/timeline${path}`);
const entries = async (path = '', who = owner): Promise<TimelineEntry[]> => (await page(path, who)).rows;
const kindsFor = async (who: Person, path = ''): Promise<string[]> => [
  ...new Set((await entries(`?limit=500${path}`, who)).map(({ kind }) => kind).sort()),
];

async function pay(account: string, sentAt: number, sats: number): Promise<void> {
  await test.rows(
    `insert into payment (sub_account_id, period_from, period_to, amount_sat, address, status)
     select id, '2026-01-01', '2026-01-02', $2, 'bc1q', 'queued' from sub_account where name = $1`,
    [account, sats],
  );
  await test.rows(
    "update payment set status = 'sent', txid = repeat('a', 64), sent_at = to_timestamp($1) where status = 'queued'",
    [sentAt],
  );
}

async function wentOff(account: string, since: number, lostSat: number | null): Promise<void> {
  await test.rows(
    `with event as (
       insert into farm_event (user_id, algorithm, by, value, total, since, told, until, lost_sat)
       select user_id, $2, 'group', 'Hall D', 4, to_timestamp($3), 4,
         case when $4::bigint is not null then to_timestamp($3 + 600) end, $4
       from sub_account where name = $1 returning id
     ), made as (
       insert into worker (sub_account_id, algorithm, name)
       select s.id, $2, 'off' || event.id || '-' || n
       from sub_account s, event, generate_series(1, 4) n where s.name = $1 returning id, sub_account_id
     )
     insert into worker_event (sub_account_id, worker_id, kind, at, hashrate, event_id)
     select made.sub_account_id, made.id, 'offline', to_timestamp($3), 1e14, event.id from made, event`,
    [account, SHA, since, lostSat],
  );
}

const outage = (why: string, since: number, until: number | null) =>
  test.rows(
    'insert into pool_outage (algorithm, why, since, until) values ($1, $2, to_timestamp($3), to_timestamp($4::int))',
    [SHA, why, since, until],
  );
const switched = (account: string, at: number, why: string) =>
  test.rows(
    `insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why, at)
     select $1, id, 'stratum+tcp://a.example:1', 'stratum+tcp://b.example:2', $3, to_timestamp($4)
     from sub_account where name = $2`,
    [SHA, account, why, at],
  );

beforeAll(async () => {
  owner = await test.person('farm');
  await owner.post('/api/subAccounts/', { name: 'hall-two' });
  await owner.put('/api/wallet/', { btcAddress: A });
  await owner.put('/api/wallet/', { btcAddress: B });
  await owner.del('/api/wallet/change');
  const low = new Map([
    [100, 0.25],
    [60, 0.5],
    [59, 0.5],
    [20, 0],
  ]);
  const steps = Array.from({ length: 280 }, (_, i) => i + 1).filter((ago) => low.get(ago) !== 0);
  await test.work(
    steps.map((ago) => ({
      account: 'farm',
      worker: 'rig',
      at: stepAt(ago),
      accepted: 8e9 * (low.get(ago) ?? (ago === 200 || ago === 220 ? 0.5 : 1)),
      span: 600,
    })),
  );
  await test.rows('update account_10m set shares = 1000');
  for (const [ago, price] of [
    [3, 0.0005],
    [1, 0.00055],
  ] as const)
    await test.rows(
      `insert into day_price (day, algorithm, price_btc, btc_price_usd, source) values ($1, $2, $3, 90000, 'manual')`,
      [addDays(dayOf(now), -ago), SHA, price],
    );
  await outage('upstream', stepAt(100), stepAt(99));
  await outage('miners', now - 120, null);
  await switched('farm', stepAt(60) + 60, 'lost');
  await switched('farm', stepAt(40), 'returned');
  await wentOff('farm', stepAt(220) + 60, 500);
  await wentOff('farm', stepAt(30), 2100);
  await wentOff('hall-two', stepAt(10), null);
  await pay('farm', now - 400, 5_000_000);
  await pay('hall-two', now - 300, 7_000_000);
  await pay('farm', now - 30 * DAY, 4_000_000);
  const made = await test.organization(owner);
  const organizationId = made.id;
  owner = made.owner;
  for (const [name, role, money, limit] of [
    ['viewer', 'viewer', false, null],
    ['rich', 'viewer', true, null],
    ['manager', 'manager', false, null],
    ['limited', 'technician', false, 'farm'],
  ] as const) {
    people[name] = await test.member(organizationId, name, { role, money, accounts: limit && [limit] });
  }
  const viewerId = people.viewer!.userId;
  await owner.put(`/api/organization/members/${viewerId}`, { role: 'technician' });
  await owner.put(`/api/organization/members/${viewerId}`, { role: 'viewer' });
  const link = await owner.post('/api/watchers', { name: 'link', scopes: ['hashrate'] });
  people.watcher = bearing((link.body as { token: string }).token, test.visitor);
});

it('has each kind, newest first, each with its money', async () => {
  const rows = await entries('?limit=500');
  expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort((a, b) => b - a));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const told = (kind: string) => rows.filter((row) => row.kind === kind);
  expect(told('payout').map(({ at, sat }) => [at, sat])).toEqual([
    [now - 400, 5_000_000],
    [now - 30 * DAY, 4_000_000],
  ]);
  expect(told('off')).toEqual([
    expect.objectContaining({ at: stepAt(10), until: null, event: expect.objectContaining({ account: 'hall-two' }) }),
    expect.objectContaining({ at: stepAt(30), until: stepAt(29), sat: -2100 }),
    expect.objectContaining({ at: stepAt(220) + 60, sat: -500 }),
  ]);
  expect(told('price')).toEqual([
    expect.objectContaining({ at: startOfDay(addDays(dayOf(now), -1)), before: 0.0005, priceBtc: 0.00055 }),
  ]);
  expect(told('address')).toEqual([
    expect.objectContaining({ change: 'cancel', address: '1BvBMSEY…JaNVN2', heldUntil: null }),
    expect.objectContaining({ change: 'change', address: 'bc1qar0s…wf5mdq', heldUntil: expect.any(Number) }),
    expect.objectContaining({ change: 'change', address: '1BvBMSEY…JaNVN2', heldUntil: null }),
  ]);
  expect(told('member')).toEqual([
    expect.objectContaining({ change: 'member', name: 'viewer', role: 'viewer' }),
    expect.objectContaining({ change: 'member', name: 'viewer', role: 'technician' }),
  ]);
});

it('says what an outage and a lost upstream cost, whenever it was; what nothing explains stands by itself', async () => {
  const rows = await entries('?limit=500');
  const cost = (kind: string, at: number) => rows.find((row) => row.kind === kind && row.at === at)?.sat ?? 0;
  const part = cost('outage', stepAt(100));
  expect(cost('switch', stepAt(60) + 60) / part).toBeCloseTo(4 / 3, 1);
  expect(cost('outage', now - 120)).toBe(0);
  expect(cost('switch', stepAt(40))).toBe(0);
  const dips = rows.filter((row) => row.kind === 'dip');
  expect(dips.map(({ at, until }) => [at, until])).toEqual([
    [stepAt(20), stepAt(19)],
    [stepAt(200), stepAt(199)],
  ]);
  expect((dips[0]?.sat ?? 0) / part).toBeCloseTo(4 / 3, 1);
});

it('an outage that goes on has no end, and is in a list that begins after it', async () => {
  const [first] = await entries(`?kinds[]=outage&since=${now - 10}`);
  expect(first).toMatchObject({ kind: 'outage', at: now - 120, until: null, why: 'miners' });
});

it('a reader without a right has nothing of that kind, and no sum', async () => {
  const all = ['address', 'dip', 'member', 'off', 'outage', 'payout', 'price', 'switch'];
  expect(await kindsFor(owner)).toEqual(all);
  expect(await kindsFor(people.manager!)).toEqual(all.filter((kind) => kind !== 'member'));
  expect(await kindsFor(people.rich!)).toEqual(all.filter((kind) => kind !== 'member'));
  expect(await kindsFor(people.viewer!)).toEqual(['dip', 'off', 'outage', 'price', 'switch']);
  expect(await kindsFor(people.watcher!)).toEqual(['dip', 'outage', 'price']);
  // What explains a dip may not be for this reader.
  expect((await entries('?kinds[]=dip', people.watcher)).map(({ at }) => at)).toEqual([20, 60, 200, 220].map(stepAt));
  for (const who of [people.viewer!, people.watcher!])
    expect(JSON.stringify(await entries('?limit=500', who))).not.toMatch(/sat"|Sat"|PerHour/);
});

it('is of one sub-account, but of workers of all that the caller may read', async () => {
  const rows = await entries('?userName=hall-two&limit=500');
  expect(rows.filter(({ kind }) => kind === 'payout').map(({ sat }) => sat)).toEqual([7_000_000]);
  expect(rows.filter(({ kind }) => kind === 'off')).toHaveLength(3);
  expect(rows.filter(({ kind }) => kind === 'address' || kind === 'switch')).toEqual([]);
  const stranger = await test.person('stranger');
  expect((await stranger.call('/api/timeline?userName=farm')).status).toBe(404);
  expect(await kindsFor(stranger)).toEqual(['outage', 'price']);
});

it('of a worker has its faults and changes alone, for who may read that worker', async () => {
  const found = await test.rows<{ id: number }>(
    "select id from worker where name like 'off%' order by id desc limit 1",
  );
  const { id } = found[0]!;
  await owner.put(`/api/workers/${id}`, { alertLimit: 0.6 });
  expect(await entries(`?worker=${id}`)).toEqual([
    expect.objectContaining({ kind: 'worker', what: 'alert_limit', value: 0.6 }),
    expect.objectContaining({ kind: 'worker', what: 'offline', at: stepAt(10), value: null }),
  ]);
  expect(await entries(`?worker=${id}`, people.watcher)).toEqual([]);
  const status = async (who: Person) => (await who.call(`/api/timeline?worker=${id}`)).status;
  expect(await status(await test.person('other'))).toBe(404);
  expect(await status(people.viewer!)).toBe(200);
  expect(await status(people.limited!)).toBe(404);
});

it('is read page by page, the same as at once, and of the kinds that are wanted', async () => {
  const whole = await entries('?limit=500');
  const read: TimelineEntry[] = [];
  let next: string | null = '';
  while (next !== null) {
    const { rows, nextCursor }: Page = await page(`?limit=3${next && `&cursor=${next}`}`);
    expect(rows.length).toBeGreaterThan(0);
    read.push(...rows);
    next = nextCursor;
  }
  expect(read).toEqual(whole);
  const wanted = await entries('?kinds[]=payout&kinds[]=address&limit=500');
  expect(wanted).toEqual(whole.filter(({ kind }) => kind === 'payout' || kind === 'address'));
  for (const wrong of ['kinds[]=gossip', 'kinds=payout', 'cursor=o20', 'since=yesterday', 'limit=0'])
    expect([wrong, (await owner.call(`/api/timeline?${wrong}`)).status]).toEqual([wrong, 400]);
});
