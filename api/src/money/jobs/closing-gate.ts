/** Holds a day whose figures are not plausible until an admin has decided. */
import type { WaitingDay } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import { DayNotClosed, type Gate } from '../accounting/earnings';
import { describeFinding, findingsOf, tagOf } from '../accounting/plausible';
import type { Withheld } from '../accounting/withheld';
import { heldOf } from '../../mining/upstreams/withheld-work';
import { writeAudit, type Actor } from '../../platform/audit';
import { type Querier, rowsOf } from '../../platform/db/querier';

/** An admin's decision to close a day. `tag`: names the findings that were seen; null: whatever they are. */
export type Decision = {
  day: string;
  tag: string | null;
  reason: string;
  /** Work of findings that is not paid. */
  withhold: readonly { account: string; algorithm: AlgorithmName }[];
  actor: Actor;
};

export class DayWaits extends DayNotClosed {
  constructor(readonly waiting: WaitingDay) {
    super(
      'day_not_plausible',
      `${waiting.day} waits for an admin: ${waiting.findings.map(describeFinding).join('; ')}. ` +
        `Decide on the page "Closing", or with close-day ${waiting.day} confirm.`,
    );
  }
}

/** True when the decision is about these findings, and pays nothing that cannot have been earned. */
function isDecided({ day, tag, findings }: WaitingDay, decision: Decision): boolean {
  const isWithheld = (name: string | null, algorithm: AlgorithmName): boolean =>
    decision.withhold.some((row) => row.account === name && row.algorithm === algorithm);
  return (
    decision.day === day &&
    (decision.tag ?? tag) === tag &&
    decision.withhold.every((row) =>
      findings.some(
        ({ kind, name, algorithm }) => kind === 'account' && name === row.account && algorithm === row.algorithm,
      ),
    ) &&
    findings.every(({ payable, name, algorithm }) => payable || isWithheld(name, algorithm))
  );
}

async function withheldBy({ withhold, reason, actor }: Decision, db: Querier): Promise<Withheld> {
  const rows = await rowsOf<{ id: number; name: string }>(db)`
    select id, name from sub_account where name = any(${withhold.map(({ account }) => account)}::text[])`;
  const kept = new Set(
    withhold.map(({ account, algorithm }) => `${rows.find(({ name }) => name === account)?.id} ${algorithm}`),
  );
  return {
    isOf: ({ subAccountId, algorithm }) => kept.has(`${subAccountId} ${algorithm}`),
    note: reason,
    userId: actor.actorId,
  };
}

/** What brought the upstream less than chance explains is kept without a decision, until a correction pays it. */
function keptWith(held: ReadonlySet<string>, decided: Withheld | null): Withheld | null {
  if (held.size === 0) return decided;
  return {
    isOf: (row) => held.has(`${row.subAccountId} ${row.algorithm}`) || (decided?.isOf(row) ?? false),
    note: decided?.note || 'The upstream pool got fewer shares of this work than chance explains',
    userId: decided?.userId ?? null,
  };
}

/** Throws `DayWaits` without a decision about what it finds; a decision that is used is recorded with the closing. */
export const gateWith =
  (needsPrices: boolean, decision?: Decision): Gate =>
  async (client, day, work) => {
    const findings = await findingsOf(client, day, work, needsPrices);
    const held = await heldOf(client, day);
    if (findings.length === 0) return keptWith(held, null);
    const waiting = { day, tag: tagOf(day, findings), findings };
    if (!decision || !isDecided(waiting, decision)) throw new DayWaits(waiting);
    const { reason, withhold, actor } = decision;
    await writeAudit(client, actor, 'closing.confirm', day, { after: { reason, withhold, findings } });
    return keptWith(held, await withheldBy(decision, client));
  };
