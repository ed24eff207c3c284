/**
 * Counted segments, kept for two hours in the journal's folder `counted`. A database may go back in time: a standby that
 * takes over without the last commits, a restored copy. Whether it did is asked for directly: does it still have the
 * key of what was counted last? Its timeline and system identifier would not tell of a restored file copy.
 */
import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Querier } from '../db/querier';
import { segmentsIn, type Segment } from './journal';

const KEEP_MS = 2 * 3_600_000;
/** Name of the folder in that of the journal. */
export const COUNTED = 'counted';

export class KeptSegments {
  private readonly kept: string;
  private last: Segment | null = null;

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

  /** Whether the database has lost what this process counted last. `db`: of the transaction that counts the next. */
  async hasLostLast(db: Querier): Promise<boolean> {
    return this.last !== null && (await missingOf(db, [this.last])).length > 0;
  }

  /** Moves kept segments that the database does not have back into the journal, and returns them. */
  async takeBack(db: Querier): Promise<Segment[]> {
    this.dropOld();
    const missing = await missingOf(db, segmentsIn(this.kept));
    this.last = null;
    return missing.map((segment) => {
      const path = join(this.folder, basename(segment.path));
      renameSync(segment.path, path);
      return { ...segment, path };
    });
  }

  /** Removes those that were counted more than two hours ago. */
  dropOld(now = Date.now()): void {
    for (const { path } of segmentsIn(this.kept))
      if (statSync(path).mtimeMs < now - KEEP_MS) rmSync(path, { force: true });
  }
}

async function missingOf(db: Querier, segments: readonly Segment[]): Promise<Segment[]> {
  if (segments.length === 0) return [];
  const { rows } = await db.query<{ nth: number }>(
    `select k.nth::int as nth
     from unnest($1::text[], $2::bigint[]) with ordinality as k (proxy_id, sequence, nth)
     where not exists (select from ingest_batch b where b.proxy_id = k.proxy_id and b.sequence = k.sequence)
     order by k.nth`,
    [segments.map(({ proxyId }) => proxyId), segments.map(({ sequence }) => sequence)],
  );
  return rows.flatMap(({ nth }) => segments[nth - 1] ?? []);
}
