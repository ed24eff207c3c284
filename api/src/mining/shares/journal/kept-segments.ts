/** Counted segments, kept for two hours, for a database that goes back in time (a failover, a restored copy). */
import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Querier, valuesOf } from '../../../platform/db/querier';
import { segmentsIn, type Segment } from './journal-folder';

const KEEP_MS = 2 * 3_600_000;
export const COUNTED = 'counted';

export class KeptSegments {
  private readonly kept: string;
  private last: Segment | null = null;
  /** Whether to look: at the start, and once the database has lost something. */
  private looks = true;

  /** `folder`: the journal's. */
  constructor(private readonly folder: string) {
    this.kept = join(folder, COUNTED);
    mkdirSync(this.kept, { recursive: true });
  }

  /** Keeps the file of a segment that was counted a moment ago, if it can be kept. */
  keep(segment: Segment): void {
    this.last = segment;
    try {
      const now = new Date();
      utimesSync(segment.path, now, now);
      renameSync(segment.path, join(this.kept, basename(segment.path)));
    } catch {
      // It is counted: the caller removes it.
    }
  }

  /** Notices a loss. `db`: the transaction that counts the next segment, whichever server answers it. */
  async look(db: Querier): Promise<void> {
    if (this.last) this.looks ||= (await missingOf(db, [this.last])).length > 0;
  }

  /** Whether `look` has noticed a loss since `takeBack`. */
  get hasNoticed(): boolean {
    return this.looks;
  }

  /** Moves kept segments that the database has lost back into the journal, and returns them. */
  async takeBack(db: Querier): Promise<Segment[]> {
    this.dropOld();
    await this.look(db);
    if (!this.looks) return [];
    const missing = await missingOf(db, segmentsIn(this.kept));
    this.looks = false;
    this.last = null;
    return missing.map((segment) => {
      const path = join(this.folder, basename(segment.path));
      renameSync(segment.path, path);
      return { ...segment, path };
    });
  }

  private dropOld(now = Date.now()): void {
    for (const { path } of segmentsIn(this.kept))
      if (statSync(path).mtimeMs < now - KEEP_MS) rmSync(path, { force: true });
  }
}

async function missingOf(db: Querier, segments: readonly Segment[]): Promise<Segment[]> {
  if (segments.length === 0) return [];
  const missing = await valuesOf<number>(db)`
    select k.nth
    from unnest(${segments.map(({ proxyId }) => proxyId)}::text[],
      ${segments.map(({ sequence }) => sequence)}::bigint[]) with ordinality as k (proxy_id, sequence, nth)
    where not exists (
      select from ingest_batch b where b.proxy_id = k.proxy_id and b.sequence = k.sequence and b.waiting is null
    )
    order by k.nth`;
  return missing.flatMap((nth) => segments[nth - 1] ?? []);
}
