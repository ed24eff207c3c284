/** The jobs a miner may send shares for, and the shares it sent. */
import type { UpstreamConnection } from '../upstream/upstream-connection';

export type Job = {
  /** Our own id: upstream ids may repeat after a switch. */
  id: string;
  upstreamId: string;
  /** Identifies what the headers of its shares are made of: jobs of the same work have the same shares. */
  work: string;
  connection: UpstreamConnection;
  /** In force when the job was sent: what a share of the job is worth. */
  difficulty: number;
  version: number;
  /** Bits the miner may roll. */
  versionMask: number;
  /** Unix seconds. */
  ntime: number;
  /** Leading bytes of the upstream's extranonce2 that the miner does not roll. */
  slot: string;
  stale: boolean;
};

const MAX_JOBS = 24;
/** Shares remembered of one job; further shares of the same job are not credited. */
const MAX_SHARES_PER_JOB = 50_000;

export class JobBook {
  private readonly jobs = new Map<string, Job & { seen: Set<string> }>();
  private counter = 0;

  add(job: Omit<Job, 'id' | 'stale'>, clean: boolean): Job {
    const seen = [...this.jobs.values()].find(({ work }) => work === job.work)?.seen ?? new Set<string>();
    if (clean) this.allStale();
    const added = { ...job, id: (++this.counter).toString(16), stale: false, seen };
    this.jobs.set(added.id, added);
    if (this.jobs.size > MAX_JOBS) {
      const oldest = this.jobs.keys().next().value;
      if (oldest !== undefined) this.jobs.delete(oldest);
    }
    return added;
  }

  get(id: string): Job | undefined {
    return this.jobs.get(id);
  }

  /** True the first time a share of the job's work is sent, even if it names another job of the same work. */
  first(id: string, share: string): boolean {
    const seen = this.jobs.get(id)?.seen;
    if (!seen || seen.has(share) || seen.size >= MAX_SHARES_PER_JOB) return false;
    seen.add(share);
    return true;
  }

  /** Stale jobs are kept for a while to distinguish a late share from an invented one. */
  allStale(): void {
    for (const job of this.jobs.values()) {
      job.stale = true;
      job.seen = new Set();
    }
  }
}
