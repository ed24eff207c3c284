/** Payouts over HTTP: states, races, repeated requests, bulk changes (security.md 21-26, 34, 35). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marksOf, PAYMENT_LOG, PaymentLog } from '../../../money/payouts/payment-log';
import { dayOf, startOfDay } from '../../../platform/days';
import { type Answer, type Person, testApp, type TestApp } from '../../testing/test-app';

const DAY_AFTER = startOfDay('2026-11-19') + 7200;
/** The work of ten petahashes a second in an hour. */
const WORK = (1e16 * 3600) / 2 ** 32;
const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const OTHER = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
const tx = (n: number): string => n.toString(16).padStart(64, '0');

type Row = {
  id: number;
  key: string;
  status: string;
  reason: string | null;
  amountSat: number;
  address: string | null;
  account: string;
  note: string | null;
  txid: string | null;
};

describe('payouts', () => {
  let test: TestApp;
  let admin: Person;
  let miner: Person;
  let stranger: Person;
  let folder: string;
  let log: PaymentLog;
  let now = DAY_AFTER;

  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const put = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    admin.call(path, { method: 'PUT', body, headers });
  const versionOf = async (id: number): Promise<number> =>
    (await sql<{ version: number }>('select version from payment where id = $1', [id]))[0]?.version ?? 1;
  /** Names the payment's current version unless another is given. */
  const move = async (id: number, body: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer> =>
    put(`/api/payments/?id=${id}`, { version: await versionOf(id), ...body }, headers);
  const unpaid = async (account = 'miner'): Promise<number> =>
    ((await admin.call(`/api/getSubAccountBalance/?subAccountName=${account}`)).body as { unpaidSat: number })
      .unpaidSat;
  const calculate = (body: unknown = {}): Promise<Answer> => admin.post('/api/calculatePayments/', body);
  const first = async (): Promise<Row> =>
    ((await admin.call('/api/getPayments/?account=miner')).body as { rows: Row[] }).rows[0] as Row;
  /** A new payment, pending review. */
  async function pending(): Promise<Row> {
    await sql(
      `update sub_account
       set btc_address = $1, address_hold_until = null, payout_paused = false, threshold_sat = 10000
       where name = 'miner'`,
      [ADDRESS],
    );
    const today = startOfDay(dayOf(now));
    await test.work([{ account: 'miner', at: today, accepted: WORK, span: 3600 }]);
    now = today + 86_400 + 7200;
    expect((await calculate()).status).toBe(200);
    const row = await first();
    expect(row).toMatchObject({ status: 'pending', reason: 'review', address: ADDRESS });
    return row;
  }
  /** Cancels open payments, so that the next test starts without one. */
  async function settle(id: number): Promise<void> {
    const { status } = await first();
    if (status === 'pending') await move(id, { status: 'cancelled' });
    await sql("update sub_account set threshold_sat = 10000000000 where name = 'miner'");
  }
  const sumOfAll = async (): Promise<number> =>
    (await sql<{ n: number }>('select coalesce(sum(amount_sat), 0) as n from ledger'))[0]?.n ?? -1;

  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'payment-log-')), 'data');
    mkdirSync(folder);
    log = PaymentLog.open(folder);
    test = await testApp({
      now: () => now,
      paymentLog: log,
      env: { EXPLORER_TX_URL: 'https://explorer.example/tx/{txid}' },
    });
    await sql('alter sequence payment_id_seq restart with 10');
    admin = await test.person('boss', { role: 'admin' });
    miner = await test.person('miner');
    stranger = await test.person('stranger');
  });
  afterAll(async () => {
    await test.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(await sumOfAll()).toBe(0);
  });

  it("names the operator's explorer of transactions", async () => {
    expect((await miner.call('/api/paymentsHistory/?kind=payouts')).body).toMatchObject({
      kind: 'payouts',
      explorer: 'https://explorer.example/tx/{txid}',
    });
  });

  it('goes pending > queued > unknown > sent > confirmed, each only from the state before', async () => {
    const { id, amountSat } = await pending();
    const owed = await unpaid();
    for (const body of [
      { status: 'sent', txid: tx(1) },
      { status: 'confirmed' },
      { status: 'unknown' },
      { status: 'failed', note: 'no' },
    ])
      expect((await move(id, body)).code).toBe('payment_state');
    // Without a body it is approved.
    expect((await admin.post(`/api/paymentsHistory/${id}`)).body).toMatchObject({
      status: 'queued',
      reason: null,
      userName: 'miner',
    });
    expect((await move(id, { status: 'unknown' })).status).toBe(200);
    expect((await move(id, { status: 'cancelled' })).code).toBe('payment_state');
    expect(await unpaid()).toBe(owed);
    expect(
      (
        await admin.post(`/api/paymentsHistory/${id}`, {
          status: 'sent',
          version: await versionOf(id),
          txid: tx(2),
          networkFeeSat: 300,
        })
      ).body,
    ).toMatchObject({ status: 'sent', txid: tx(2), networkFeeSat: 300, usdAtSend: 100_000 });
    expect((await move(id, { status: 'sent', txid: tx(8) })).code).toBe('payment_state');
    expect((await move(id, { status: 'sent', txid: tx(8), replaces: tx(9) })).code).toBe('payment_state');
    expect((await move(id, { status: 'sent', txid: tx(8), replaces: tx(2) })).status).toBe(200);
    expect(await first()).toMatchObject({ status: 'sent', txid: tx(8), networkFeeSat: 300, usdAtSend: 100_000 });
    expect(await unpaid()).toBe(owed - amountSat);
    expect(
      (await admin.put(`/api/paymentsHistory/${id}`, { status: 'confirmed', version: await versionOf(id) })).body,
    ).toMatchObject({ status: 'confirmed' });
    for (const body of [
      { status: 'queued', note: 'x' },
      { status: 'failed', note: 'x' },
      { status: 'cancelled' },
      { status: 'sent', txid: tx(3) },
    ])
      expect((await move(id, body)).code).toBe('payment_state');
    expect((await miner.call('/api/getSubAccountPayments/')).body).toMatchObject({
      rows: [{ id, status: 'confirmed', txid: tx(8), queuedAt: expect.any(String) }],
      total: 1,
    });
    // It is found by its number, transaction and address, whole and by its payee only.
    const { address = '' } = (await first()) as { address?: string };
    const search = async (text: string, who = miner) =>
      (
        (await who.call(`/api/paymentsHistory/?kind=payouts&search=${encodeURIComponent(text)}`)).body as {
          rows: { id: number }[];
        }
      ).rows.map((row) => row.id);
    for (const text of [String(id), tx(8), tx(8).toUpperCase(), address, ` ${tx(8)} `])
      expect([text, await search(text)]).toEqual([text, [id]]);
    for (const text of [tx(8).slice(1), tx(9), '%', '1'.repeat(30)])
      expect([text, await search(text)]).toEqual([text, []]);
    expect(await search(tx(8), stranger)).toEqual([]);
    for (const [days, found] of [
      [0, [{ id }]],
      [1, []],
    ] as const) {
      const { body } = await miner.call(`/api/paymentsHistory/?kind=payouts&from=${dayOf(now + days * 86_400)}`);
      expect(body).toMatchObject({ rows: found, total: found.length });
    }
    // What was sent is in its month.
    const month = new Date(now * 1000).toISOString().slice(0, 7);
    expect(((await miner.call('/api/earnings/monthly')).body as { paidSat: number }[]).at(-1)).toMatchObject({
      month,
      paidSat: amountSat,
    });
    expect(
      (
        await sql<{ action: string }>(
          "select action from audit where subject = $1 and action like 'payment.%' order by id",
          [String(id)],
        )
      ).map((row) => row.action),
    ).toEqual(['payment.queued', 'payment.unknown', 'payment.sent', 'payment.sent', 'payment.confirmed']);
    expect(
      (await sql<{ kind: string }>('select kind from notification where user_id = $1 order by id', [miner.userId])).map(
        (row) => row.kind,
      ),
    ).toEqual(['payment_opened', 'payment_sent', 'payment_confirmed']);
  });

  it('returns the amount of a payment that failed after it was sent, once; queueing again needs a note', async () => {
    const { id } = await pending();
    const owed = await unpaid();
    await move(id, { status: 'queued' });
    await move(id, { status: 'sent', txid: tx(4) });
    expect((await move(id, { status: 'failed', note: 'bounced' })).body).toMatchObject({
      status: 'failed',
      reason: 'bounced',
    });
    expect(await unpaid()).toBe(owed);
    // No other payment is opened meanwhile, so the miner is promised no date.
    expect((await miner.call('/api/payment/')).body).toMatchObject({ nextPayout: { at: null, reason: 'review' } });
    expect((await move(id, { status: 'queued' })).code).toBe('note_needed');
    expect((await move(id, { status: 'queued', note: 'bounced' })).code).toBe('note_needed');
    expect((await move(id, { status: 'queued', note: 'node is back' })).status).toBe(200);
    expect((await move(id, { status: 'failed', note: 'again' })).status).toBe(200);
    expect(await unpaid()).toBe(owed);
    await move(id, { status: 'queued', note: 'third time' });
    await move(id, { status: 'sent', txid: tx(5) });
    await move(id, { status: 'confirmed' });
    expect(
      (
        await sql<{ kind: string; ref: string }>(
          "select kind, ref from ledger where party = 'chain' and split_part(ref, '#', 1) = $1 order by id",
          [String(id)],
        )
      ).map((row) => `${row.kind} ${row.ref}`),
    ).toEqual([`payout ${id}`, `payout_reversal ${id}`, `payout ${id}#2`]);
  });

  it('a repeated request gets the same response, a changed one 422; after a day it is a new one', async () => {
    const { id } = await pending();
    const key = { 'idempotency-key': 'approve-1' };
    const version = await versionOf(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => move(id, { status: 'queued', version }, key)));
    for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]?.text]);
    expect((await move(id, { status: 'cancelled', version }, key)).code).toBe('idempotency_key_reused');
    expect((await move(id, { status: 'queued', version, note: 'x' }, key)).status).toBe(422);
    expect((await sql('select 1 from audit where subject = $1', [String(id)])).length).toBe(1);
    // A failure is not stored.
    const other = { 'idempotency-key': 'send-1' };
    expect((await move(id, { status: 'confirmed' }, other)).status).toBe(409);
    expect((await move(id, { status: 'unknown' }, other)).status).toBe(200);
    now += 86_401;
    expect((await move(id, { status: 'queued', version }, key)).code).toBe('payment_state');
    expect((await move(id, { status: 'sent', txid: tx(6) }, { 'idempotency-key': 'x'.repeat(129) })).status).toBe(400);
    await move(id, { status: 'sent', txid: tx(6) });
    await move(id, { status: 'confirmed' });
  });

  it('what was handed to a node stays unknown, is not sent again, and is ended only by an admin', async () => {
    const { id, amountSat } = await pending();
    await move(id, { status: 'queued' });
    const claims = await Promise.all(Array.from({ length: 20 }, () => move(id, { status: 'unknown' })));
    expect(claims.filter(({ status }) => status === 200)).toHaveLength(1);
    now += 40 * 86_400;
    expect((await calculate()).body).toMatchObject({ payments: 0 });
    expect(await first()).toMatchObject({ id, status: 'unknown' });
    for (const body of [{ status: 'queued', note: 'again' }, { status: 'cancelled' }, { status: 'unknown' }])
      expect((await move(id, body)).code).toBe('payment_state');
    expect((await move(id, { status: 'failed' })).status).toBe(400);
    expect((await move(id, { status: 'sent', txid: tx(7) })).status).toBe(200);
    expect(
      await sql("select sum(amount_sat) as n from ledger where party = 'chain' and ref = $1", [String(id)]),
    ).toEqual([{ n: amountSat }]);
    await move(id, { status: 'confirmed' });
  });

  it('one bad row of five hundred, or a payment named twice: 422, nothing changed', async () => {
    const { id } = await pending();
    await sql(
      "insert into sub_account (user_id, name, btc_address) select $1, 'bulk' || n, $2 from generate_series(1, 499) n",
      [stranger.userId, ADDRESS],
    );
    await sql(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
       select 'account', id, 'bonus', 5, 'test' from sub_account where name like 'bulk%'
       union all select 'pool', null, 'bonus', -5, 'test' || id from sub_account where name like 'bulk%'`,
    );
    const made = await sql<{ id: number }>(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat, reason)
       select id, '2026-11-01', '2026-11-01', 5, 'review' from sub_account where name like 'bulk%' returning id`,
    );
    const rows = made.map((one) => ({ id: one.id, version: 1, status: 'queued' }));
    rows.splice(249, 0, { id, version: await versionOf(id), status: 'confirmed' });
    const bulk = (payments: object[], headers = {}) => put('/api/bulkUpdatePayments', { payments }, headers);
    const states = () => sql('select status, count(*) as n from payment group by 1 order by 1');
    const before = await states();
    expect(await bulk(rows)).toMatchObject({
      status: 422,
      code: 'bulk_refused',
      body: { errors: [{ path: 'payments.249', message: 'payment_state' }] },
    });
    const good = rows.map((row) => ({ ...row, status: 'queued' }));
    expect((await bulk(good.with(499, { ...good[499]!, id: good[0]!.id }))).code).toBe('duplicate_id');
    const unknown = { id: 999_999, version: 1, status: 'queued' };
    expect((await bulk([...good, unknown])).status).toBe(400);
    expect((await bulk([unknown])).body).toMatchObject({ errors: [{ message: 'not_found' }] });
    expect(await states()).toEqual(before);
    const key = { 'idempotency-key': 'bulk-1' };
    const done = await bulk(good, key);
    expect([done.status, done.body]).toEqual([200, { changed: 500, totalSat: expect.any(Number) }]);
    expect((await bulk(good, key)).text).toBe(done.text);
    await move(id, { status: 'cancelled' });
  });

  it.each(['-1', '1e400'])('an amount of %s: 400', async (amount) => {
    const ask = (path: string, raw: string, who = admin) => who.call(path, { method: 'PUT', raw });
    expect(
      (await ask('/api/payments/?id=1', `{"status":"sent","version":1,"txid":"${tx(1)}","networkFeeSat":${amount}}`))
        .status,
    ).toBe(400);
    expect((await ask('/api/payoutSettings', `{"thresholdSat":${amount}}`, miner)).status).toBe(400);
    expect(
      (await ask('/api/bulkUpdatePayments', `{"payments":[{"id":${amount},"version":1,"status":"queued"}]}`)).status,
    ).toBe(400);
  });

  it('a change names the version it has seen: a stale one is refused, even in the same state', async () => {
    const { id } = await pending();
    const owed = await unpaid();
    expect((await put(`/api/payments/?id=${id}`, { status: 'queued' })).status).toBe(400);
    const answer = await move(id, { status: 'queued' });
    const { version } = answer.body as { version: number };
    expect((await move(id, { status: 'sent', version, txid: tx(20) })).status).toBe(200);
    const left = await unpaid();
    expect((await move(id, { status: 'failed', version, note: 'stale' })).code).toBe('payment_state');
    expect(
      (await put('/api/bulkUpdatePayments', { payments: [{ id, status: 'failed', version, note: 'stale' }] })).body,
    ).toMatchObject({ errors: [{ message: 'payment_state' }] });
    expect(await unpaid()).toBe(left);
    await move(id, { status: 'failed', note: 'bounced' });
    await move(id, { status: 'queued', note: 'once more' });
    // Queued again: the caller has seen an older queueing.
    for (const body of [{ status: 'failed', note: 'stale' }, { status: 'sent', txid: tx(21) }, { status: 'cancelled' }])
      expect((await move(id, { version, ...body })).code).toBe('payment_state');
    expect(await first()).toMatchObject({ id, status: 'queued' });
    expect(await unpaid()).toBe(owed);
    await move(id, { status: 'cancelled' });
  });

  const correct = async (id: number, share: number): Promise<Answer> => {
    const [earned] = await sql<{ day: string; gross: number }>(
      `select e.day, e.gross_sat as gross
       from earning e join payment p on p.sub_account_id = e.sub_account_id and e.day = p.period_to
       where p.id = $1`,
      [id],
    );
    return put(`/api/earnings/${earned?.day}`, {
      account: 'miner',
      algorithm: 'SHA256_ASICBOOST',
      expectedGrossSat: earned?.gross,
      grossSat: Math.floor((earned?.gross ?? 0) * share),
      note: 'counted twice',
    });
  };

  const pause = (paused: boolean): Promise<unknown> =>
    sql("update sub_account set payout_paused = $1 where name = 'miner'", [paused]);

  it('sent and unknown check balance, pause and hold again', async () => {
    const { id } = await pending();
    const onward = [{ status: 'sent', txid: tx(30) }, { status: 'unknown' }];
    const refusedAs = async (code: string): Promise<void> => {
      for (const body of onward) expect((await move(id, body)).code).toBe(code);
    };
    await move(id, { status: 'queued' });
    await pause(true);
    await refusedAs('paused');
    await pause(false);
    await sql("update sub_account set address_hold_until = to_timestamp($1::float8 + 60) where name = 'miner'", [now]);
    await refusedAs('address_hold');
    await sql("update sub_account set address_hold_until = null where name = 'miner'");
    expect((await correct(id, 0.5)).status).toBe(200);
    await refusedAs('balance_too_low');
    expect(await unpaid()).toBeGreaterThan(0);
    expect((await correct(id, 2)).status).toBe(200);
    expect((await move(id, { status: 'sent', txid: tx(30) })).status).toBe(200);
    await move(id, { status: 'confirmed' });
  });

  it('a payment handed to a node stays owed: its earning is not corrected before its end is known', async () => {
    const { id } = await pending();
    await move(id, { status: 'queued' });
    await move(id, { status: 'unknown' });
    const owed = await unpaid();
    expect((await correct(id, 0.5)).code).toBe('payment_under_way');
    expect(await unpaid()).toBe(owed);
    // The owner's pause does not recall what may be on the chain.
    await pause(true);
    expect((await move(id, { status: 'sent', txid: tx(31) })).status).toBe(200);
    expect((await correct(id, 0.5)).status).toBe(200);
    await move(id, { status: 'confirmed' });
    await pause(false);
  });

  it('a held address is not paid a minute before the hold ends, and is paid after it', async () => {
    const { id } = await pending();
    await sql("update sub_account set address_hold_until = to_timestamp($1::float8 + 72 * 3600) where name = 'miner'", [
      now,
    ]);
    now += 72 * 3600 - 60;
    expect((await move(id, { status: 'queued' })).code).toBe('address_hold');
    now += 60;
    expect((await move(id, { status: 'queued' })).status).toBe(200);
    await move(id, { status: 'cancelled' });
  });

  it('an address changed while the payment is queued: held, not redirected', async () => {
    const { id } = await pending();
    await move(id, { status: 'queued' });
    await sql(
      `update sub_account
       set btc_address = $1, address_hold_until = to_timestamp($2::float8 + 72 * 3600)
       where name = 'miner'`,
      [OTHER, now],
    );
    expect(await first()).toMatchObject({ id, status: 'pending', reason: 'address_hold' });
    expect((await move(id, { status: 'unknown' })).code).toBe('payment_state');
    expect((await move(id, { status: 'queued' })).code).toBe('address_hold');
    expect((await miner.call('/api/payment/')).body).toMatchObject({
      nextPayout: { reason: 'address_hold', at: new Date((now + 72 * 3600) * 1000).toISOString() },
    });
    await move(id, { status: 'cancelled' });
  });

  it('the owner sets threshold and pause, within bounds, and a waiting payment shows the reason', async () => {
    const { id } = await pending();
    const later = now;
    now = Date.now() / 1000;
    expect((await miner.put('/api/payoutSettings', { paused: true })).body).toEqual({
      account: 'miner',
      thresholdSat: 10_000,
      paused: true,
      leastSat: 10_000,
      mostSat: 10_000_000_000,
    });
    expect(await first()).toMatchObject({ status: 'pending', reason: 'paused' });
    expect((await move(id, { status: 'queued' })).code).toBe('paused');
    expect((await miner.call('/api/payment/')).body).toMatchObject({ nextPayout: { at: null, reason: 'paused' } });
    expect((await miner.put('/api/payoutSettings', { paused: false, thresholdSat: 20_000 })).status).toBe(200);
    expect(await first()).toMatchObject({ reason: 'review' });
    for (const thresholdSat of [9999, 10_000_000_001, 0])
      expect((await miner.put('/api/payoutSettings', { thresholdSat })).status).toBe(400);
    for (const who of [stranger, admin])
      expect((await who.put('/api/payoutSettings?accountName=miner', { paused: true })).status).toBe(404);
    expect(await sql("select count(*) as n from audit where action = 'payout_settings.change'")).toEqual([{ n: 2 }]);
    now = later;
    await settle(id);
  });

  describe('the log of them', () => {
    let id: number;
    let key: string;
    beforeAll(async () => {
      ({ id, key } = await pending());
      rmSync(folder, { recursive: true });
    });

    const change = (body: Record<string, unknown>, idempotencyKey: string): Promise<Answer> =>
      put(`/api/payments/?id=${id}`, body, { 'idempotency-key': idempotencyKey });

    it('a change that cannot be written to the log is not acknowledged; repeated, it is written', async () => {
      expect((await change({ status: 'queued', version: 1 }, 'approve')).status).toBe(503);
      mkdirSync(folder);
      expect((await change({ status: 'queued', version: 1 }, 'approve')).status).toBe(200);
      const lines = readFileSync(join(folder, PAYMENT_LOG), 'utf8').trim().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ id, key, status: 'queued', version: 2, account: 'miner' }),
      ]);
    });

    it('a payment that the log knows as handed over is not handed over again: it becomes unknown', async () => {
      const [mark] = await marksOf(test.database.pool, [id]);
      if (!mark) throw new Error('no payment');
      // A failover that lost the hand-over leaves it so.
      log.record([{ ...mark, status: 'unknown', version: mark.version + 1 }]);
      expect(await change({ status: 'unknown', version: mark.version }, 'hand-over')).toMatchObject({
        status: 409,
        code: 'payment_state',
      });
      const note: unknown = expect.stringContaining('look at the chain');
      expect(await first()).toMatchObject({ id, key, status: 'unknown', note });
    });

    it('what was sent is told once, although the request that sent it was answered only when repeated', async () => {
      const sent = { status: 'sent', version: await versionOf(id), txid: 'a'.repeat(64) };
      const { length: told } = await sql("select from notification where kind = 'payment_sent'");
      rmSync(folder, { recursive: true });
      expect((await change(sent, 'send')).status).toBe(503);
      mkdirSync(folder);
      for (let time = 0; time < 2; time += 1) expect((await change(sent, 'send')).status).toBe(200);
      expect(await sql("select from notification where kind = 'payment_sent'")).toHaveLength(told + 1);
    });

    it('the key of a payment cannot be changed', async () => {
      await expect(test.database.pool.query('update payment set key = gen_random_uuid()')).rejects.toThrow(
        'the key of a payment does not change',
      );
    });
  });
});
