/**
 * This process's place in the register of nodes (ADR 28). It joins before its miners are served, tells the others that
 * it lives every few seconds, and leaves when its journal is counted. A node that ends without that stays in the
 * register and keeps its days open.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { PoolClock } from '../platform/clock';
import type { Role } from '../platform/config';
import { startOfDay } from '../platform/days';
import { type Querier, sql, valueOf } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { keepTrying } from '../platform/keep-trying';
import type { Logger } from '../platform/log';
import { type CountingNode, MARGIN_MS } from '../mining/shares/counting-node';
import { uncountedIn, type Uncounted } from '../mining/shares/uncounted';
import { endPresences } from '../mining/shares/worker-rows';
import { endSilent, type Node, type NodeState, readNodes, SILENT_S } from './nodes';
import { Seat } from './seat';

const BEAT_MS = 5000;
/** A database that is away for a moment must not keep the place of a node that is gone: days would wait for it. */
const LEAVE_MS = 5000;
/** A process that was heard again just now does not judge others: it may have been the database that was away. */
const JUDGES_AFTER_BEATS = 15;
const HASH_LENGTH = 12;

/** Name of the build that runs: two processes of the same build have the same. */
function buildName(): string {
  try {
    return createHash('sha256')
      .update(readFileSync(process.argv[1] ?? ''))
      .digest('hex')
      .slice(0, HASH_LENGTH);
  } catch {
    return '';
  }
}

/** Error text without paths, which name files of this machine. */
const told = (left: readonly Uncounted[]): string => JSON.stringify(left.map(({ paths: _, ...entry }) => entry));

export type RegisterOptions = {
  pool: Pool;
  dataDir: string;
  /** Id of its journal. */
  journal: string;
  roles: readonly Role[];
  log: Logger;
};

export class NodeRegister {
  private readonly seat: Seat;
  private readonly build = buildName();
  private readonly place = `pid ${process.pid} on ${hostname()}`;
  private known: Node[] = [];
  private beats = 0;
  private gone = false;
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> | null = null;
  /** What this process tells of itself; parts add what is theirs. */
  readonly tells = new Set<() => NodeState>();

  constructor(private readonly options: RegisterOptions) {
    this.seat = Seat.open(options.dataDir);
  }

  get id(): string {
    return this.seat.id;
  }
  /** Whether no day is closed without the journal of this DATA_DIR, even before the database was asked. */
  get isSure(): boolean {
    return this.seat.joined;
  }
  /** All nodes that live, as they were a moment ago. */
  get living(): readonly Node[] {
    return this.known.filter(({ silentS }) => silentS < SILENT_S);
  }

  /** Its roles now, and its journal as it is in its folder. May be called again. */
  async join(): Promise<void> {
    const { pool, roles, journal } = this.options;
    const left = await uncountedIn(journal);
    const counts = roles.includes('stratum') || left.length > 0;
    const first = left[0] ? startOfDay(left[0].day) : Infinity;
    await pool.query(sql`insert into node (id, roles, place, build, uncounted, counted_through)
      values (${this.id}, ${roles}, ${this.place}, ${this.build}, ${told(left)},
        case when ${counts} then least(now() - make_interval(secs => ${MARGIN_MS / 1000}::float8),
          to_timestamp(${first}::float8)) end)
      on conflict (id) do update set
        roles = excluded.roles, place = excluded.place, build = excluded.build, started_at = now(), heartbeat = now(),
        counted_through = case when ${counts} then coalesce(node.counted_through, excluded.counted_through) end`);
    this.seat.setJoined(true);
    await this.refresh();
    this.timer ??= setInterval(() => {
      this.beating ??= this.beat().finally(() => {
        this.beating = null;
      });
    }, BEAT_MS).unref();
  }

  /** Facts for the process that counts the journal. */
  counting(clock: Pick<PoolClock, 'now' | 'offset' | 'trouble'>): CountingNode {
    return {
      id: this.id,
      now: () => (clock.offset === null || clock.trouble !== null ? null : clock.now()),
      counted: (db, through, left) => this.counted(db, through, left),
      wasShownGone: () => {
        const { gone } = this;
        this.gone = false;
        return gone;
      },
    };
  }

  /** Call it after the journal's end. A journal with uncounted shares keeps its place. */
  async leave(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    await this.beating;
    const { pool, journal, log } = this.options;
    if ((await uncountedIn(journal)).length > 0) {
      log.warn('shares are not counted: this node keeps its place in the register until its next start');
      return;
    }
    // The file is written before it is so: one that says more than is true would let a day be closed too early.
    this.seat.setJoined(false);
    const left = await keepTrying(LEAVE_MS, () =>
      transaction(pool, async (client) => {
        await endPresences(client, this.id);
        await client.query(sql`delete from node where id = ${this.id}`);
      }).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error }, 'this node cannot leave the register yet');
          return false;
        },
      ),
    );
    if (!left) log.error('this node keeps its place in the register until its next start');
  }

  private async counted(db: Querier, through: number, left: readonly Uncounted[]): Promise<void> {
    await db.query(sql`
      update node set counted_through = to_timestamp(${through}::float8 / 1000), uncounted = ${told(left)}
      where id = ${this.id}`);
  }

  async refresh(): Promise<void> {
    this.known = await readNodes(this.options.pool);
  }

  /** Tells the others that this process lives, and what it tells of itself. */
  async beat(): Promise<void> {
    const { pool, roles, log } = this.options;
    try {
      const state: NodeState = Object.assign({}, ...[...this.tells].map((tell) => tell()));
      const gone = await valueOf<boolean>(pool)`
        update node n set heartbeat = now(), state = ${JSON.stringify(state)}, shown_gone = false
        from (select id, shown_gone from node where id = ${this.id} for update) b
        where n.id = b.id
        returning b.shown_gone`;
      // Retired while it lived.
      if (gone === undefined) await this.join();
      this.gone ||= gone ?? true;
      this.beats += 1;
      if (roles.includes('worker') && this.beats > JUDGES_AFTER_BEATS) await endSilent(pool);
      await this.refresh();
    } catch (error) {
      this.beats = 0;
      log.warn({ err: error }, 'the register of nodes cannot be written yet');
    }
  }
}
