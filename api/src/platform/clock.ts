/**
 * The pool's clock: the database's, carried on by this process's monotonic clock, which a step of the system clock does
 * not move. It is measured once a minute and before a day is closed. Of three clocks, the database's, the process's and
 * the monotonic one, a day is only closed while no two disagree by more than a minute.
 *
 * What shares are booked with follows the database at the start. Later a database's clock that jumps is followed only
 * where the process's clock agrees with it and has not jumped with it: a machine whose clock was set moves both, and is
 * believed after an hour. A machine that slept is believed at once.
 */
import { uptime } from 'node:os';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { databaseNow } from './db/querier';
import type { Logger } from './log';
import { gauge } from './metrics';
import { every } from './every';

/** Milliseconds that clocks may differ. */
const LIMIT_MS = 60_000;
/** How long clocks of one machine must agree after both were set. */
const BELIEVED_AFTER_MS = 3_600_000;
const MEASURE_INTERVAL_MS = 60_000;
/** The kernel's uptime is read in hundredths of a second. */
const SLEPT_MS = 1000;

/** Clocks disagree; the message says which, and what to do. */
export class ClocksDisagree extends Error {
  override readonly name = 'ClocksDisagree';
}

/** Milliseconds. */
export type Clocks = {
  /** The database's clock, Unix time. Rejects when it cannot be read. */
  database(): Promise<number>;
  /** The system clock of this machine, Unix time. */
  process(): number;
  monotonic(): number;
  /** Like the monotonic clock, but also while the machine sleeps. */
  uptime(): number;
};

export const clocksOf = (pool: Pool): Clocks => ({
  database: async () => {
    // The time until a connection is free does not count.
    const client = await pool.connect();
    try {
      return (await databaseNow(client)) * 1000;
    } finally {
      client.release();
    }
  },
  process: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
});

const secondsText = (ms: number): string => `${Math.round(Math.abs(ms) / 1000)} s ${ms < 0 ? 'behind' : 'ahead of'}`;

export class PoolClock {
  /** Unix time when the monotonic clock was 0. Null before the first measurement. */
  private base: number | null = null;
  /** The same by the process's clock, at the last measurement. */
  private ownBase: number | null = null;
  /** The uptime when the monotonic clock was 0. */
  private upBase: number;
  private processSetAt = -Infinity;
  private disagreement: string | null = null;
  private offsetMs: number | null = null;

  constructor(private readonly clocks: Clocks) {
    this.upBase = clocks.uptime() - clocks.monotonic();
  }

  /** Unix milliseconds: what shares are booked with. The process's clock until the database's was first measured. */
  now = (): number => (this.base === null ? this.clocks.process() : this.base + this.clocks.monotonic());
  /** Unix seconds. */
  seconds = (): number => this.now() / 1000;

  /** What the process's clock is ahead of the database's, in seconds; null before the first measurement. */
  get offset(): number | null {
    return this.offsetMs === null ? null : this.offsetMs / 1000;
  }
  /** Why no day is closed now; null while the clocks agree. */
  get trouble(): string | null {
    return this.disagreement;
  }

  /** Compares the clocks. Returns the database's time, Unix milliseconds; rejects when it cannot be read. */
  async measure(): Promise<number> {
    const { clocks } = this;
    const sent = clocks.monotonic();
    const read = await clocks.database();
    const received = clocks.monotonic();
    // The database read its clock between the two.
    const database = read + (received - sent) / 2;
    this.compare(database - received, clocks.process() - received, clocks.uptime() - received);
    return database;
  }

  /** The database's time, Unix seconds. Throws `ClocksDisagree`. */
  async check(): Promise<number> {
    const database = await this.measure();
    if (this.disagreement !== null) throw new ClocksDisagree(this.disagreement);
    return database / 1000;
  }

  /** Each clock's time when the monotonic clock was 0. */
  private compare(databaseBase: number, processBase: number, upBase: number): void {
    const slept = upBase - this.upBase;
    this.upBase = upBase;
    if (slept > SLEPT_MS) {
      if (this.base !== null) this.base += slept;
      if (this.ownBase !== null) this.ownBase += slept;
    }
    const at = this.clocks.monotonic();
    if (this.ownBase !== null && Math.abs(processBase - this.ownBase) > LIMIT_MS) this.processSetAt = at;
    this.ownBase = processBase;
    this.offsetMs = processBase - databaseBase;
    const agree = Math.abs(this.offsetMs) <= LIMIT_MS;
    const follows = this.base === null || Math.abs(databaseBase - this.base) <= LIMIT_MS;
    if (follows || (agree && at - this.processSetAt >= BELIEVED_AFTER_MS)) this.base = databaseBase;
    this.disagreement = this.describe(agree, databaseBase - (this.base ?? databaseBase));
  }

  private describe(agree: boolean, jumpMs: number): string | null {
    const { offsetMs } = this;
    const told = 'No day is closed until they agree: set them by NTP.';
    if (!agree && Math.abs(jumpMs) > LIMIT_MS)
      return `The database's clock was set: it is ${secondsText(jumpMs)} what it was to be. ${told}`;
    if (!agree) return `This server's clock is ${secondsText(offsetMs ?? 0)} the database's. ${told}`;
    if (Math.abs(jumpMs) > LIMIT_MS)
      return (
        `The clocks of this server and of the database were both set: they are ${secondsText(jumpMs)} what they ` +
        'were to be. If they are right, they are believed an hour after that, or after a restart; no day is closed before.'
      );
    return null;
  }
}

export type ClockOptions = { pool: Pool; log: Logger; metrics: Registry };

/** Measures at once and then each minute. */
export async function startClock({
  pool,
  log,
  metrics,
}: ClockOptions): Promise<{ clock: PoolClock; stop(): Promise<void> }> {
  const clock = new PoolClock(clocksOf(pool));
  let told: string | null = null;
  const measure = async (): Promise<void> => {
    await clock.measure();
    const { trouble, offset } = clock;
    if (trouble !== null && told === null) log.error({ offset }, trouble);
    if (trouble === null && told !== null) log.info({ offset }, 'the clocks agree again');
    told = trouble;
  };
  const ahead = "What the server's clock is ahead of the database's, measured each minute";
  gauge(metrics, 'clock_offset_seconds', ahead, () => clock.offset ?? 0);
  const disagree = '1 while the clocks of server and database disagree or jumped, so that no day is closed';
  gauge(metrics, 'clocks_disagree', disagree, () => (clock.trouble === null ? 0 : 1));
  const measures = every(MEASURE_INTERVAL_MS, measure, log, "the database's clock cannot be read");
  await measures.now();
  return { clock, stop: measures.stop };
}
