import type { Worker } from '@pool/shared';
import { useMemo, useState } from 'react';

/**
 * While `hold(true)`, rows stay in their order and place as their figures change, and new ones follow them: nothing moves
 * under a pointer. `choice`: of the user, by which the rows are chosen and sorted; another one shows its own rows.
 */
export function useHeld(fresh: readonly Worker[], workers: readonly Worker[], choice: string) {
  const [held, setHeld] = useState<{ choice: string; rows: readonly Worker[] } | null>(null);
  if (held && held.choice !== choice) setHeld({ choice, rows: fresh });
  const rows = useMemo(() => {
    if (held?.choice !== choice || held.rows === fresh) return fresh;
    const now = new Map(workers.map((worker) => [worker.id, worker]));
    const kept = held.rows.flatMap(({ id }) => now.get(id) ?? []);
    const known = new Set(kept);
    return [...kept, ...fresh.filter((worker) => !known.has(worker))];
  }, [held, choice, fresh, workers]);
  const hold = (on: boolean) => setHeld(on ? { choice, rows } : null);
  return { rows, hold };
}
