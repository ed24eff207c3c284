/** The jobs of one upstream connection, which all its miners work for, kept by time. */
import type { Extranonce } from '../wire/extranonce';
import { type JobTemplate, templateOf, type UpstreamJob, workOf } from './upstream-job';
import type { UpstreamConnection } from './upstream-connection';

export type SharedJob = {
  readonly sent: UpstreamJob;
  readonly template: JobTemplate;
  /** Identifies what the headers of its shares are made of. */
  readonly work: string;
  readonly connection: UpstreamConnection;
  readonly extranonce: Extranonce;
  readonly version: number;
  /** Bits that a share carries to the upstream. */
  readonly versionMask: number;
  /** Lowest and highest difficulty at which its upstream may count a share of it by the rule of any pool. */
  lowest: number;
  highest: number;
  /** `performance.now()` from which on its shares are late; Infinity while nobody knows. */
  staleAt: number;
};

/** Milliseconds that shares count after a clean job of the same block: that changes the difficulty only. */
const LATE_MS = 60_000;
/** Milliseconds that a job is kept after the next: cgminer sends shares for two minutes. */
export const KEPT_MS = 120_000;

/** An upstream that sends jobs without end fills no memory with them. */
export const MAX_JOBS = 600;

export class SharedJobs {
  /** Oldest first; `until`: when the next one came. */
  private all: { job: SharedJob; until: number }[] = [];

  add(sent: UpstreamJob, connection: UpstreamConnection, extranonce: Extranonce): SharedJob {
    const now = performance.now();
    const template = templateOf(sent);
    if (sent.clean) this.leave(template, now);
    const latest = this.all.at(-1);
    if (latest) latest.until = now;
    const kept = this.all.findIndex(({ until }) => until > now - KEPT_MS);
    this.all.splice(0, Math.max(kept, this.all.length - MAX_JOBS));
    const { counted, difficulty, versionMask } = connection;
    const job: SharedJob = {
      sent,
      template,
      work: workOf({ ...sent, coinb1: sent.coinb1 + extranonce.extranonce1 }),
      connection,
      extranonce,
      version: parseInt(sent.version, 16),
      versionMask,
      lowest: counted,
      highest: Math.max(counted, difficulty),
      staleAt: Infinity,
    };
    this.all.push({ job, until: Infinity });
    return job;
  }

  /** The upstream may count shares of its jobs at this difficulty from now on. */
  inForce(difficulty: number): void {
    for (const { job } of this.all) {
      job.lowest = Math.min(job.lowest, difficulty);
      job.highest = Math.max(job.highest, difficulty);
    }
  }

  private leave({ prevHash }: JobTemplate, now: number): void {
    for (const { job } of this.all)
      job.staleAt = Math.min(job.staleAt, job.template.prevHash.equals(prevHash) ? now + LATE_MS : now);
  }
}
