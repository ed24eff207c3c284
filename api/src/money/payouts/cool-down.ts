/**
 * A payout run above the operator's bound waits for some hours before it is sent, and any admin can stop it meanwhile.
 * The run is what was approved within these hours: approving little by little does not avoid the wait, nor does saying
 * that what was given to a bitcoin node has failed.
 */
import type { PaymentSettings } from '@pool/shared/api/contract';
import type { Config } from '../../platform/config';
import { oneRow, type Querier } from '../../platform/db/querier';

export type CoolDown = { boundSat: number; seconds: number };

/** Null: no run waits. */
export const coolDownOf = ({
  PAYOUT_RUN_BTC,
  PAYOUT_WAIT_HOURS,
}: Pick<Config, 'PAYOUT_RUN_BTC' | 'PAYOUT_WAIT_HOURS'>): CoolDown | null =>
  PAYOUT_WAIT_HOURS > 0 ? { boundSat: Math.round(PAYOUT_RUN_BTC * 1e8), seconds: PAYOUT_WAIT_HOURS * 3600 } : null;

/** The approved payments that wait now; null when there are none. `now`: Unix seconds. */
export async function waitingRun(
  db: Querier,
  coolDown: CoolDown | null,
  now: number,
): Promise<PaymentSettings['waiting']> {
  if (!coolDown) return null;
  const { run, last, ...waiting } = await oneRow<{ run: number; count: number; totalSat: number; last: number | null }>(
    db,
  )`
    select coalesce(sum(given_sat), 0)::float8 +
        coalesce(sum(amount_sat) filter (where status in ('queued', 'unknown', 'sent', 'confirmed')), 0)::float8 as run,
      count(*) filter (where status = 'queued') as count,
      coalesce(sum(amount_sat) filter (where status = 'queued'), 0)::float8 as total_sat,
      extract(epoch from max(queued_at) filter (where status = 'queued'))::float8 as last
    from payment
    where queued_at > to_timestamp(${now - coolDown.seconds}::float8)`;
  if (last === null || run <= coolDown.boundSat) return null;
  return { ...waiting, until: new Date((last + coolDown.seconds) * 1000).toISOString() };
}
