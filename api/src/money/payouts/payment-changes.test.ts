/** The bounds of a change of a payment: the wait of a run, what failed before, and who corrects a transaction id. */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { startOfDay } from '../../platform/days';
import { transaction } from '../../platform/db/transaction';
import { insertUsers } from '../jobs/testing/miners';
import { openPayments } from './open-payments';
import { FOUR_EYES } from './four-eyes-setting';
import { movePayment } from './payment-changes';

const NOW = startOfDay('2026-11-20') + 7200;
const DAY = 86_400;
const coolDown = { boundSat: 1000, seconds: 6 * 3600 };
const tx = (digit: string): string => digit.repeat(64);
const database = databaseOfFile();
const sql = async <T = object>(text: string): Promise<T[]> => (await database.pool.query(text)).rows as T[];
const one = async <T>(columns: string): Promise<T | undefined> =>
  (await sql<T>(`select ${columns} from payment where id = 1`))[0];
const move = async (change: object, at = NOW, by: number | null = null): Promise<string> => {
  const { version } = (await one<{ version: number }>('version')) ?? {};
  const read = { version, ...change } as Parameters<typeof movePayment>[2];
  return transaction(database.pool, (client) => movePayment(client, 1, read, at, by, coolDown)).then(
    ({ status }) => status,
    ({ code }: { code: string }) => code,
  );
};
const queue = { status: 'queued', note: 'again' };
const unknown = { status: 'unknown' };
const give = (sats: number) =>
  sql(`insert into ledger (party, sub_account_id, kind, amount_sat, ref)
    select 'account', 1, 'bonus', ${sats}, count(*) from ledger
    union all select 'pool', null::int, 'bonus', ${-sats}, count(*) from ledger`);

/** Ann's payment of 1,000 satoshis, the bound of a run. Another setting than four eyes is on. */
beforeEach(async () => {
  await insertUsers(database);
  await give(1000);
  await sql("insert into setting (name, value) values ('other', 'true')");
  await openPayments(database.pool, NOW);
});

it('what failed at a node counts for a run of thirty days, every time; what never was at one does not', async () => {
  const given = async () => (await one<{ given: number }>('given_sat as given'))?.given;
  const fail = (note: string, at: number) => move({ status: 'failed', note }, at);
  await move(queue);
  await fail('not given', NOW);
  expect(await given()).toBe(0);
  await move({ ...queue, note: '1' });
  expect(await move(unknown)).toBe('unknown');
  await fail('first', NOW);
  await move({ ...queue, note: '2' }, NOW + 30 * DAY - 1);
  expect(await given()).toBe(1000);
  // It would be the second time, so it waits as long as a run does.
  expect(await move(unknown, NOW + 30 * DAY + coolDown.seconds - 2)).toBe('run_waits');
  expect(await move(unknown, NOW + 30 * DAY + coolDown.seconds - 1)).toBe('unknown');
  await fail('second', NOW + 31 * DAY);
  expect(await given()).toBe(2000);
  const later = NOW + 60 * DAY - 1;
  await move({ ...queue, note: '3' }, later);
  expect(await given()).toBe(0);
  expect(await move(unknown, later)).toBe('unknown');
});

/** A change that the database's own checks do not see. */
const unseen = (change: string) =>
  `set session_replication_role to replica; ${change}; set session_replication_role to origin`;
const queuedBeside = (at: number) =>
  sql(
    unseen(`insert into payment (sub_account_id, period_from, period_to, amount_sat, status, queued_at)
      values (2, '2026-11-18', '2026-11-18', 1001, 'queued', to_timestamp(${at}))`),
  );

it('a run that has grown holds up neither who has waited nor what is at a node', async () => {
  await move(queue);
  const later = NOW + coolDown.seconds;
  await queuedBeside(later);
  expect(await move({ status: 'failed', note: 'no node' }, later - 1)).toBe('failed');
  await move(queue);
  expect(await move({ status: 'sent', txid: tx('1') }, later - 1)).toBe('run_waits');
  expect(await move(unknown, later - 1)).toBe('run_waits');
  expect(await move(unknown, later)).toBe('unknown');
  expect(await move({ status: 'sent', txid: tx('1') }, NOW)).toBe('sent');
});

const CHANGES = {
  queued: queue,
  unknown,
  sent: { status: 'sent', txid: tx('1') },
  failed: { status: 'failed', note: 'gone' },
  cancelled: { status: 'cancelled' },
  confirmed: { status: 'confirmed' },
};
const WHO = { approver: 1, other: 2, newcomer: 3, nobody: null };
it.each<[now: keyof typeof CHANGES, who: keyof typeof WHO, change: keyof typeof CHANGES, expected: string]>([
  ['queued', 'approver', 'unknown', 'same_person'],
  ['queued', 'approver', 'sent', 'same_person'],
  ['unknown', 'approver', 'sent', 'same_person'],
  ['queued', 'approver', 'failed', 'failed'],
  ['queued', 'approver', 'cancelled', 'cancelled'],
  ['queued', 'other', 'sent', 'sent'],
  ['unknown', 'other', 'sent', 'sent'],
  ['unknown', 'other', 'failed', 'second_admin'],
  ['sent', 'other', 'failed', 'second_admin'],
  ['unknown', 'nobody', 'failed', 'failed'],
  ['queued', 'newcomer', 'unknown', 'new_admin'],
  ['queued', 'newcomer', 'failed', 'new_admin'],
  ['queued', 'newcomer', 'cancelled', 'cancelled'],
  ['sent', 'newcomer', 'confirmed', 'confirmed'],
])('under four eyes: it is %s, and the %s says %s: %s', async (now, who, change, expected) => {
  await sql(`insert into setting (name, value) values ('${FOUR_EYES}', 'true');
    update app_user set full_admin_at = now() + interval '1 day' where id = ${WHO.newcomer}`);
  await move(queue, NOW, WHO.approver);
  if (now !== 'queued') await move(CHANGES[now], NOW, WHO.other);
  expect(await move(CHANGES[change], NOW, WHO[who])).toBe(expected);
});

it('keeps its note where none is given, and says no reason once it goes on', async () => {
  await sql("update payment set reason = 'paused'");
  await move({ status: 'queued', note: 'a friend' }, NOW, 2);
  const facts = () => one('note, reason, queued_by as by');
  expect(await facts()).toEqual({ note: 'a friend', reason: null, by: 2 });
  await move(unknown);
  expect(await facts()).toEqual({ note: 'a friend', reason: null, by: 2 });
  await move({ status: 'failed', note: 'bounced' });
  for (const note of [undefined, 'bounced']) expect(await move({ status: 'queued', note })).toBe('note_needed');
  await move({ status: 'queued', note: 'once more' }, NOW + 60, 3);
  expect(await facts()).toEqual({ note: 'once more', reason: null, by: 3 });
  expect(await one('extract(epoch from queued_at)::int as at')).toEqual({ at: NOW + 60 });
  await move({ status: 'cancelled', note: 'left' });
  expect(await facts()).toEqual({ note: 'left', reason: 'left', by: 3 });
});

it('keeps what is said of its transfer, and when it was confirmed', async () => {
  await move(queue);
  await move({ ...unknown, note: 'by hand' });
  await move({ ...CHANGES.sent, usdAtSend: 91_000.5, networkFeeSat: 7 });
  await move(CHANGES.confirmed, NOW + 60);
  expect(await one('note, usd_at_send as usd, network_fee_sat as fee, confirmed_at as at')).toEqual({
    note: 'by hand',
    usd: 91_000.5,
    fee: 7,
    at: new Date((NOW + 60) * 1000),
  });
});

const MOVED = unseen("update sub_account set btc_address = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'");
it.each<[meanwhile: string, now: string, change: keyof typeof CHANGES, expected: string]>([
  [MOVED, 'queued', 'unknown', 'payment_state'],
  [MOVED, 'queued', 'sent', 'payment_state'],
  ['update sub_account set payout_paused = true', 'pending', 'queued', 'paused'],
  ['update sub_account set payout_paused = true', 'unknown', 'sent', 'sent'],
  ['update sub_account set address_set_by = 2', 'pending', 'queued', 'own_address'],
  ['update sub_account set address_set_by = 1', 'pending', 'queued', 'queued'],
  [unseen('delete from payment'), 'pending', 'queued', 'not_found'],
])('after %s it is %s, and %s is answered by %s', async (meanwhile, now, change, expected) => {
  if (now !== 'pending') await move(queue);
  if (now === 'unknown') await move(unknown);
  await sql(meanwhile);
  expect(await move(CHANGES[change], NOW, 2)).toBe(expected);
});

it('replaces a transaction id for who names it, and books nothing again', async () => {
  await move({ status: 'queued' });
  const send = (txid: string, replaces?: string, at = NOW) =>
    move({ status: 'sent', txid, ...(replaces && { replaces }) }, at);
  expect(await send(tx('1'), tx('0'))).toBe('payment_state');
  // What the database refuses for another reason is told as such.
  expect(await send('1')).toBe('23514');
  expect(await send(tx('1'))).toBe('sent');
  expect(await send(tx('2'))).toBe('payment_state');
  expect(await send(tx('2'), tx('0'))).toBe('payment_state');
  expect(await send(tx('2'), tx('1'))).toBe('sent');
  expect(await sql("select count(*)::int as n from ledger where kind = 'payout' and party = 'chain'")).toEqual([
    { n: 1 },
  ]);
  // Sent again after it failed, it had another id before.
  await move({ status: 'failed', note: 'bounced' });
  await move(queue);
  const later = NOW + coolDown.seconds;
  expect(await send(tx('3'), tx('1'), later)).toBe('payment_state');
  expect(await send(tx('3'), undefined, later)).toBe('sent');
  expect(await one('txid')).toEqual({ txid: tx('3') });
});

it.each([
  ['the amount itself', 0, 'sent'],
  ['a satoshi less', 1, 'balance_too_low'],
])('with a balance of %s, approved, given and sent', async (_, less, code) => {
  const steps = [queue, unknown, { status: 'sent', txid: tx('1') }];
  for (const step of steps) {
    await give(-less);
    expect(await move(step)).toBe(less ? code : step.status);
    await give(less);
    if (less) await move(step);
  }
  expect(await one('status')).toEqual({ status: 'sent' });
});

it('what failed after it was sent waits for the one that was opened meanwhile', async () => {
  await move(queue);
  await move({ status: 'sent', txid: tx('1') });
  await give(1000);
  const [second] = await openPayments(database.pool, NOW);
  await move({ status: 'failed', note: 'bounced' });
  expect(await move(queue)).toBe('another_open');
  await sql(`update payment set status = 'cancelled' where id = ${second?.id}`);
  expect(await move(queue)).toBe('queued');
});

it('is for the address of now, and of the version that was read, when it is approved again after it failed', async () => {
  await move({ status: 'queued', note: 'kept' });
  await move({ status: 'failed', note: 'bounced' });
  await sql("update sub_account set btc_address = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' where id = 1");
  expect(await move({ ...queue, version: 1 })).toBe('payment_state');
  expect(await move(queue)).toBe('queued');
  expect(await one('address, note')).toEqual({ address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', note: 'again' });
});
