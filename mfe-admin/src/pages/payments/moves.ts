import type { AdminPayment, PaymentMove, Status } from '../../api/payments';

const MOVES = ['approve', 'hand', 'send', 'confirm', 'mend', 'requeue', 'fail', 'cancel'] as const;
export type Move = (typeof MOVES)[number];

type Rule = { from: readonly Status[]; to: PaymentMove['status']; note?: 'optional' | 'needed'; pays?: true };
/** `pays`: refused while the address is on hold, missing, or payouts are paused. */
export const RULES: Record<Move, Rule> = {
  approve: { from: ['pending'], to: 'queued', note: 'optional', pays: true },
  send: { from: ['queued', 'unknown'], to: 'sent' },
  hand: { from: ['queued'], to: 'unknown', note: 'optional', pays: true },
  /** Another transaction id, where a wrong one was given. */
  mend: { from: ['sent'], to: 'sent' },
  confirm: { from: ['sent'], to: 'confirmed' },
  requeue: { from: ['failed'], to: 'queued', note: 'needed', pays: true },
  fail: { from: ['queued', 'unknown', 'sent'], to: 'failed', note: 'needed' },
  cancel: { from: ['pending', 'queued'], to: 'cancelled', note: 'optional' },
};

export const movesFrom = (status: Status): Move[] => MOVES.filter((move) => RULES[move].from.includes(status));

/** Takes money back or away. */
export const isDangerous = (move: Move): boolean => move === 'fail' || move === 'cancel';

type Obstacle = 'address_hold' | 'no_address' | 'paused' | 'same_person';

/** Admin who moves payments, and whether a payment needs two admins. */
export type Mover = { userName: string; fourEyes: boolean };

/** What keeps a payment from being moved; the server checks the same. */
function obstacleOf(payment: AdminPayment, move: Move, { userName, fourEyes }: Mover): Obstacle | null {
  const sends = move === 'send' || move === 'hand';
  if (fourEyes && sends && payment.approvedBy === userName) return 'same_person';
  if (!RULES[move].pays) return null;
  if (payment.heldUntil !== null) return 'address_hold';
  if (payment.address === null) return 'no_address';
  return payment.reason === 'paused' ? 'paused' : null;
}

export type Sorted = { moving: AdminPayment[]; left: { payment: AdminPayment; why: Obstacle }[] };

export function sortOut(payments: readonly AdminPayment[], move: Move, mover: Mover): Sorted {
  const sorted: Sorted = { moving: [], left: [] };
  for (const payment of payments.filter(({ status }) => RULES[move].from.includes(status))) {
    const why = obstacleOf(payment, move, mover);
    if (why === null) sorted.moving.push(payment);
    else sorted.left.push({ payment, why });
  }
  return sorted;
}

export type Given = { note?: string; txid?: string; feeSat?: number };

/** `feeSat` of one transaction, divided among its payments: the first ones take what is left over. */
const feeOf = (feeSat: number, count: number, index: number): number =>
  Math.floor(feeSat / count) + (index < feeSat % count ? 1 : 0);

export function changesOf(payments: readonly AdminPayment[], move: Move, { note, txid, feeSat }: Given): PaymentMove[] {
  const { to } = RULES[move];
  const words = note?.trim() || undefined;
  return payments.map(({ id, version, txid: wrong }, index): PaymentMove => {
    switch (to) {
      case 'sent':
        return {
          id,
          version,
          status: to,
          txid: txid ?? '',
          ...(move === 'mend' && wrong !== null ? { replaces: wrong } : {}),
          ...(feeSat === undefined ? {} : { networkFeeSat: feeOf(feeSat, payments.length, index) }),
        };
      case 'confirmed':
        return { id, version, status: to };
      case 'failed':
        return { id, version, status: to, note: words ?? '' };
      default:
        return { id, version, status: to, ...(words === undefined ? {} : { note: words }) };
    }
  });
}

export const totalOf = (payments: readonly AdminPayment[]): number =>
  payments.reduce((sum, { amountSat }) => sum + amountSat, 0);
export const addressesOf = (payments: readonly AdminPayment[]): number =>
  new Set(payments.map(({ address }) => address)).size;
