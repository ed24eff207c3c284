/** The shares of the last minute, without whose they are: a sample of each batch that any process has counted. */
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import type { Bus, CountedShares } from '../../platform/bus';
import type { Share } from '../../stratum/ports';

const KEPT_S = 60;
/** Shares of a batch that the other processes hear of. */
const SAMPLE = 12;
const SHOWN = 150;

/** At most so many of a list, evenly. */
const thinned = <T>(list: readonly T[], most: number): T[] =>
  list.filter((_, n) => n % Math.ceil(list.length / most) === 0);

/** A batch by algorithm. What went to pools of a miner's own is not the pool's. */
export const sampled = (shares: readonly Share[]): CountedShares[] =>
  ALGORITHM_NAMES.flatMap((algorithm) => {
    const ours = shares.filter(
      (share) => share.algorithm === algorithm && share.outcome === 'accepted' && !share.ownPool,
    );
    const sample = thinned(ours, SAMPLE).map(({ at, difficulty }) => ({ at: at / 1000, difficulty }));
    return ours.length > 0 ? [{ algorithm, count: ours.length, sample }] : [];
  });

export class RecentShares {
  private batches: CountedShares[] = [];

  /** `now`: Unix seconds. */
  constructor(
    bus: Bus,
    private readonly now: () => number,
  ) {
    bus.subscribe((event) => {
      if (event.type === 'shares') this.batches = [...this.fresh(), event.data];
    });
  }

  read() {
    const batches = this.fresh();
    return ALGORITHM_NAMES.map((algorithm) => {
      const own = batches.filter((batch) => batch.algorithm === algorithm);
      const shares = own.flatMap(({ sample }) => sample).sort((a, b) => a.at - b.at);
      return { algorithm, count: own.reduce((sum, { count }) => sum + count, 0), shares: thinned(shares, SHOWN) };
    });
  }

  /** Batches whose shares are all of the last minute: one that waited for a failed database is left out. */
  private fresh() {
    const from = this.now() - KEPT_S;
    return this.batches.filter(({ sample }) => sample.every(({ at }) => at > from));
  }
}
