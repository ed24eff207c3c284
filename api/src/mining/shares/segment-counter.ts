/** Counts a finished segment in one transaction, keyed so that retries count it once, or sets it aside. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { absenceOf } from '../../platform/db/away';
import { accountsAway } from '../../platform/db/distributed';
import type { Owner } from '../../platform/db/server-lock';
import { transaction } from '../../platform/db/transaction';
import type { Share } from '../../stratum/ports';
import { SharesToCount } from '../../platform/traces/traces';
import type { Announcer } from './announce';
import { countBatch, MAX_ROWS } from './count-batch';
import type { IngestMetrics } from './ingest-metrics';
import { inChunks } from './journal/in-parts';
import type { Journal } from './journal/journal';
import type { Segment } from './journal/journal-folder';
import type { KeptSegments } from './journal/kept-segments';
import { decodeShare } from './journal/share-line';
import { minuteBuckets } from './rollup';

const MIN_ROWS = 100;
const MAX_TRIES = 3;
/** Shorter than the statement timeout, so that waiting for a lock is not treated as a slow statement. */
const LOCK_MS = 2000;

type Parts = {
  pool: Pool;
  log: Logger;
  owner: Owner;
  journal: Journal;
  kept: KeptSegments | null;
  announcer: Announcer;
  metrics?: IngestMetrics;
};

/**
 * `away`: the database or the disk does not work; all segments wait. `busy`: rows were locked by another transaction.
 * `slow`: a statement timed out. `segment`: the segment itself is invalid. `gone`: its file does not exist. `unclear`:
 * an error of the segment or of the whole database; other segments show which.
 */
type Failure = 'away' | 'busy' | 'slow' | 'segment' | 'gone' | 'unclear';

/** SQLSTATE classes of invalid data, constraints and program limits. */
const OF_THE_DATA = /^(22|23|54)/;
/** Connections, sign-in, missing database, resources, an operator's intervention, the system; a read-only database. */
const OF_THE_DATABASE = /^(08|28|3D|53|57|58)|^25006$/;
/** Codes of the operating system begin with E, SQLSTATEs do not. */
const SQLSTATE = /^(?!E)[0-9A-Z]{5}$/;
const STATEMENT_TIMEOUT = '57014';
/** Lock not available, serialization failure, deadlock. */
const BUSY = ['55P03', '40001', '40P01'];
const UNREADABLE = ['EIO', 'EACCES', 'EPERM', 'EISDIR'];

export function failureOf(error: unknown): Failure {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return 'away';
  if (SQLSTATE.test(code)) return absenceOf(error) ? 'away' : failureOfState(code);
  if (syscall !== 'open' && syscall !== 'read') return 'away';
  if (code === 'ENOENT') return 'gone';
  return UNREADABLE.includes(code) ? 'segment' : 'away';
}

function failureOfState(state: string): Failure {
  if (state === STATEMENT_TIMEOUT) return 'slow';
  if (BUSY.includes(state)) return 'busy';
  if (OF_THE_DATA.test(state)) return 'segment';
  return OF_THE_DATABASE.test(state) ? 'away' : 'unclear';
}

export class SegmentCounter {
  /** Shares of the segments to come. */
  readonly toCount = new SharesToCount();
  private counted = 0;
  /** When a segment was counted, or none waited (`performance.now()`). */
  private countedAt = performance.now();
  /** Failures of single segments: number of tries, and `counted` at the first failure. */
  private readonly failed = new WeakMap<Segment, { tries: number; before: number }>();
  /** Maximum rows of one statement; lowered after a statement timeout. */
  private rows = MAX_ROWS;
  /** Accounts on nodes that do not answer. */
  private away: ReadonlySet<number> = new Set();
  /** Accounts whose shares a segment has left, where the others were counted. */
  private readonly left = new WeakMap<Segment, readonly number[]>();

  constructor(private readonly parts: Parts) {}

  get secondsSinceCounted(): number {
    return (performance.now() - this.countedAt) / 1000;
  }

  /** Whether nothing of this account can be counted or shown now. */
  isAway = (account: number): boolean => this.away.has(account);

  /** Tries each finished segment. Returns why the database seems to fail. */
  async countAll(): Promise<'away' | 'unclear' | null> {
    const { segments } = this.parts.journal;
    if (segments.length === 0) this.countedAt = performance.now();
    if (this.away.size > 0) await this.lookForNodes();
    const before = this.counted;
    let unclear = 0;
    for (const segment of [...segments]) {
      if (this.left.get(segment)?.every(this.isAway)) continue;
      const failure = await this.attempt(segment);
      if (failure === 'away') return 'away';
      if (failure === 'unclear') unclear += 1;
    }
    return unclear >= 2 && this.counted === before ? 'unclear' : null;
  }

  /** Counts one segment, or returns why it cannot be counted now. */
  private async attempt(segment: Segment): Promise<Failure | null> {
    const { log, journal } = this.parts;
    try {
      await this.count(segment);
    } catch (error) {
      const failure = failureOf(error);
      if ((failure === 'slow' || failure === 'away') && (await this.lookForNodes())) return this.attempt(segment);
      if (failure === 'slow' && this.rows > MIN_ROWS) {
        this.rows = Math.max(MIN_ROWS, this.rows / 10);
        return this.attempt(segment);
      }
      log.error({ err: error, segment: segment.path }, 'cannot count shares yet');
      if (failure === 'gone') journal.forget(segment);
      else if (failure !== 'away' && failure !== 'busy' && this.shouldSetAside(segment, failure))
        await this.refuse(segment);
      return failure;
    }
    this.counted += 1;
    this.countedAt = performance.now();
    this.rows = Math.min(MAX_ROWS, this.rows * 2);
    return null;
  }

  /** Returns whether further accounts are on nodes that do not answer. */
  private async lookForNodes(): Promise<boolean> {
    const before = this.away;
    try {
      this.away = await accountsAway(this.parts.pool);
    } catch {
      // The coordinator does not answer either.
      return false;
    }
    const more = [...this.away].filter((account) => !before.has(account)).length;
    if (more > 0) this.parts.log.error({ accounts: more }, 'shares of accounts on a node that is away wait');
    return more > 0;
  }

  /** Whether to set the segment aside. One that is not known to be invalid only after another one was counted. */
  private shouldSetAside(segment: Segment, failure: 'segment' | 'slow' | 'unclear'): boolean {
    const failed = this.failed.get(segment) ?? { tries: 0, before: this.counted };
    failed.tries += 1;
    this.failed.set(segment, failed);
    return failed.tries >= MAX_TRIES && (failure === 'segment' || this.counted > failed.before);
  }

  private async refuse(segment: Segment): Promise<void> {
    const { log, journal } = this.parts;
    try {
      log.error({ refused: await journal.refuse(segment) }, 'a segment is refused and needs an operator');
    } catch (error) {
      // The segment stays in place and is retried.
      log.error({ err: error, segment: segment.path }, 'a segment can neither be counted nor set aside');
    }
  }

  private async count(segment: Segment): Promise<void> {
    const shares: Share[] = [];
    const damaged: Buffer[] = [];
    for await (const lines of inChunks(await this.parts.journal.lines(segment))) {
      for (const line of lines) {
        const share = decodeShare(line.toString());
        if (share) shares.push(share);
        else damaged.push(line);
      }
    }
    await this.toCount.counted({ 'pool.shares': shares.length }, () => this.add(segment, shares, damaged));
  }

  private async add(segment: Segment, shares: readonly Share[], damaged: readonly Buffer[]): Promise<void> {
    const { pool, owner, journal, kept, announcer } = this.parts;
    const buckets = minuteBuckets(shares);
    const result = await transaction(pool, async (client) => {
      await owner.check(client);
      await client.query(`set local lock_timeout to ${LOCK_MS}`);
      const counted = await countBatch(client, segment, buckets, { rows: this.rows, away: this.away });
      // Not when the segment was counted before: its damaged lines are set aside already.
      if (counted && counted.isNew && damaged.length) await this.setAside(segment, shares[0], damaged);
      if (counted) await kept?.look(client);
      return counted;
    });
    if (result && result.waiting.length > 0) this.left.set(segment, result.waiting);
    else await journal.remove(segment, (counted) => kept?.keep(counted));
    if (!result) return;
    if (result.isNew) announcer.shares(shares);
    await announcer.counted(result.added, result.made);
  }

  private async setAside(segment: Segment, first: Share | undefined, lines: readonly Buffer[]): Promise<void> {
    const { log, journal, metrics } = this.parts;
    const refused = await journal.setAside(segment, first?.at, lines);
    metrics?.damaged.inc(lines.length);
    log.error({ refused, lines: lines.length }, 'damaged lines of the journal were set aside, the others count');
  }
}
