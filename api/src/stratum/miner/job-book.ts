/** The jobs a miner may send shares for, and the shares it sent. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import type { JobTemplate } from '../upstream/upstream-job';
import { blockHeader, difficultyOffLoop, merkleRoot } from '../wire/proof';

export type Job = {
  /** Our own id: upstream ids may repeat after a switch. */
  id: string;
  upstreamId: string | number;
  /** Identifies what the headers of its shares are made of: jobs of the same work have the same shares. */
  work: string;
  template: JobTemplate;
  /** Hexadecimal: the upstream's coinb1 up to what the miner rolls, its own extranonce1 included. */
  coinbaseHead: string;
  connection: UpstreamConnection;
  /** What a share must reach; never lowered, or hashes kept back until then would be paid (adr/0018-vardiff.md). */
  difficulty: number;
  /** What a share of it is worth: the lowest difficulty at which its upstream may count it by the rule of any pool. */
  credit: number;
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
  fixed: string;
  /** Bytes that the miner rolls. */
  extranonce2Size: number;
  /** `performance.now()` from which on its shares are late; Infinity while nobody knows. */
  staleAt: number;
};

/** `seen`: shares that were sent for its work, and the number of the latest job that each was sent for. */
type KnownJob = Job & { seen: Map<string, number> };

export type Proof = { extranonce2: string; ntime: string; nonce: string; version: number };

const MAX_JOBS = 24;
/** Milliseconds that shares count after a clean job of the same block: that changes the difficulty only. */
const LATE_MS = 60_000;

export class JobBook {
  private readonly jobs = new Map<string, KnownJob>();
  /** Not from one on: a miner that connects again sends shares of its last connection, and they must find no job. */
  private counter = Math.floor(Math.random() * 2 ** 31);

  get next(): number {
    return this.counter + 1;
  }

  /** `clean`: the miner is told to leave what it has. */
  add(job: Omit<Job, 'id' | 'staleAt'>, clean: boolean): Job {
    const seen = this.ofWork(job.work)?.seen ?? new Map<string, number>();
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

  /** The upstream may count shares of its jobs at this difficulty from now on. */
  lower(connection: UpstreamConnection, difficulty: number): void {
    for (const job of this.jobs.values())
      if (job.connection === connection) job.credit = Math.min(job.credit, difficulty);
  }

  get(id: string): KnownJob | undefined {
    return this.jobs.get(id);
  }

  /** A job with the same headers. */
  ofWork(work: string): KnownJob | undefined {
    return [...this.jobs.values()].find((job) => job.work === work);
  }

  /** Whether a share of the job's work is new. `found again`: for a later job, by a miner that began anew with it. */
  note({ id, seen }: KnownJob, share: string): 'first' | 'found again' | 'repeated' {
    const before = seen.get(share);
    if (before === undefined || before < parseInt(id, 16)) seen.set(share, parseInt(id, 16));
    if (before === undefined) return 'first';
    return before < parseInt(id, 16) ? 'found again' : 'repeated';
  }

  /** Jobs that are no longer valid are kept for a while to distinguish a late share from an invented one. */
  private leave({ connection, template: { prevHash } }: Pick<Job, 'connection' | 'template'>): void {
    const now = performance.now();
    for (const job of this.jobs.values()) {
      const isSameBlock = job.connection === connection && job.template.prevHash.equals(prevHash);
      job.staleAt = Math.min(job.staleAt, isSameBlock ? now + LATE_MS : now);
      if (!isSameBlock) job.seen = new Map();
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
