/**
 * The states of a payment: pending > queued > sent > confirmed. `unknown`, between queued and sent, means that the
 * transfer was given to a bitcoin node and may be on the chain. A payer sets it before paying, so that no other payer
 * can pay the same payment; no timeout ends it. A change carries the version its author has read: of concurrent changes
 * one wins, and nobody overwrites a state they have not read. Balances are read and changed under the same lock as
 * corrections of earnings. A sent payment that is said to be sent again gets another transaction id, and nothing else.
 */
import type { PoolClient } from 'pg';
import type { Payment, PaymentChange } from '@pool/shared/api/contract';
import { lock } from '../../platform/db/transaction';
import { type CoolDown, waitingRun } from './cool-down';
import { FOUR_EYES } from './four-eyes-setting';
import { isNewAdmin, NEW_ADMIN } from '../../accounts/new-admin';
import { confirming } from '../../accounts/waiting/waiting';
import { book, nextRef, owedTo, owedToReferrer, type Entry, type LedgerKind } from '../ledger/ledger';
import { brokenUnique, firstRow, raw, rowsOf } from '../../platform/db/querier';
import { problems, type Refused } from '../../platform/refused';

const FROM: Record<PaymentChange['status'], readonly Payment['status'][]> = {
  queued: ['pending', 'failed'],
  unknown: ['queued'],
  sent: ['queued', 'unknown', 'sent'],
  confirmed: ['sent'],
  failed: ['queued', 'unknown', 'sent'],
  cancelled: ['pending', 'queued'],
};

const DETAILS = {
  payment_state: 'The payment has changed since it was read, or its state does not allow this: read it again.',
  no_address: 'There is no address to pay to.',
  address_hold: 'The address was changed a moment ago and is held.',
  paused: 'Payouts of this sub-account are paused.',
  balance_too_low: 'The balance is lower than the payment: cancel it; one that has failed waits for the balance.',
  another_open: 'Another payment of this sub-account is open.',
  run_waits: 'A payout run above the bound waits before it is sent.',
  own_address: 'Whoever set the payout address does not pay to it: another admin does, or its owner confirms it.',
  same_person: 'Whoever approved a payment does not send it: another admin has to.',
  new_admin: NEW_ADMIN,
  second_admin: 'It was given to a node: another admin has to say so too.',
  note_needed: 'Say in a new note why it is queued again.',
} as const;
const refused = (code: keyof typeof DETAILS): Refused => problems.conflict(code, DETAILS[code]);

export type Moved = {
  id: number;
  account: string;
  userId: number;
  amountSat: number;
  before: Payment['status'];
  status: PaymentChange['status'];
  trigger: Payment['trigger'];
  version: number;
};

type Found = Omit<Moved, 'before' | 'status'> & {
  status: Payment['status'];
  note: string | null;
  subAccountId: number;
  address: string | null;
  holdUntil: Date | null;
  addressSetBy: number | null;
  paused: boolean;
  queuedFor: string | null;
  txid: string | null;
  queuedBy: number | null;
  /** Unix seconds. */
  queuedAt: number | null;
  fourEyes: boolean;
};

/** The payment and its owner's current wallet, both locked: the address cannot change in this transaction. */
async function find(client: PoolClient, id: number): Promise<Found> {
  const row = await firstRow<Found>(client)`
    select p.id, p.status, p.amount_sat, p.note, p.trigger, p.version, p.address as queued_for, p.txid, p.queued_by,
      extract(epoch from p.queued_at)::float8 as queued_at,
      coalesce((select value = 'true' from setting where name = '${raw(FOUR_EYES)}'), false) as four_eyes,
      s.id as sub_account_id, s.name as account, u.id as user_id,
      case when p.trigger = 'referral' then u.referral_address else s.btc_address end as address,
      case when p.trigger = 'referral' then u.referral_hold_until else s.address_hold_until end as hold_until,
      case when p.trigger <> 'referral' then s.address_set_by end as address_set_by,
      p.trigger <> 'referral' and s.payout_paused as paused
    from payment p
    join sub_account s on s.id = p.sub_account_id
    join app_user u on u.id = s.user_id
    where p.id = ${id}
    for share of s, u`;
  if (!row) throw problems.notFound();
  return row;
}

async function checkBalance(client: PoolClient, found: Found): Promise<void> {
  const owed =
    found.trigger === 'referral'
      ? await owedToReferrer(client, found.userId)
      : await owedTo(client, found.subAccountId);
  if (owed < found.amountSat) throw refused('balance_too_low');
}

/** Checks the current address, pause and balance, not those of the step before. Returns the address. */
async function checkPayable(client: PoolClient, found: Found, at: number, by: number | null): Promise<string> {
  if (found.status === 'queued' && found.address !== found.queuedFor) throw refused('payment_state');
  if (!found.address) throw refused('no_address');
  if (found.holdUntil && found.holdUntil.getTime() > at * 1000) throw refused('address_hold');
  if (found.addressSetBy !== null && found.addressSetBy === by) throw refused('own_address');
  if (found.paused) throw refused('paused');
  await checkBalance(client, found);
  return found.address;
}

async function bookPayout(
  client: PoolClient,
  kind: LedgerKind,
  { id, trigger, subAccountId, userId, amountSat }: Found,
  at: number,
): Promise<void> {
  const sign = kind === 'payout' ? -1 : 1;
  const ref = await nextRef(client, 'chain', kind, String(id), null);
  const owner: Entry =
    trigger === 'referral'
      ? { party: 'referrer', userId, amountSat: sign * amountSat, ref }
      : { party: 'account', subAccountId, amountSat: sign * amountSat, ref };
  await book(client, kind, [owner, { party: 'chain', amountSat: -sign * amountSat, ref }], at);
}

const ACCRUALS: Partial<Record<PaymentChange['status'], string>> = {
  sent: "update referral_accrual set status = 'paid' where payment_id = $1 and status = 'payable'",
  failed: "update referral_accrual set status = 'payable' where payment_id = $1 and status = 'paid'",
  cancelled:
    "update referral_accrual set status = 'accrued', payment_id = null where payment_id = $1 and status = 'payable'",
};

/** Applies a change of `by` or throws `Refused`. `at`: Unix seconds; `coolDown`: for runs above a bound. */
export async function movePayment(
  client: PoolClient,
  id: number,
  change: PaymentChange,
  at: number,
  by: number | null = null,
  coolDown: CoolDown | null = null,
): Promise<Moved> {
  await lock(client, 'payouts');
  const found = await find(client, id);
  if (found.version !== change.version || !FROM[change.status].includes(found.status)) throw refused('payment_state');
  if (found.fourEyes && found.queuedBy === by && (change.status === 'unknown' || change.status === 'sent'))
    throw refused('same_person');
  const wasGiven = found.status === 'unknown' || found.status === 'sent';
  if (found.fourEyes && by !== null && change.status !== 'confirmed' && change.status !== 'cancelled') {
    if (await isNewAdmin(client, by)) throw refused('new_admin');
    // It may be on the chain: said to have failed, it would be paid a second time.
    if (change.status === 'failed' && wasGiven && !confirming.getStore()) throw refused('second_admin');
  }
  const isSending = found.status === 'queued' && (change.status === 'unknown' || change.status === 'sent');
  if (
    isSending &&
    coolDown &&
    (found.queuedAt ?? 0) > at - coolDown.seconds &&
    (await waitingRun(client, coolDown, at))
  )
    throw refused('run_waits');
  let version = found.version;
  const set = async (assignments: string, values: unknown[]): Promise<void> => {
    const [row] = await rowsOf<{ version: number }>(
      client,
      `update payment set status = $2, ${assignments} where id = $1 and version = $3 returning version`,
      [id, change.status, found.version, ...values],
    ).catch((error: unknown) => {
      throw brokenUnique(error) === null ? error : refused('another_open');
    });
    if (!row) throw refused('payment_state');
    version = row.version;
  };
  switch (change.status) {
    case 'queued':
      if (found.status === 'failed' && (!change.note || change.note === found.note)) throw refused('note_needed');
      await set(
        `address = $4, reason = null, note = coalesce($5, note), queued_by = $6, queued_at = to_timestamp($7::float8),
         given_sat = case when queued_at > to_timestamp($7::float8) - interval '30 days' then given_sat else 0 end`,
        [await checkPayable(client, found, at, by), change.note ?? null, by, at],
      );
      break;
    case 'unknown':
      await checkPayable(client, found, at, by);
      await set('reason = null, note = coalesce($4, note)', [change.note ?? null]);
      break;
    case 'sent':
      // Two payers never both say that they sent it: who corrects the id names the one that was wrong.
      if ((found.status === 'sent' || change.replaces) && found.txid !== change.replaces)
        throw refused('payment_state');
      if (found.status === 'sent') {
        await set('txid = $4', [change.txid]);
        break;
      }
      // A payment given to a node may be on the chain already: an address changed or paused since does not matter.
      await (found.status === 'unknown' ? checkBalance(client, found) : checkPayable(client, found, at, by));
      await set(
        'txid = $4, network_fee_sat = $5, usd_at_send = $6, sent_at = to_timestamp($7::float8), reason = null',
        [change.txid, change.networkFeeSat ?? 0, change.usdAtSend ?? null, at],
      );
      await bookPayout(client, 'payout', found, at);
      break;
    case 'confirmed':
      await set('confirmed_at = to_timestamp($4::float8)', [at]);
      break;
    case 'failed':
      await set('reason = $4, note = $4, given_sat = given_sat + $5', [change.note, wasGiven ? found.amountSat : 0]);
      if (found.status === 'sent') await bookPayout(client, 'payout_reversal', found, at);
      break;
    case 'cancelled':
      await set('reason = $4, note = $4', [change.note ?? null]);
  }
  const accruals = ACCRUALS[change.status];
  if (accruals && found.trigger === 'referral') await client.query(accruals, [id]);
  const { account, userId, amountSat, status: before, trigger } = found;
  return { id, account, userId, amountSat, before, status: change.status, trigger, version };
}
