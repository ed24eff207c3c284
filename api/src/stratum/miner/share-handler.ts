/** Handles the shares of one connection: checks them, submits them upstream, records and answers them, and counts bad ones. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import type { ShareOutcome, ShareSink, Taken } from '../ports';
import type { Bans } from './access/bans';
import type { ConnectionWorkers, Miner } from './connection-workers';
import { type Job, type JobBook, proofOf } from './job-book';
import type { Limits } from '../wire/limits';
import type { StratumMetrics } from './metrics';
import { ERROR, type ErrorCode, type Id, type Request } from '../wire/protocol';
import { checkShare, type Submitted } from './share-check';
import type { SubmitAnswer } from '../upstream/upstream-events';
import type { WorkerSlots } from './access/worker-slots';
import type { Wire } from '../wire/wire';
import { reaches } from '../wire/proof';

export type ShareDeps = {
  algorithm: AlgorithmName;
  limits: Limits;
  sink: ShareSink;
  /** The pool's clock, Unix milliseconds. */
  now(): number;
  bans: Bans;
  slots: WorkerSlots;
  log: Logger;
  metrics?: StratumMetrics;
};
export type ShareEvents = {
  accepted(): void;
  refused(): void;
  banned(miner: Miner): void;
  /** The last pending share was answered. */
  settled(): void;
};

/** Milliseconds in which a connection may send shares of its last one, as cgminer does for two minutes. */
const OLD_SHARES_MS = 120_000;

export class ShareHandler {
  /** Shares that wait for the upstream or the journal. */
  pending = 0;
  /** Accepted shares minus refused ones: those of a stranger count against the account up to its accepted ones. */
  private credit = 0;
  /** Shares of this connection that were accepted. */
  acceptedShares = 0;
  refused = 0;
  lowDifficulty = false;
  private readonly since = performance.now();

  constructor(
    private readonly workers: ConnectionWorkers,
    private readonly jobs: JobBook,
    private readonly wire: Wire,
    private readonly deps: ShareDeps,
    private readonly events: ShareEvents,
  ) {}

  submit({ id, params }: Request): void {
    const miner = this.workers.ofShare(params[0]);
    if (!miner) return this.refuseName(id);
    const share = checkShare(params, this.jobs);
    if ('code' in share) {
      const isOld = !share.job && share.code === ERROR.stale && performance.now() - this.since < OLD_SHARES_MS;
      return this.refuse(id, miner, share.code, share.message, share.job ?? null, share.bad && !isOld);
    }
    this.pending += 1;
    const proof = proofOf(this.deps.algorithm, share.job, share);
    if (typeof proof === 'number') this.forward(id, miner, share, proof);
    else void proof.then((reached) => this.forward(id, miner, share, reached));
  }

  /** Submits a share upstream whose hash reaches the difficulty of its job: `reached`. */
  private forward(id: Id, miner: Miner, { job, extranonce2, ntime, nonce, version }: Submitted, reached: number): void {
    if (!reaches(reached, job.proof)) {
      this.refuse(id, miner, ERROR.lowDifficulty, 'Low difficulty share', job, true);
      return this.settle();
    }
    if (!job.connection.ready) {
      this.refuse(id, miner, ERROR.stale, 'The upstream pool of this job is not connected now', job, false);
      return this.settle();
    }
    job.connection.submit(
      {
        jobId: job.upstreamId,
        extranonce2: job.fixed + extranonce2,
        ntime,
        nonce,
        version,
        mask: job.upstreamMask,
      },
      (answer) => void this.onVerdict(id, miner, job, answer).finally(() => this.settle()),
    );
  }

  private settle(): void {
    this.pending -= 1;
    if (this.pending === 0) this.events.settled();
  }

  private async onVerdict(id: Id, miner: Miner, job: Job, answer: SubmitAnswer): Promise<void> {
    if (!answer.accepted) {
      if ('lost' in answer) return this.refuse(id, miner, ERROR.stale, 'The upstream went away', job, false);
      this.events.refused();
      const isKnown =
        answer.code === ERROR.stale || answer.code === ERROR.duplicate || answer.code === ERROR.lowDifficulty;
      const code = isKnown ? answer.code : ERROR.other;
      // Its proof was checked here: what an upstream thinks of late shares or of rolled versions is no fault of the miner.
      return this.refuse(id, miner, code, answer.message, job, false);
    }
    // A share is acknowledged only after it was recorded.
    const taken = job.connection.isOwnPool ? undefined : { upstream: job.connection.recordName, accepted: job.credit };
    if (!(await this.count(miner, job, 'accepted', taken)))
      return this.wire.error(id, ERROR.other, 'The pool cannot record shares now');
    if (taken) this.deps.metrics?.taken(this.deps.algorithm, taken, job.credit);
    this.acceptedShares += 1;
    this.credit += 1;
    miner.place.mined(job.credit);
    this.workers.mined(miner, job.difficulty);
    this.events.accepted();
    this.deps.bans.note(miner.banKey, false);
    this.wire.answer(id, true);
  }

  /** Costs a line and no more; only a single worker's connection is banned for it. */
  private refuseName(id: Id): void {
    this.refuse(id, this.workers.only, ERROR.unauthorised, 'Not a worker of this connection', null, true);
  }

  /** `bad`: counts towards the ban of `miner`. */
  private refuse(
    id: Id,
    miner: Miner | undefined,
    code: ErrorCode,
    message: string,
    job: Job | null,
    bad: boolean,
  ): void {
    this.wire.error(id, code, message);
    this.refused += 1;
    if (code === ERROR.lowDifficulty) this.lowDifficulty = true;
    const outcome = code === ERROR.stale ? 'stale' : 'rejected';
    if (!miner) return;
    if (job && (miner.knowsPassword || this.credit > 0)) {
      this.credit -= 1;
      void this.count(miner, job, outcome);
    } else if (job) this.deps.metrics?.share(this.deps.algorithm, outcome);
    const { bans, metrics, algorithm, log } = this.deps;
    if (!bad || !bans.note(miner.banKey, true)) return;
    metrics?.bans.inc({ algorithm });
    log.warn({ miner: miner.text }, 'banned: too many bad shares');
    this.events.banned(miner);
  }

  /** Records a share; returns whether it was recorded. */
  private async count(
    { subAccountId, worker }: Miner,
    { credit: difficulty, connection: { isOwnPool } }: Job,
    outcome: ShareOutcome,
    taken?: Taken,
  ): Promise<boolean> {
    const { sink, algorithm, metrics, now } = this.deps;
    const recorded = await sink.share({
      subAccountId,
      algorithm,
      worker,
      difficulty,
      outcome,
      at: now(),
      ...(isOwnPool ? { ownPool: true } : {}),
      ...(taken ? { taken } : {}),
    });
    metrics?.share(algorithm, recorded ? outcome : 'unrecorded');
    return recorded;
  }
}
