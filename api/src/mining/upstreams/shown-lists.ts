/** Lists of upstream pools as people are shown them when they change: whole, before and after. */
import type { ShownFacts } from '@pool/shared/api/contract';
import { type Querier, raw, rowsOf } from '../../platform/db/querier';

type Place = NonNullable<ShownFacts['places']>[number];
export type ShownLists = Record<'before' | 'after', { places: Place[] }>;

/** Places as people are shown them: as they were edited, or as miners use them. */
export const shownPlaces = (
  db: Querier,
  userId: number,
  view: 'edited_pool' | 'pool_in_force',
  limit: number[] | null = null,
): Promise<Place[]> =>
  rowsOf<Place>(db)`
    select s.name as account, e.algorithm, e.name, e.url, e.user_name as user, e.enabled
    from ${raw(view)} e join sub_account s on s.id = e.sub_account_id
    where e.user_id = ${userId} and (${limit}::int[] is null or s.id = any(${limit}))
    order by s.name, e.algorithm, e.priority`;

/** The lists that differ, each whole. */
export function changedLists(before: readonly Place[], after: readonly Place[]): ShownLists {
  const keyOf = ({ account, algorithm }: Place) => `${account} ${algorithm}`;
  const textOf = (places: readonly Place[], key: string) => JSON.stringify(places.filter((one) => keyOf(one) === key));
  const changed = (places: readonly Place[]) => ({
    places: places.filter((place) => textOf(before, keyOf(place)) !== textOf(after, keyOf(place))),
  });
  return { before: changed(before), after: changed(after) };
}
