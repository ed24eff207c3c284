/** Prices, terms, the math of an earning, corrections, referral money (security.md 29, 30, 32, 36-38). */
import type { EarningMath } from '../../../money/accounting/math';
import { addDays, dayOf, startOfDay } from '../../../platform/days';
import { type Answer, type Person, type TestApp, testApp } from '../../testing/test-app';

const DAY = '2026-11-18';
const NEXT = '2026-11-19';
const WORK = (1.234_567e16 * 3600) / 2 ** 32;
const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const OTHER = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';

const network = {
  difficulty: 146e12,
  changePercent: -3.25,
  changeAt: '2026-12-03T12:00:00.000Z',
  remainingBlocks: 150,
  at: '2026-11-25T12:00:00.000Z',
};

/** Recomputes everything from the response alone, without the pool's code. */
function recompute(m: EarningMath) {
  const measured = (m.work * m.hashesPerDifficulty) / m.seconds;
  const mean = m.newcomer ? measured * ((100 + m.newcomer.adjustPercent) / 100) : measured;
  const exact = (mean / m.priceUnitHs) * m.priceBtc * 100_000_000;
  const share = (total: number, percent: number): number => {
    const [a, b] = [total * (percent / 100), total * ((100 - percent) / 100)];
    const left = total - Math.floor(a) - Math.floor(b);
    return Math.floor(a) + (left > 0 && a - Math.floor(a) >= b - Math.floor(b) ? left : 0);
  };
  const feeSat = share(m.grossSat, m.feePercent);
  const referralSat = share(feeSat, m.referralPercent);
  return {
    measuredHashrate: measured,
    meanHashrate: mean,
    exactGrossSat: exact,
    computedGrossSat: Math.floor(exact * (1 + 1e-12)),
    feeSat,
    referralSat,
    poolSat: feeSat - referralSat,
    netSat: m.grossSat - feeSat,
  };
}

describe('accounting', () => {
  let test: TestApp;
  let admin: Person;
  let miner: Person;
  let friend: Person;
  let now = startOfDay(NEXT) + 7200;
  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const put = (path: string, body: unknown, who = admin): Promise<Answer> => who.put(path, body);
  const close = (day: string): Promise<Answer> => admin.post('/api/calculatePayments/', { day });
  const math = async (day = DAY, account = 'miner'): Promise<EarningMath> =>
    (await admin.call(`/api/earnings/${day}/math?accountName=${account}`)).body as EarningMath;

  beforeAll(async () => {
    test = await testApp({ now: () => now, network: () => network });
    admin = await test.person('boss', { role: 'admin' });
    miner = await test.person('miner');
    friend = await test.person('friend');
    await sql("update app_user set created_at = '2026-01-01'");
    await test.work([
      { account: 'miner', at: startOfDay(DAY), accepted: WORK, span: 3600 },
      { account: 'miner', at: startOfDay(DAY) + 7200, accepted: WORK * 3.7, span: 3600 },
    ]);
  });
  afterAll(() => test.close());
  afterEach(async () => {
    expect(await sql('select coalesce(sum(amount_sat), 0) as n from ledger')).toEqual([{ n: 0 }]);
  });

  it('shows the math of an earning, from which every figure can be recomputed', async () => {
    const code = (await friend.post('/api/referral/code')).body as { code: string };
    // Row 38: one of several concurrent requests is bound (a hundred of them: jobs/races.test.ts).
    const bound = await Promise.all(
      Array.from({ length: 20 }, () => miner.post('/api/referral/activate', { referralCode: code.code })),
    );
    expect(bound.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sql('select user_id, referrer_id from referral')).toEqual([
      { user_id: miner.userId, referrer_id: friend.userId },
    ]);
    await sql("update referral set activated_at = '2026-11-01'");
    expect((await close(DAY)).status).toBe(200);
    const shown = await math();
    expect(shown).toMatchObject({
      account: 'miner',
      day: DAY,
      from: startOfDay(DAY),
      seconds: 86_400,
      status: 'final',
      feePercent: 1.5,
      referralPercent: 10,
      newcomer: null,
      adjustments: [],
      shares: 2,
    });
    expect(shown).toMatchObject(recompute(shown));
    expect(shown.referralSat).toBeGreaterThan(0);
    expect((await miner.call(`/api/earnings/${DAY}/math`)).status).toBe(200);
    for (const path of [`/api/earnings/${DAY}/math?accountName=miner`, `/api/earnings/${NEXT}/math`])
      expect((await friend.call(path)).status).toBe(404);
    expect((await friend.call('/api/referral/accruals')).body).toMatchObject({
      total: 1,
      rows: [{ day: DAY, name: 'mi***', amountSat: shown.referralSat, baseFeeSat: shown.feeSat, status: 'accrued' }],
    });
    expect((await friend.call('/api/referral/list')).body).toEqual([
      {
        name: 'mi***',
        joinedAt: '2026-11-01T00:00:00.000Z',
        active: false,
        hashrate24h: 0,
        earnedSat: shown.referralSat,
      },
    ]);
  });

  it('fees and the newcomer rule hold from the day after they are set, not for old earnings', async () => {
    const before = await sql('select * from earning');
    const after = addDays(NEXT, 1);
    for (const [name, value] of [
      ['poolFee', 3],
      ['newbeeCost', 0.001],
      ['newbeeAdjust', -50],
    ] as const) {
      const held = { value: name === 'poolFee' ? 1.5 : 0, since: null };
      const next = { value, since: after };
      expect((await admin.call(`/api/${name}`)).body).toEqual({ ...held, next: null });
      expect((await put(`/api/${name}`, { value })).body).toEqual({ ...next, next: null });
      expect((await miner.call(`/api/${name}`)).body).toEqual({ ...held, next });
      expect((await put(`/api/${name}`, { value }, miner)).status).toBe(403);
      for (const bad of [-101, 101]) expect((await put(`/api/${name}`, { value: bad })).status).toBe(400);
    }
    // Prices far outside the plausible range are refused here too.
    for (const bad of [0.000_001, 1]) expect((await put('/api/newbeeCost', { value: bad })).status).toBe(400);
    await close(DAY);
    expect(await sql('select * from earning')).toEqual(before);
    // The day they were set on keeps its terms.
    await test.work([{ account: 'friend', at: startOfDay(NEXT), accepted: WORK, span: 3600 }]);
    now += 86_400;
    await close(NEXT);
    expect(await math(NEXT, 'friend')).toMatchObject({ feePercent: 1.5, newcomer: null, priceBtc: 0.00049 });
    // The day after: friend is new, miner is not and has a fee of its own since that day.
    await sql("update app_user set created_at = '2026-11-01' where user_name = 'friend'");
    await sql("insert into term (name, user_id, since, value) values ('user_fee', $1, $2, 0.5)", [miner.userId, after]);
    await test.work(
      ['miner', 'friend'].map((account) => ({ account, at: startOfDay(after), accepted: WORK, span: 3600 })),
    );
    now += 86_400;
    await close(after);
    const [old, fresh] = [await math(after), await math(after, 'friend')];
    expect(old).toMatchObject({ feePercent: 0.5, newcomer: null, priceBtc: 0.00049, ...recompute(old) });
    expect(fresh).toMatchObject({
      feePercent: 3,
      newcomer: { adjustPercent: -50, poolPriceBtc: 0.00049 },
      priceBtc: 0.001,
      ...recompute(fresh),
    });
    expect(fresh.meanHashrate).toBe(old.meanHashrate / 2);
    expect(await sql("select count(*) as n from audit where action = 'terms.change'")).toEqual([{ n: 3 }]);
    // The terms shown are those that apply.
    const { rows } = (await admin.call('/api/users/')).body as { rows: { userName: string; feePercent: number }[] };
    expect(rows.find(({ userName }) => userName === 'friend')?.feePercent).toBe(3);
  });

  it("keeps a user's previous fees", async () => {
    await sql("update app_user set fee_percent = 9 where user_name = 'friend'");
    expect(
      await sql("select since, value from term where name = 'user_fee' and user_id = $1 order by since", [
        friend.userId,
      ]),
    ).toEqual([
      { since: '0001-01-01', value: null },
      { since: addDays(dayOf(Date.now() / 1000), 1), value: 9 },
    ]);
  });

  it.each([
    ['0', 400],
    ['1e12', 400],
    ['0.9', 400],
  ])('a price of %s: %d, the last valid one stays', async (price, status) => {
    const before = await sql('select * from day_price');
    expect(
      (
        await admin.call('/api/prices', {
          method: 'PUT',
          raw: `{"algorithm":"SHA256_ASICBOOST","priceBtc":${price},"btcPriceUsd":90000}`,
        })
      ).status,
    ).toBe(status);
    expect(await sql('select * from day_price')).toEqual(before);
  });

  it('sets the price of an open day only, and shows the age of the last one', async () => {
    const day = dayOf(now);
    expect(
      (await put('/api/prices', { algorithm: 'SHA256_ASICBOOST', priceBtc: 0.0005, btcPriceUsd: 91_000 })).body,
    ).toMatchObject({ day, priceBtc: 0.0005, source: 'manual' });
    expect(
      (await put('/api/prices', { day: DAY, algorithm: 'SHA256_ASICBOOST', priceBtc: 0.0005, btcPriceUsd: 91_000 }))
        .code,
    ).toBe('day_closed');
    expect(
      (await put('/api/prices', { algorithm: 'SHA256_ASICBOOST', priceBtc: 0.0005, btcPriceUsd: 91_000 }, miner))
        .status,
    ).toBe(403);
    expect((await admin.call('/api/prices')).body).toEqual(
      expect.arrayContaining([expect.objectContaining({ day, source: 'manual' })]),
    );
    const stale = now;
    for (let days = 0; days < 4; days += 1) {
      now += 86_400;
      await admin.post('/api/calculatePayments/', { day: dayOf(now - 86_400) });
    }
    // Closing copied the price from day to day, with its age.
    expect(
      await sql(
        'select distinct extract(epoch from known_at)::float8 as at from day_price where day >= $1 and algorithm = $2',
        [day, 'SHA256_ASICBOOST'],
      ),
    ).toEqual([{ at: stale }]);
    expect((await test.visitor.call('/api/homePrice/')).body).toMatchObject({ price: 91_000, stale: true });
    // The network's difficulty stands beside the price of its algorithm, and with the pool's figures.
    expect((await test.visitor.call('/api/hashprice?algorithm=SCRYPT')).body).toEqual({ days: [], network: null });
    expect((await test.visitor.call('/api/hashprice')).body).toMatchObject({ network });
    const figures = (await test.visitor.call('/api/getPoolStatistics')).body as { algo: string; network?: object }[];
    expect(figures.map((row) => [row.algo, row.network])).toEqual([
      ['SHA256_ASICBOOST', network],
      ['SCRYPT', undefined],
    ]);
    // What the last closed day paid 1 PH/s, for visitors; SCRYPT has only the default price.
    expect((await test.visitor.call('/api/poolDay')).body).toEqual([
      {
        day: dayOf(now - 86_400),
        algorithm: 'SHA256_ASICBOOST',
        meanHashrate: 1e15,
        priceBtc: 0.0005,
        btcPriceUsd: 91_000,
        feePercent: 3,
        grossSat: 50_000,
        feeSat: 1_500,
        netSat: 48_500,
      },
    ]);
  });

  it('corrects an earning by reversal, any number of times, and notifies the owner', async () => {
    const before = await math();
    const correct = (grossSat: number, expectedGrossSat: number, headers: Record<string, string> = {}) =>
      admin.call(`/api/earnings/${DAY}`, {
        method: 'PUT',
        headers,
        body: {
          account: 'miner',
          algorithm: 'SHA256_ASICBOOST',
          grossSat,
          expectedGrossSat,
          note: 'a hash board lied',
        },
      });
    const balance = async () =>
      (
        await sql<{ n: number }>(
          `select sum(l.amount_sat) as n
           from ledger l join sub_account s on s.id = l.sub_account_id
           where s.name = 'miner' and l.ref like $1`,
          [`%/${DAY}%`],
        )
      )[0]?.n;
    const first = await correct(1_000_003, before.grossSat, { 'idempotency-key': 'adjust-1' });
    expect((await correct(1_000_003, before.grossSat, { 'idempotency-key': 'adjust-1' })).text).toBe(first.text);
    const shown = await math();
    expect(shown).toMatchObject({
      status: 'adjusted',
      grossSat: 1_000_003,
      computedGrossSat: before.grossSat,
      adjustments: [{ grossSatBefore: before.grossSat, grossSat: 1_000_003, note: 'a hash board lied' }],
    });
    expect(shown).toMatchObject(recompute(shown));
    expect(await balance()).toBe(shown.netSat);
    // A correction based on an older state does not undo the newer one.
    expect((await correct(5, before.grossSat)).code).toBe('earning_changed');
    expect((await correct(0, 1_000_003)).status).toBe(200);
    expect(await balance()).toBe(0);
    expect((await friend.call('/api/referral/accruals')).body).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ day: DAY, amountSat: 0, status: 'reversed' })]),
    });
    // Two tabs reverse it: once.
    const both = await Promise.all([correct(before.grossSat, 0), correct(before.grossSat, 0)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    type Listed = { rows: { grossSat: number; last: boolean; by: string }[] };
    const listed = async (search: string) =>
      ((await admin.call(`/api/admin/adjustments?search=${search}`)).body as Listed).rows;
    expect((await listed('mine')).map(({ last, by }) => [last, by])).toEqual([
      [true, 'boss'],
      [false, 'boss'],
      [false, 'boss'],
    ]);
    expect(await listed('%25')).toEqual([]);
    expect(await balance()).toBe(before.netSat);
    expect((await miner.call('/api/paymentsHistory/')).body).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ day: DAY, status: 'adjusted' })]),
    });
    // A page has the sums of its whole range, and they are what the ledger says.
    expect((await miner.call(`/api/paymentsHistory/?limit=1&from=${DAY}&to=${DAY}`)).body).toMatchObject({
      sums: { grossSat: before.grossSat, netSat: await balance() },
    });
    for (const bad of [-1, 100_000_000_001]) expect((await correct(bad, before.grossSat)).status).toBe(400);
    expect(
      (
        await put('/api/earnings/2020-01-01', {
          account: 'miner',
          algorithm: 'SCRYPT',
          grossSat: 1,
          expectedGrossSat: 2,
          note: 'x',
        })
      ).status,
    ).toBe(404);
  });

  it('pays work that all came after its day was closed, by the terms of that day, and nothing where there was none', async () => {
    const body = {
      account: 'friend',
      algorithm: 'SHA256_ASICBOOST',
      expectedGrossSat: 0,
      note: 'its journal was away',
    };
    const pay = (amounts: { grossSat: number; paidWork?: number }, day = DAY) =>
      put(`/api/earnings/${day}`, { ...body, ...amounts });
    const late = async () => (await admin.call('/api/admin/lateWork')).body as { rightSat: number; work: number }[];
    expect((await pay({ grossSat: 5, paidWork: 5 })).status).toBe(404);
    await sql("insert into term (name, user_id, since, value) values ('newbee_adjust', 0, '2026-11-02', -50)");
    await sql("update app_user set created_at = '2026-11-10' where user_name = 'friend'");
    await test.work([{ account: 'friend', at: startOfDay(DAY), accepted: WORK, span: 3600 }]);
    const open = dayOf(now);
    await test.work([{ account: 'friend', at: startOfDay(open), accepted: WORK, span: 3600 }]);
    const [listed, ...others] = await late();
    expect([listed, others]).toMatchObject([{ day: DAY, account: 'friend', grossSat: 0, work: WORK }, []]);
    const { rightSat: grossSat = 0, work: paidWork } = listed ?? {};
    expect((await pay({ grossSat })).status).toBe(404);
    expect((await pay({ grossSat, paidWork }, open)).status).toBe(404);
    const paid = await pay({ grossSat, paidWork });
    expect(paid.body).toMatchObject({
      status: 'adjusted',
      grossSat,
      computedGrossSat: 0,
      feePercent: 1.5,
      newcomer: { adjustPercent: -50 },
      adjustments: [{ grossSatBefore: 0, grossSat }],
    });
    expect(grossSat).toBe(Math.floor((((WORK * 2 ** 32) / 86_400) * 0.5 * 0.00049 * 1e8) / 1e15));
    expect(await late()).toEqual([]);
    expect((await pay({ grossSat, paidWork })).code).toBe('earning_changed');
    await sql("delete from term where name = 'newbee_adjust' and since = '2026-11-02'");
    await sql("update app_user set created_at = '2026-01-01' where user_name = 'friend'");
  });

  it('responds even when sums exceed 2^53', async () => {
    const huge = 9_000_000_000_000_000;
    const [account] = await sql<{ id: number }>("select id from sub_account where name = 'friend'");
    const days = [1, 2, 3].map((ago) => addDays(dayOf(now), -ago));
    for (const day of days) {
      await sql(
        `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
         values ('account', $1, 'bonus', $2, $3), ('pool', null, 'bonus', -$2::bigint, $3)`,
        [account?.id, huge, `huge ${day}`],
      );
      await sql(
        `insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
           fee_percent, gross_sat, fee_sat, net_sat)
         values ($1, 'SCRYPT', $2, 1, 1, 1, 1, 1, 0, $3, 0, $3)`,
        [account?.id, day, huge],
      );
    }
    for (const path of [
      '/api/payment/',
      '/api/earnings/monthly',
      '/api/getSubAccountBalance/',
      '/api/paymentsHistory/',
    ])
      expect([path, (await friend.call(path)).status]).toEqual([path, 200]);
    expect((await admin.call('/api/users/')).status).toBe(200);
    expect((await friend.call('/api/getSubAccountBalance/')).body).toMatchObject({
      unpaidSat: Number.MAX_SAFE_INTEGER,
    });
    for (const day of days)
      await sql(
        `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
         values ('account', $1, 'bonus', -$2::bigint, $3), ('pool', null, 'bonus', $2, $3)`,
        [account?.id, huge, `back ${day}`],
      );
    await sql("delete from earning where algorithm = 'SCRYPT' and gross_sat = $1", [huge]);
  });

  it('pays referral money to the referral wallet, above the threshold', async () => {
    expect((await friend.call('/api/referral/wallet')).body).toEqual({ walletAddress: null });
    expect(
      (await put('/api/referral/wallet', { walletAddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, friend)).code,
    ).toBe('address_wrong_network');
    // The last sign-in is in real time, which this test's clock does not follow.
    const later = now;
    now = Date.now() / 1000;
    expect((await put('/api/referral/wallet', { walletAddress: ADDRESS }, friend)).body).toEqual({
      walletAddress: ADDRESS,
    });
    now = later;
    await sql('update earning set status = status');
    await admin.put(`/api/earnings/${DAY}`, {
      account: 'miner',
      algorithm: 'SHA256_ASICBOOST',
      grossSat: 100_000_000,
      expectedGrossSat: (await math()).grossSat,
      note: 'a great day',
    });
    const available = ((await friend.call('/api/referral/stats')).body as { availableSat: number }).availableSat;
    expect(available).toBeGreaterThan(100_000);
    await admin.post('/api/calculatePayments/', { day: dayOf(now - 86_400) });
    const {
      rows: [payment],
    } = (await admin.call('/api/admin/referralPayments')).body as { rows: { id: number; amountSat: number }[] };
    const only = async (id: number) => (await admin.call(`/api/admin/referralPayments?id=${id}`)).body;
    expect(await only(payment?.id ?? 0)).toMatchObject({ rows: [payment], total: 1 });
    expect(await only((payment?.id ?? 0) + 1)).toMatchObject({ rows: [], total: 0 });
    expect(payment).toMatchObject({
      amountSat: available,
      status: 'pending',
      reason: 'review',
      trigger: 'referral',
      userName: 'friend',
      address: ADDRESS,
    });
    expect((await friend.call('/api/referral/accruals')).body).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ day: DAY, status: 'payable' })]),
    });
    const step = async (body: object) => {
      const [row] = await sql<{ version: number }>('select version from payment where id = $1', [payment?.id]);
      return put(`/api/admin/referralPayments?id=${payment?.id}`, { ...row, ...body });
    };
    expect((await step({ status: 'queued' })).status).toBe(200);
    // The address changes in the meantime: held, not redirected.
    await sql(
      `update app_user
       set referral_address = $1, referral_address_before = $2, referral_hold_until = to_timestamp($3::float8)
       where id = $4`,
      [OTHER, ADDRESS, now + 72 * 3600, friend.userId],
    );
    expect((await step({ status: 'unknown' })).code).toBe('payment_state');
    expect((await step({ status: 'queued' })).code).toBe('address_hold');
    expect((await friend.call('/api/referral/wallet')).body).toMatchObject({
      walletAddress: OTHER,
      hold: { oldAddress: ADDRESS },
    });
    expect((await put('/api/referral/wallet', { walletAddress: ADDRESS }, friend)).body).toEqual({
      walletAddress: ADDRESS,
    });
    for (const body of [{ status: 'queued' }, { status: 'sent', txid: 'ab'.repeat(32) }, { status: 'confirmed' }])
      expect((await step(body)).status).toBe(200);
    expect((await friend.call('/api/referral/stats')).body).toMatchObject({ availableSat: 0 });
    expect((await friend.call('/api/referral/payments')).body).toMatchObject({
      total: 1,
      rows: [{ status: 'confirmed', trigger: 'referral' }],
    });
    expect((await friend.call('/api/referral/accruals')).body).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ day: DAY, status: 'paid' })]),
    });
    expect((await miner.call('/api/referral/payments')).body).toMatchObject({ total: 0 });
  });
});

describe('POST /requestBonus', () => {
  let test: TestApp;
  let passed = 0;
  beforeAll(async () => {
    test = await testApp({
      now: () => Date.UTC(2030, 0, 1, 12) / 1000 + passed,
      env: { TRUSTED_PROXIES: '127.0.0.1', SIGN_UP_URL: '/join' },
    });
  });
  beforeEach(async () => {
    passed = 0;
    await test.database.pool.query('truncate bonus_request');
  });
  afterAll(() => test.close());

  const ask = async (email: string, from = '203.0.113.1'): Promise<[number, string]> => {
    const { status, text } = await test.visitor.call(`/api/requestBonus?email=${encodeURIComponent(email)}`, {
      method: 'POST',
      // Some clients always name the type, also without a body.
      headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
    });
    return [status, text];
  };
  const kept = async (): Promise<string[]> =>
    (
      await test.database.pool.query<{ email: string; source: string }>(
        'select email, source from bonus_request order by id',
      )
    ).rows.map(({ email, source }) => `${email} ${source}`);

  it('a second request of the day is 202 without effect, by address and by source', async () => {
    const answers = [
      await ask('anna@example.com'),
      await ask('ANNA@example.com', '203.0.113.2'),
      await ask('boris@example.com'),
      await ask('carla@example.com', '203.0.113.3'),
    ];
    expect(new Set(answers.map((answer) => answer.join()))).toEqual(new Set(['202,{"accepted":true}']));
    expect(await kept()).toEqual(['anna@example.com 203.0.113.1', 'carla@example.com 203.0.113.3']);
    const { rows } = await test.database.pool.query(
      "select user_id, ip, subject from audit join bonus_request b on b.id = (after ->> 'id')::int order by b.id",
    );
    expect(rows).toEqual([
      { user_id: null, ip: '203.0.113.1', subject: 'anna@example.com' },
      { user_id: null, ip: '203.0.113.3', subject: 'carla@example.com' },
    ]);
    passed = 86_400;
    await ask('anna@example.com');
    expect(await kept()).toHaveLength(3);
  });

  it('of fifty concurrent requests one counts', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => ask('anna@example.com', `203.0.113.${i}`)));
    expect(answers.every(([status]) => status === 202)).toBe(true);
    expect(await kept()).toHaveLength(1);
  });

  it.each(['nobody', 'a@example.com,b@example.com'])('refuses %j', async (email) => {
    expect((await ask(email))[0]).toBe(400);
    expect(await kept()).toEqual([]);
  });

  it('POST /referral/code: the link leads to the sign-up that the operator set', async () => {
    const { body } = await (await test.person('anna')).post('/api/referral/code');
    const { code, link } = body as { code: string; link: string };
    expect(link).toMatch(new RegExp(`/join\\?ref=${code}$`));
  });
});
