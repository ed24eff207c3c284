/** The jobs a miner may send shares for, and the shares it sent. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import type { JobTemplate } from '../upstream/upstream-job';
import { blockHeader, difficultyOffLoop, merkleRoot } from '../wire/proof';

export type Job = {
  /** Our own id: upstream ids may repeat after a switch. */
  id: string;
  upstreamId: string;
  /** Identifies what the headers of its shares are made of: jobs of the same work have the same shares. */
  work: string;
  template: JobTemplate;
  /** Hexadecimal: the upstream's coinb1 up to what the miner rolls, its own extranonce1 included. */
  coinbaseHead: string;
  connection: UpstreamConnection;
  /**
   * What a share of it must reach and is worth. It never changes: a rule that takes the lower of two difficulties
   * would pay twice for the hashes that are kept back until it is lowered (docs/adr/0005-stratum.md).
   */
  difficulty: number;
  /** What the upstream asked for when it sent it. */
  asked: number;
  /** What its hash must reach: the difficulty, but for the demo's rigs. */
  proof: number;
  version: number;
  /** Bits the miner may roll. */
  versionMask: number;
  /** Bits that a share carries to the upstream. */
  upstreamMask: number;
  /** Unix seconds. */
  ntime: number;
  /** Leading bytes of the upstream's extranonce2 that the miner does not roll. */
  slot: string;
  /** `performance.now()` from which on its shares are late; Infinity while nobody knows. */
  staleAt: number;
};

export type Proof = { extranonce2: string; ntime: string; nonce: string; version: number };

const MAX_JOBS = 24;
/**
 * Milliseconds that shares of a job are still taken after a clean job of the same block. Pools send those to change the
 * difficulty; what is under way then is valid work.
 */
const LATE_MS = 60_000;

export class JobBook {
  private readonly jobs = new Map<string, Job & { seen: Set<string> }>();
  /** Not from one on: a miner that connects again sends shares of its last connection, and they must find no job. */
  private counter = Math.floor(Math.random() * 2 ** 31);

  /** Number of the next job. */
  get next(): number {
    return this.counter + 1;
  }

  /** `clean`: the miner is told to leave what it has. */
  add(job: Omit<Job, 'id' | 'staleAt'>, clean: boolean): Job {
    const seen = this.ofWork(job.work)?.seen ?? new Set<string>();
    if (clean) this.leave(job);
    this.counter += 1;
    const added = { ...job, id: this.counter.toString(16), staleAt: Infinity, seen };
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

  /** A job with the same headers. */
  ofWork(work: string): (Job & { seen: Set<string> }) | undefined {
    return [...this.jobs.values()].find((job) => job.work === work);
  }

  /** True the first time a share of the job's work is sent, even if it names another job of the same work. */
  first(id: string, share: string): boolean {
    const seen = this.jobs.get(id)?.seen;
    if (!seen || seen.has(share)) return false;
    seen.add(share);
    return true;
  }

  /** Jobs that are no longer valid are kept for a while to distinguish a late share from an invented one. */
  private leave({ connection, template: { prevHash } }: Pick<Job, 'connection' | 'template'>): void {
    const now = performance.now();
    for (const job of this.jobs.values()) {
      const isSameBlock = job.connection === connection && job.template.prevHash.equals(prevHash);
      job.staleAt = Math.min(job.staleAt, isSameBlock ? now + LATE_MS : now);
      if (!isSameBlock) job.seen = new Set();
    }
  }
}

/** Difficulty that the hash of a share reaches. */
export function proofOf(algorithm: AlgorithmName, job: Job, share: Proof): number | Promise<number> {
  const { template, coinbaseHead } = job;
  const coinbase = Buffer.concat([Buffer.from(coinbaseHead + share.extranonce2, 'hex'), template.coinb2]);
  const header = blockHeader({
    version: share.version,
    prevHash: template.prevHash,
    merkleRoot: merkleRoot(coinbase, template.branches),
    ntime: parseInt(share.ntime, 16),
    nbits: template.nbits,
    nonce: parseInt(share.nonce, 16),
  });
  return difficultyOffLoop(algorithm, header);
}
