/** The jobs a miner may answer now, and what it has answered already. */
import type { UpstreamConnection } from '../upstream/upstream-connection';

export type Job = {
  /** Our own: upstream ids may repeat after a switch. */
  id: string;
  upstreamId: string;
  /** What the headers of its shares are made of: jobs of the same work have the same shares. */
  work: string;
  connection: UpstreamConnection;
  /** In force when the job was sent: what a share of it counts. */
  difficulty: number;
  version: number;
  /** Bits the miner may roll. */
  versionMask: number;
  /** Unix seconds. */
  ntime: number;
  /** Bytes of the upstream's extranonce2 the miner does not roll. */
  slot: string;
  stale: boolean;
};

const MOST_JOBS = 24;
/** Shares remembered of one job; a miner that sends more of one job is given no credit for them. */
const MOST_SHARES = 50_000;

export class JobBook {
  private readonly jobs = new Map<string, Job & { seen: Set<string> }>();
  private counter = 0;

  add(job: Omit<Job, 'id' | 'stale'>, clean: boolean): Job {
    const seen = [...this.jobs.values()].find(({ work }) => work === job.work)?.seen ?? new Set<string>();
    if (clean) this.allStale();
    const added = { ...job, id: (++this.counter).toString(16), stale: false, seen };
    this.jobs.set(added.id, added);
    if (this.jobs.size > MOST_JOBS) {
      const oldest = this.jobs.keys().next().value;
      if (oldest !== undefined) this.jobs.delete(oldest);
    }
    return added;
  }

  get(id: string): Job | undefined {
    return this.jobs.get(id);
  }

  /** True the first time a share of the job's work is seen, whatever the job it was sent for. */
  first(id: string, share: string): boolean {
    const seen = this.jobs.get(id)?.seen;
    if (!seen || seen.has(share) || seen.size >= MOST_SHARES) return false;
    seen.add(share);
    return true;
  }

  /** Stale jobs are kept a while, so that a late share is told apart from a made-up one. */
  allStale(): void {
    for (const job of this.jobs.values()) {
      job.stale = true;
      job.seen = new Set();
    }
  }
}
