/** Admins' changes of payments: run once, told to their owners, written to the log before they are acknowledged. */
import type { AdminPayment, PaymentChange, ShownChange, ShownFacts } from '@pool/shared/api/contract';
import type { FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import { bitcoinPrice } from '../../../money/accounting/prices';
import { coolDownOf } from '../../../money/payouts/cool-down';
import { movePayment, type Moved } from '../../../money/payouts/payment-changes';
import { marksOf, type PaymentMark } from '../../../money/payouts/payment-log';
import { writeMoveNotes } from '../../../money/payouts/payment-notes';
import { paymentById } from '../../../money/payouts/payments';
import { restoreMarks } from '../../../money/payouts/restore-marks';
import { writeAudit } from '../../../platform/audit';
import { longStatements } from '../../../platform/db/bounded';
import { type Querier, rowsOf } from '../../../platform/db/querier';
import { once } from '../../auth/idempotency';
import { actorOf, type Principal } from '../../auth/principal';
import type { Deps } from '../../context/deps';
import { found, Refused, problems } from '../../../platform/refused';

type By = { me: Principal; request: FastifyRequest };

async function move(
  { config, now }: Deps,
  client: PoolClient,
  by: By,
  id: number,
  change: PaymentChange,
  usd: number,
): Promise<Moved> {
  const moved = await movePayment(
    client,
    id,
    change.status === 'sent' ? { usdAtSend: usd, ...change } : change,
    now(),
    by.me.user.id,
    coolDownOf(config),
  );
  await writeAudit(client, actorOf(by), `payment.${change.status}`, String(id), {
    before: { status: moved.before },
    after: change,
  });
  return moved;
}

/** Runs a change of payments once, after what the database has lost of them; answers when it is in the log. */
async function recorded<T>(
  { pool, bus, config, now, paymentLog, log }: Deps,
  { me, request }: By,
  ids: readonly number[],
  work: (client: PoolClient) => Promise<{ moves: readonly Moved[]; result: T }>,
): Promise<T> {
  await restoreMarks(pool, paymentLog, log, ids);
  let marks: PaymentMark[] | undefined;
  let moved: readonly Moved[] = [];
  const { answer } = await once(pool, me, request, now(), async (client) => {
    const { moves, result } = await work(client);
    moved = moves;
    marks = await marksOf(client, ids);
    await writeMoveNotes(client, moves, coolDownOf(config), me.user.userName, now());
    return result;
  });
  for (const { account, userId } of moved) bus.publish({ type: 'payment', data: { account }, userId });
  // A request is repeated when the first one may have ended before it wrote the marks.
  const after = marks ?? (await marksOf(pool, ids));
  try {
    paymentLog.record(after);
    await paymentLog.tell(after);
  } catch (error) {
    log.error({ err: error }, 'a change of payments cannot be written to their log, so it is not acknowledged');
    throw problems.unavailable();
  }
  return answer;
}

/** All that a change of payments does, where one that a node has got is said to have failed: it would be paid again. */
export async function failedAfterSending(
  db: Querier,
  changes: readonly (PaymentChange & { id: number })[],
): Promise<ShownChange | null> {
  const before = await rowsOf<Shown & { version: number }>(db)`
    select p.id, s.name as account, p.address, p.amount_sat, p.status, p.txid, p.version
    from payment p join sub_account s on s.id = p.sub_account_id
    where p.id = any(${changes.map(({ id }) => id)}::int[]) order by p.id`;
  const changeOf = (id: number) => changes.find((change) => change.id === id);
  const isRisky = ({ id, status, version }: (typeof before)[number]): boolean =>
    (status === 'unknown' || status === 'sent') &&
    changeOf(id)?.status === 'failed' &&
    changeOf(id)?.version === version;
  if (!before.some(isRisky)) return null;
  const shown = before.map(({ version: _, ...payment }) => payment);
  const after = shown.map((payment) => {
    const change = changeOf(payment.id);
    return {
      ...payment,
      ...(change && { status: change.status }),
      ...(change?.status === 'sent' && { txid: change.txid }),
    };
  });
  return { before: { payments: shown }, after: { payments: after } };
}
type Shown = NonNullable<ShownFacts['payments']>[number];

export async function changePayment(
  deps: Deps,
  by: By,
  id: number,
  change: PaymentChange,
  trigger?: 'referral',
): Promise<AdminPayment> {
  const usd = (await bitcoinPrice(deps.pool, deps.now())).price;
  return found(
    await recorded(deps, by, [id], async (client) => {
      const moved = await move(deps, client, by, id, change, usd);
      if (trigger && moved.trigger !== trigger) throw problems.notFound();
      return { moves: [moved], result: await paymentById(client, id) };
    }),
  );
}

/** Changes all or none. Rows are locked in the order of their ids, so that two such calls cannot deadlock. */
export async function changePayments(
  deps: Deps,
  by: By,
  payments: readonly (PaymentChange & { id: number })[],
): Promise<{ changed: number; totalSat: number }> {
  const usd = (await bitcoinPrice(deps.pool, deps.now())).price;
  const ids = payments.map(({ id }) => id);
  return recorded(deps, by, ids, async (client) => {
    await longStatements(client, 30_000);
    const moves: Moved[] = [];
    const seen = new Set<number>();
    payments.forEach(({ id }, index) => {
      if (seen.has(id))
        throw new Refused(422, 'duplicate_id', {
          detail: 'A payment is named twice; nothing was changed.',
          errors: [{ path: `payments.${index}.id`, message: 'is a duplicate' }],
        });
      seen.add(id);
    });
    for (const {
      index,
      payment: { id, ...change },
    } of payments.map((payment, index) => ({ index, payment })).sort((a, b) => a.payment.id - b.payment.id)) {
      moves.push(
        await move(deps, client, by, id, change as PaymentChange, usd).catch((error: unknown) => {
          if (!(error instanceof Refused)) throw error;
          throw new Refused(422, 'bulk_refused', {
            detail: 'Nothing was changed.',
            errors: [{ path: `payments.${index}`, message: error.code }],
          });
        }),
      );
    }
    const totalSat = moves.reduce((sum, { amountSat }) => sum + amountSat, 0);
    return { moves, result: { changed: moves.length, totalSat } };
  });
}
