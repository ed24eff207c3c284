/** Which new worker looks like one that has gone: the same machine under another name. Pure. */

/** A worker that came or went lately, of an account and algorithm. Times in Unix seconds. */
export type Passing = {
  id: number;
  name: string;
  address: string;
  software: string;
  /** When its name came; null: too long ago to be new. */
  cameAt: number | null;
  /** Its last share, where it sends none any more. */
  goneAt: number | null;
  /** Workers at this address in the last day, it among them. */
  neighbours: number;
};
export type Pair = { worker: Passing; former: Passing };

/** A machine that was gone for longer before its new name came is hardly the same. */
const BEFORE_S = 3600;
/** The old connection of a farm's proxy may send a last share after the new name has come. */
const AFTER_S = 600;

/** What stays of a name whose beginning, end or spelling changes: its numbers, `12` of `Rig-012b`; else its letters. */
const sameness = (name: string): string =>
  name.match(/\d+/g)?.map(Number).join(' ') ?? name.toLowerCase().replace(/[^a-z]/g, '');

/**
 * Likely pairs only. Where other machines share the address, as behind one router, the names have to be alike; where
 * several come into question there is no pair.
 */
export function pairsOf(passing: readonly Passing[]): Pair[] {
  const keyOf = ({ address, software, neighbours, name }: Passing): string =>
    [address, software, ...(neighbours > 2 ? [sameness(name)] : [])].join('\n');
  const byKey = new Map<string, { came: Passing[]; gone: Passing[] }>();
  for (const each of passing) {
    const known = byKey.get(keyOf(each)) ?? { came: [], gone: [] };
    byKey.set(keyOf(each), known);
    if (each.goneAt !== null) known.gone.push(each);
    else known.came.push(each);
  }
  return [...byKey.values()].flatMap(({ came, gone }) => {
    const [worker] = came;
    const [former] = gone;
    if (!worker || !former || came.length > 1 || gone.length > 1) return [];
    const between = (worker.cameAt ?? NaN) - (former.goneAt ?? NaN);
    const isNear = between <= BEFORE_S && between >= -AFTER_S;
    // Numbers grow: the former one was there before.
    return isNear && former.id < worker.id ? [{ worker, former }] : [];
  });
}
