/** What people hear of payments that were moved. */
import { formatBtcShort } from '@pool/shared/domain';
import type { Querier } from '../../platform/db/querier';
import { writeAdminNotes, writeNotes } from '../../messages/notifications';
import { waitingRun, type CoolDown } from './cool-down';
import type { Moved } from './payment-changes';

/** Tells owners what was sent or confirmed, and admins of a run that waits after approval by `userName`. */
export async function writeMoveNotes(
  db: Querier,
  moves: readonly Moved[],
  coolDown: CoolDown | null,
  userName: string,
  now: number,
): Promise<void> {
  const told = moves
    .filter(({ status, before }) => status !== before && (status === 'sent' || status === 'confirmed'))
    .map(({ account, userId, amountSat, status }) => ({
      userId,
      kind: `payment_${status}`,
      values: { account, amount: formatBtcShort(amountSat) },
    }));
  await writeNotes(db, told, now);
  const approved = moves.filter(({ status }) => status === 'queued');
  const totalSat = approved.reduce((sum, { amountSat }) => sum + amountSat, 0);
  const waits = approved.length > 0 && (await waitingRun(db, coolDown, now)) !== null;
  if (!waits || !coolDown) return;
  const values = { user: userName, amount: formatBtcShort(totalSat), hours: coolDown.seconds / 3600 };
  await writeAdminNotes(db, { kind: 'payout_waits', values }, now);
}
