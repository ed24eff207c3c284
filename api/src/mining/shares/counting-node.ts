/** What a node of several (nodes/) tells of its journal, so that no day is closed without its shares. */
import type { Querier } from '../../platform/db/querier';
import type { Uncounted } from './uncounted';

export type CountingNode = {
  id: string;
  /** The pool's clock, Unix milliseconds; null while it is not sure. */
  now(): number | null;
  /** Records that everything from before `through` is counted, except `left`. In the caller's transaction. */
  counted(db: Querier, through: number, left: readonly Uncounted[]): Promise<void>;
  /** Whether its connections were shown as ended since the last call, so that they have to be written again. */
  wasShownGone(): boolean;
};

/** A clock that is corrected goes back by less: what comes after `through` was set is of no earlier time. */
export const MARGIN_MS = 60_000;
