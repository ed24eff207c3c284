/** What groups of workers draw, and what a kWh costs them. */
import type { WorkerGroup } from '@pool/shared/api/contract';
import { INACTIVE_AFTER_S, isAlgorithm } from '@pool/shared/domain';
import { machineIn } from '@pool/shared/machines';
import { type Querier, rowsOf } from '../../platform/db/querier';

export type GroupRow = Omit<WorkerGroup, 'limit' | 'isBelow' | 'power'> & {
  usdPerKwh: number | null;
  kilowatts: number | null;
};

/** What the groups with a price draw: as their owner says, or as their models do. */
export async function powersOf(
  db: Querier,
  groups: readonly GroupRow[],
  now: number,
): Promise<Map<number, NonNullable<WorkerGroup['power']>>> {
  const priced = groups.flatMap(({ usdPerKwh, ...group }) => (usdPerKwh === null ? [] : { ...group, usdPerKwh }));
  if (priced.length === 0) return new Map();
  const accounts = priced.map(({ subAccountId }) => subAccountId);
  const machines = await rowsOf<Machine & { groupId: number }>(db)`
    select w.group_id, w.algorithm, w.name, l.software
    from worker w
    join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
    where w.sub_account_id = any(${accounts}::int[]) and l.sub_account_id = any(${accounts}::int[])
      and w.group_id = any(${priced.map(({ id }) => id)}::int[])
      and l.last_share_at > to_timestamp(${now - INACTIVE_AFTER_S}::float8)`;
  return new Map(
    priced.map(({ id, usdPerKwh, kilowatts }) => {
      const own = machines.filter(({ groupId: of }) => of === id);
      const watts = kilowatts === null ? own.map(wattsOf) : [];
      const draws = watts.includes(undefined) ? null : watts.reduce<number>((sum, one) => sum + (one ?? 0), 0) / 1000;
      return [id, { usdPerKwh, kilowatts, machines: own.length, draws: kilowatts ?? draws }];
    }),
  );
}

type Machine = { algorithm: string; name: string; software: string | null };
function wattsOf({ algorithm, name, software }: Machine): number | undefined {
  if (!isAlgorithm(algorithm)) return undefined;
  return (machineIn(algorithm, software ?? '') ?? machineIn(algorithm, name))?.watts;
}
