/** The jobs a miner may send shares for, and the shares it sent. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { Seat } from '../upstream/shared-connection';
import { KEPT_MS, MAX_JOBS, type SharedJob } from '../upstream/shared-job';
import { blockHeader, difficultyOffLoop, merkleRoot } from '../wire/proof';

/** What a share is checked and hashed by. */
export type CheckedJob = {
  /** Our own id: upstream ids may repeat after a switch. */
  id: string;
  shared: Pick<SharedJob, 'template' | 'staleAt'>;
  /** Identifies what the headers of its shares are made of: jobs of the same work have the same shares. */
  work: string;
  /** Hexadecimal: coinb1 up to what the miner rolls, its own extranonce1 included. */
  coinbaseHead: string;
  version: number;
  /** Bits the miner may roll. */
  versionMask: number;
  /** Unix seconds. */
  ntime: number;
  /** Bytes that the miner rolls. */
  extranonce2Size: number;
};

/** A job as one miner of the proxy has it. */
export type Job = CheckedJob & {
  shared: SharedJob;
  /** The place that it was given for. */
  seat: Seat;
  /** What a share must reach; never lowered, or hashes kept back until then would be paid (adr/0018-vardiff.md). */
  difficulty: number;
  /** What a share is worth at most; jobs of the same work have it together. */
  worth: { most: number };
  /** What its hash must reach: the difficulty, but for the demo's rigs. */
  proof: number;
  /** Leading bytes of the upstream's extranonce2 that the miner does not roll. */
  fixed: string;
};

/** `seen`: shares that were sent for its work, and the number of the latest job that each was sent for. */
type Known<Its> = Its & { seen: Map<string, number> };

export type Proof = { extranonce2: string; ntime: string; nonce: string; version: number };

export class JobBook<Its extends CheckedJob = Job> {
  /** Oldest first; `until`: when the next one came. */
  private readonly jobs = new Map<string, { job: Known<Its>; until: number }>();
  private latest: { job: Known<Its>; until: number } | null = null;
  /** Not from one on: a miner that connects again sends shares of its last connection, and they must find no job. */
  private readonly first = Math.floor(Math.random() * 2 ** 31);
  private counter = this.first;

  /** Number of the job to come. */
  get next(): number {
    return this.counter + 1;
  }
  get last(): Its | undefined {
    return this.latest?.job;
  }

  add(job: Omit<Its, 'id'>): Its {
    const now = performance.now();
    const seen = this.ofWork(job.work)?.seen ?? new Map<string, number>();
    this.counter += 1;
    if (this.latest) this.latest.until = now;
    const added = { ...job, id: this.counter.toString(16), seen } as Known<Its>;
    this.latest = { job: added, until: Infinity };
    this.jobs.set(added.id, this.latest);
    for (const [id, { until }] of this.jobs) {
      if (until > now - KEPT_MS && this.jobs.size <= MAX_JOBS) break;
      this.jobs.delete(id);
    }
    return added;
  }

  get(id: string): Known<Its> | undefined {
    return this.jobs.get(id)?.job;
  }

  /** Whether the miner was given a job of this id, however long ago. */
  gave(id: string): boolean {
    const number = parseInt(id, 16);
    return number > this.first && number <= this.counter;
  }

  /** The latest job with the same headers. */
  ofWork(work: string): Known<Its> | undefined {
    let latest: Known<Its> | undefined;
    for (const { job } of this.jobs.values()) if (job.work === work) latest = job;
    return latest;
  }

  /** Whether a share of the job's work is new. `found again`: for a later job, by a miner that began anew with it. */
  note({ id, seen }: Known<CheckedJob>, share: string): 'first' | 'found again' | 'repeated' {
    const before = seen.get(share);
    if (before === undefined || before < parseInt(id, 16)) seen.set(share, parseInt(id, 16));
    if (before === undefined) return 'first';
    return before < parseInt(id, 16) ? 'found again' : 'repeated';
  }
}

/** Difficulty that the hash of a share reaches. */
export function proofOf(algorithm: AlgorithmName, job: CheckedJob, share: Proof): number | Promise<number> {
  const { template } = job.shared;
  const coinbase = Buffer.concat([Buffer.from(job.coinbaseHead + share.extranonce2, 'hex'), template.coinb2]);
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
