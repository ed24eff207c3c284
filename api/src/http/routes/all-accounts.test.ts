/** `ALL` in place of a sub-account: its figures, workers, money and events are those of what each caller may read. */
import type { TimelineEntry } from '@pool/shared/api/contract';
import { addDays, dayOf } from '../../platform/days';
import { appOfFile, bearing, type Person, withHeaders } from '../testing/test-app';

const now = Math.floor(Date.now() / 600_000) * 600 + 300;
const DAY = addDays(dayOf(now), -3);
/** What each sub-account has of everything: a sum says which of them are in it. */
const SIZES: Record<string, number> = { farm: 1, 'hall-a': 10, 'hall-b': 100 };
const FARM = Object.keys(SIZES);

const people: Record<string, Person> = {};
const test = appOfFile({ now: () => now });

beforeAll(async () => {
  const founder = await test.person('farm');
  await founder.post('/api/subAccounts/', { name: 'hall-a' });
  await founder.post('/api/subAccounts/', { name: 'hall-b' });
  people.stranger = await test.person('stranger');
  const admin = await test.person('operator', { role: 'admin' });
  await test.work(
    Object.entries(SIZES).map(([account, size]) => ({ account, worker: 'rig', at: now - 300, accepted: size * 1e6 })),
  );
  for (const [account, size] of Object.entries(SIZES)) {
    await test.rows(
      `with made as (
         insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
           fee_percent, gross_sat, fee_sat, net_sat)
         select id, 'SHA256_ASICBOOST', $2, 1, 1, 1, 1, 1, 0, $3, 0, $3 from sub_account where name = $1
         returning sub_account_id
       )
       insert into ledger (party, sub_account_id, kind, amount_sat, ref)
       select 'account', sub_account_id, 'bonus', $3::bigint, 'owed ' || $1 from made
       union all select 'pool', null, 'bonus', -$3::bigint, 'owed ' || $1`,
      [account, DAY, size],
    );
    await test.rows(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat, address, status)
       select id, '2026-01-01', '2026-01-02', $2, 'bc1q', 'queued' from sub_account where name = $1`,
      [account, size],
    );
    await test.rows(
      "update payment set status = 'sent', txid = $2, sent_at = to_timestamp($1) where status = 'queued'",
      [now - 600, String(size).padStart(64, '0')],
    );
    await test.rows(
      `with event as (
         insert into farm_event (user_id, algorithm, by, value, total, since, told)
         select user_id, 'SHA256_ASICBOOST', 'account', name, 1, to_timestamp($2), 1
         from sub_account where name = $1 returning id
       )
       insert into worker_event (sub_account_id, worker_id, kind, at, hashrate, event_id)
       select w.sub_account_id, w.id, 'offline', to_timestamp($2), 1e14, event.id
       from event, worker w join sub_account s on s.id = w.sub_account_id where s.name = $1`,
      [account, now - 300],
    );
  }
  const { id, owner } = await test.organization(founder);
  people.owner = owner;
  people.limited = await test.member(id, 'limited', { role: 'viewer', money: true, accounts: ['hall-a'] });
  const link = await owner.post('/api/watchers', { name: 'link', scopes: ['hashrate', 'workers', 'earnings'] });
  people.watcher = bearing((link.body as { token: string }).token, test.visitor);
  people.admin = admin;
  people['admin who views the owner'] = withHeaders(admin, { 'x-view-as': 'farm' });
  people['admin who views the limited member'] = withHeaders(admin, { 'x-view-as': 'farm~limited' });
});

type Rows = { rows: { account: string }[] };
const accountsIn = ({ rows }: Rows): string[] => rows.map(({ account }) => account).sort();

it.each([
  ['owner', FARM],
  ['limited', ['hall-a']],
  ['watcher', FARM],
  ['admin who views the owner', FARM],
  ['admin who views the limited member', ['hall-a']],
  ['stranger', []],
  ['admin', []],
])('%s has of everything what is of these alone: %j', async (name, expected) => {
  const read = <T>(path: string): Promise<T> => people[name]!.read(`/api${path}`);
  const size = expected.reduce((sum, account) => sum + SIZES[account]!, 0);

  const list = await read<{ workers: { name: string; account: string }[]; total: number }>(
    '/liveWorkers/?userName=ALL&sort=-account',
  );
  expect(list.workers.map((worker) => [worker.account, worker.name])).toEqual(
    expected.toReversed().map((account) => [account, 'rig']),
  );
  expect(await read('/liveWorkers/?userName=ALL&search=hall-b')).toMatchObject({
    total: Number(expected.includes('hall-b')),
  });
  expect(await read('/getWorkerCount/?subAccountName=ALL')).toMatchObject({ total: expected.length });

  /** What those of the smallest, times the size, are. */
  const rates = async (who: Person, name: string): Promise<number[]> => {
    const of = async (path: string) => (await who.call(`/api${path}`)).body as never;
    const { current }: { current: { m15: number } } = await of(`/proxyLiveHashchart/?userName=${name}`);
    const { m15 }: { m15: number } = await of(`/getLiveHashrates/?subAccountName=${name}`);
    const { accepted }: { accepted: number[] } = await of(`/proxyHashchart/?historyTimeframe=h2&userName=${name}`);
    return [current.m15, m15, Math.max(...accepted)];
  };
  const units = await rates(people.owner!, 'farm');
  expect(Math.min(...units)).toBeGreaterThan(0);
  expect(await rates(people[name]!, 'ALL')).toEqual(units.map((unit) => expect.closeTo(unit * size, -6)));

  expect(await read('/payment/?currentAccount=ALL')).toMatchObject({
    unpaidSat: size,
    nextPayout: { at: null, reason: expected.length > 1 ? 'below_threshold' : 'no_address' },
  });
  const ofDay = `/paymentsHistory/?accountName=ALL&from=${DAY}&to=${DAY}`;
  const earnings = await read<Rows & { sums: { netSat: number } }>(ofDay);
  expect([accountsIn(earnings), earnings.sums.netSat]).toEqual([expected, size]);
  const payouts = await read<Rows & { total: number }>('/paymentsHistory/?accountName=ALL&kind=payouts');
  expect([accountsIn(payouts), payouts.total]).toEqual([expected, expected.length]);
  const months = await read<{ netSat: number }[]>('/earnings/monthly?accountName=ALL');
  expect(months.reduce((sum, { netSat }) => sum + netSat, 0)).toBe(size);
  expect(await read(`/earnings/${DAY}/changes?accountName=ALL`)).toMatchObject({ netSat: size });

  const events = await read<{ account: string }[]>('/farmEvents?userName=ALL');
  expect(events.map(({ account }) => account).sort()).toEqual(expected);
  const { rows } = await read<{ rows: TimelineEntry[] }>('/timeline?userName=ALL&limit=500');
  const told = rows.flatMap((row) => (row.kind === 'off' ? row.event.account : row.kind === 'payout' ? row.sat! : []));
  expect(told.sort()).toEqual([...expected, ...expected.map((account) => SIZES[account])].sort());
  // Where there is one, its name says nothing.
  const named = rows.flatMap(({ account }) => account ?? []).sort();
  expect(named).toEqual(expected.length > 1 ? expected : []);
});

it('a member who may read some sub-accounts is told of the others by no name', async () => {
  for (const path of ['liveWorkers/', 'timeline', 'farmEvents', 'paymentsHistory/', 'earnings/monthly']) {
    const field = path.includes('payments') || path.includes('earnings') ? 'accountName' : 'userName';
    const { text } = await people.limited!.call(`/api/${path}?${field}=ALL`);
    expect([path, /hall-b|"farm"/.test(text)]).toEqual([path, false]);
  }
});

it('is read page by page, and of one sub-account says no name', async () => {
  const read = async (path: string) =>
    await people.owner!.read<{ workers: { account?: string }[]; nextCursor: string | null }>(
      `/api/liveWorkers/${path}`,
    );
  const first = await read('?userName=ALL&sort=account&limit=2');
  const next = await read(`?userName=ALL&sort=account&limit=2&cursor=${first.nextCursor}`);
  expect([...first.workers, ...next.workers].map(({ account }) => account)).toEqual(FARM);
  expect((await read('?userName=hall-a')).workers).toEqual([expect.not.objectContaining({ account: 'hall-a' })]);
});

it.each([
  '/connectionInfo/?userName=ALL',
  '/wallet/?accountName=ALL',
  '/upstreams?userName=ALL',
  '/arrivals?userName=ALL',
])('%s is of one sub-account', async (path) => expect((await people.owner!.call(`/api${path}`)).status).toBe(400));
it('a group is of one sub-account', async () => {
  expect((await people.owner!.call('/api/proxyHashchart/?userName=ALL&group=A')).status).toBe(404);
});
