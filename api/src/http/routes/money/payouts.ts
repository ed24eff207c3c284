/** Payouts: a sub-account's settings, and the admins' actions on payments. */
import { formatBtcShort } from '@pool/shared/domain';
import { writeAudit } from '../../../platform/audit';
import type { AdminPayment, PaymentChange, PayoutSettings } from '@pool/shared/api/contract';
import type { FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import { longStatements } from '../../../platform/db/bounded';
import { transaction } from '../../../platform/db/transaction';
import { findSubAccount, type SubAccountRow } from '../../../accounts/accounts';
import { announceNotes, writeNotes, type WrittenNote } from '../../../messages/notifications';
import { coolDownOf, waitingRun, warnOfRun } from '../../../money/payouts/cool-down';
import { refreshReasons } from '../../../money/payouts/open-payments';
import { askSecondAdmin, NEW_ADMIN } from '../../../accounts/second-admin';
import { movePayment, PaymentRefused, type Moved } from '../../../money/payouts/payment-changes';
import { marksOf, type PaymentMark } from '../../../money/payouts/payment-log';
import { restoreMarks } from '../../../money/payouts/restore-marks';
import { allPayments, paymentById, paymentsOf } from '../../../money/payouts/payments';
import { bitcoinPrice } from '../../../money/accounting/prices';
import { readableAccount } from '../../context/access';
import { nextCursor, offsetOf } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import { once } from '../../auth/idempotency';
import type { Principal } from '../../auth/principal';
import { HttpProblem, problems } from '../../server/problem';
import type { Handlers } from '../../auth/route';
import { firstRow } from '../../../platform/db/querier';

/** Bounds of a threshold, in satoshis (money-schemas.ts). */
const BOUNDS = { leastSat: 10_000, mostSat: 10_000_000_000 };
const settingsOf = ({
  name,
  thresholdSat,
  payoutPaused,
}: Pick<SubAccountRow, 'name' | 'thresholdSat' | 'payoutPaused'>): PayoutSettings => ({
  account: name,
  thresholdSat,
  paused: payoutPaused,
  ...BOUNDS,
});

const DETAILS = {
  not_found: 'There is no such payment.',
  payment_state: 'The payment has changed since it was read, or its state does not allow this: read it again.',
  no_address: 'There is no address to pay to.',
  address_hold: 'The address was changed a moment ago and is held.',
  paused: 'Payouts of this sub-account are paused.',
  balance_too_low: 'The balance is lower than the payment: cancel it.',
  another_open: 'Another payment of this sub-account is open.',
  run_waits: 'A payout run above the bound waits before it is sent.',
  own_address: 'Whoever set the payout address does not pay to it: another admin does, or its owner confirms it.',
  same_person: 'Whoever approved a payment does not send it: another admin has to.',
  new_admin: NEW_ADMIN,
  second_admin: 'It was given to a node: another admin has to say so too. All admins are asked.',
  note_needed: 'Say in a new note why it is queued again.',
} as const;

/** The caller and the request. */
type By = { me: Principal; request: FastifyRequest };

export function paymentMoves({ config, pool, bus, now, paymentLog, log }: Deps) {
  const coolDown = coolDownOf(config);
  async function move(
    client: PoolClient,
    { me, request }: By,
    id: number,
    change: PaymentChange,
    usd: number,
  ): Promise<Moved> {
    const moved = await movePayment(
      client,
      id,
      change.status === 'sent' ? { usdAtSend: usd, ...change } : change,
      now(),
      me.user.id,
      coolDown,
    );
    await writeAudit(client, { actorId: me.user.id, ip: request.ip }, `payment.${change.status}`, String(id), {
      before: { status: moved.before },
      after: change,
    });
    return moved;
  }
  /**
   * Runs a change of the payments once, tells their owners, and returns its answer when it is in the log. What the
   * database has lost of them is put back first, which makes another version of the payment: then the change is
   * refused.
   */
  async function recorded<T>(
    { me, request }: By,
    ids: readonly number[],
    work: (client: PoolClient) => Promise<{ moves: readonly Moved[]; result: T }>,
  ): Promise<T> {
    await restoreMarks(pool, paymentLog, log, ids);
    let marks: PaymentMark[] | undefined;
    let moved: readonly Moved[] = [];
    let notes: WrittenNote[] = [];
    const { answer } = await once(pool, me, request, now(), async (client) => {
      const { moves, result } = await work(client);
      moved = moves;
      marks = await marksOf(client, ids);
      const told = moves
        .filter(({ status, before }) => status !== before && (status === 'sent' || status === 'confirmed'))
        .map(({ account, userId, amountSat, status }) => ({
          userId,
          kind: `payment_${status}`,
          values: { account, amount: formatBtcShort(amountSat) },
        }));
      notes = await writeNotes(client, told, now());
      const approved = moves.filter(({ status }) => status === 'queued');
      const totalSat = approved.reduce((sum, { amountSat }) => sum + amountSat, 0);
      if (approved.length)
        notes.push(...(await warnOfRun(client, coolDown, { userName: me.user.userName, totalSat }, now())));
      return result;
    });
    announceNotes(bus, notes);
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
  /** Where another admin has to say so too, all are asked. */
  const askAbout = async ({ me, request }: By, id: number, version: number, error: unknown): Promise<void> => {
    if (error instanceof PaymentRefused && error.code === 'second_admin')
      await askSecondAdmin(
        { pool, bus, now },
        { actorId: me.user.id, ip: request.ip },
        {
          what: `payment ${id} ${version}`,
          userName: me.user.userName,
          kind: 'admins_failed_asked',
          values: { payment: id },
        },
      );
  };
  const priceNow = async (): Promise<number> => (await bitcoinPrice(pool, now())).price;

  return {
    /** Changes one payment; `trigger` restricts the call to payments of that kind. */
    one: async (by: By, id: number, change: PaymentChange, trigger?: 'referral'): Promise<AdminPayment> => {
      const usd = await priceNow();
      const answer = await recorded(by, [id], async (client) => {
        const moved = await move(client, by, id, change, usd);
        if (trigger && moved.trigger !== trigger) throw new PaymentRefused('not_found');
        return { moves: [moved], result: await paymentById(client, id) };
      }).catch(async (error: unknown) => {
        await askAbout(by, id, change.version, error);
        if (!(error instanceof PaymentRefused)) throw error;
        throw error.code === 'not_found' ? problems.notFound() : problems.conflict(error.code, DETAILS[error.code]);
      });
      if (!answer) throw problems.notFound();
      return answer;
    },
    /** Changes all or none. Rows are locked in the order of their ids, so that two such calls cannot deadlock. */
    many: async (
      by: By,
      payments: readonly (PaymentChange & { id: number })[],
    ): Promise<{ changed: number; totalSat: number }> => {
      const usd = await priceNow();
      let refused: { id: number; version: number; error: PaymentRefused } | undefined;
      const ids = payments.map(({ id }) => id);
      return recorded(by, ids, async (client) => {
        await longStatements(client, 30_000);
        const moves: Moved[] = [];
        const seen = new Set<number>();
        payments.forEach(({ id }, index) => {
          if (seen.has(id))
            throw new HttpProblem(422, 'duplicate_id', {
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
            await move(client, by, id, change as PaymentChange, usd).catch((error: unknown) => {
              if (!(error instanceof PaymentRefused)) throw error;
              refused = { id, version: change.version, error };
              throw new HttpProblem(422, 'bulk_refused', {
                detail: 'Nothing was changed.',
                errors: [{ path: `payments.${index}`, message: error.code }],
              });
            }),
          );
        }
        const totalSat = moves.reduce((sum, { amountSat }) => sum + amountSat, 0);
        return { moves, result: { changed: moves.length, totalSat } };
      }).catch(async (error: unknown) => {
        if (refused) await askAbout(by, refused.id, refused.version, refused.error);
        throw error;
      });
    },
  };
}

export function payoutRoutes(deps: Deps) {
  const { pool, now } = deps;
  const moves = paymentMoves(deps);
  return {
    'GET /payoutSettings': async ({ me, query }) => settingsOf(await readableAccount(deps, me, query.accountName)),
    'PUT /payoutSettings': async ({ me, query, body, request }) => {
      const account = await findSubAccount(pool, query.accountName ?? me.user.userName, me.user.id);
      if (!account) throw problems.notFound();
      return transaction(pool, async (client) => {
        const row = await firstRow<{ threshold_sat: number; payout_paused: boolean }>(
          client,
          `update sub_account
           set threshold_sat = coalesce($2, threshold_sat), payout_paused = coalesce($3, payout_paused)
           where id = $1 returning threshold_sat, payout_paused`,
          [account.id, body.thresholdSat ?? null, body.paused ?? null],
        );
        const before = settingsOf(account);
        const after = settingsOf({
          name: account.name,
          thresholdSat: row?.threshold_sat ?? 0,
          payoutPaused: row?.payout_paused ?? false,
        });
        await refreshReasons(client, now(), account.id);
        await writeAudit(client, { actorId: me.user.id, ip: request.ip }, 'payout_settings.change', account.name, {
          before: { thresholdSat: before.thresholdSat, paused: before.paused },
          after: { thresholdSat: after.thresholdSat, paused: after.paused },
        });
        return after;
      });
    },
    'GET /getSubAccountPayments/': async ({ me, query: { subAccountName, from, to, limit, cursor } }) => {
      const offset = offsetOf(cursor);
      const { id } = await readableAccount(deps, me, subAccountName);
      const page = await paymentsOf(pool, [id], { from, to }, { limit, offset });
      return { ...page, nextCursor: nextCursor(offset, page.rows.length, page.total) };
    },
    'GET /getPayments/': async ({ query: { limit, cursor, order, ...filter } }) => {
      const offset = offsetOf(cursor);
      const page = await allPayments(pool, filter, { limit, offset, order });
      return { ...page, nextCursor: nextCursor(offset, page.rows.length, page.total) };
    },
    'PUT /payments/': (c) => moves.one(c, c.query.id, c.body),
    'POST /paymentsHistory/{id}': async (c) => {
      if (c.body.status) return moves.one(c, c.params.id, c.body);
      const payment = await paymentById(pool, c.params.id);
      if (!payment) throw problems.notFound();
      return moves.one(c, c.params.id, { status: 'queued', version: payment.version });
    },
    'PUT /paymentsHistory/{id}': (c) => moves.one(c, c.params.id, c.body),
    'PUT /bulkUpdatePayments': (c) => moves.many(c, c.body.payments),
    'POST /admin/stopPayoutRun': async (c) => {
      const coolDown = coolDownOf(deps.config);
      // Approved payments of a run that does not wait are not stopped by a click meant for another.
      if (!(await waitingRun(pool, coolDown, now()))) return { changed: 0, totalSat: 0 };
      const { rows } = await pool.query<{ id: number; version: number }>(
        "select id, version from payment where status = 'queued' and queued_at > to_timestamp($1::float8) order by id",
        [now() - (coolDown?.seconds ?? 0)],
      );
      const note = `stopped by ${c.me.user.userName}`;
      return moves.many(
        c,
        rows.map((row) => ({ ...row, status: 'cancelled', note })),
      );
    },
  } satisfies Partial<Handlers>;
}
