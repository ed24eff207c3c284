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
import { recordName } from '../upstream/upstream-target';
import type { WorkerSlots } from './access/worker-slots';
import type { Withholding } from './withholding';
import type { Wire } from '../wire/wire';
import { reaches } from '../wire/proof';

export type ShareDeps = {
  algorithm: AlgorithmName;
  limits: Limits;
  sink: ShareSink;
  /** The pool's clock, Unix milliseconds. */
  now(): number;
  bans: Bans;
  withholding: Withholding;
  slots: WorkerSlots;
  log: Logger;
  metrics?: StratumMetrics;
};
export type ShareEvents = {
  /** A share of a job of this difficulty was found, whatever becomes of it. */
  found(difficulty: number): void;
  accepted(): void;
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
      const isOld = share.code === ERROR.stale && performance.now() - this.since < OLD_SHARES_MS;
      return this.refuse(id, miner, share.code, share.message, share.job ?? null, share.bad && !isOld);
    }
    this.pending += 1;
    const proof = proofOf(this.deps.algorithm, share.job, share);
    if (typeof proof === 'number') this.forward(id, miner, share, proof);
    else void proof.then((reached) => this.forward(id, miner, share, reached));
  }

  /** Handles a share whose hash reaches a difficulty; its upstream gets it if it may count there. */
  private forward(id: Id, miner: Miner, share: Submitted<Job>, hash: number): void {
    const { job } = share;
    const { shared, proof, difficulty } = job;
    if (!reaches(hash, proof)) {
      this.refuse(id, miner, ERROR.lowDifficulty, 'Low difficulty share', job, true);
      return this.settle();
    }
    if (!shared.connection.ready) {
      this.refuse(id, miner, ERROR.stale, 'The upstream pool of this job is not connected now', job, false);
      return this.settle();
    }
    const reached = hash * (difficulty / proof);
    if (!reaches(reached, shared.lowest)) return void this.accept(id, miner, job, 0).finally(() => this.settle());
    const { extranonce2, ntime, nonce, version } = share;
    shared.connection.submit(
      {
        user: job.seat.user,
        jobId: shared.sent.id,
        extranonce2: job.fixed + extranonce2,
        ntime,
        nonce,
        version,
        mask: shared.versionMask,
      },
      (answer) => void this.onVerdict(id, miner, job, reached, answer).finally(() => this.settle()),
    );
  }

  private settle(): void {
    this.pending -= 1;
    if (this.pending === 0) this.events.settled();
  }

  private async onVerdict(id: Id, miner: Miner, job: Job, reached: number, answer: SubmitAnswer): Promise<void> {
    const { shared } = job;
    if (answer.accepted) return this.accept(id, miner, job, shared.lowest);
    const isEnough = reaches(reached, shared.highest);
    const isLost = 'lost' in answer;
    // It judges by a higher difficulty of before or of now: no share of its own, and work as any other. A pool bans who
    // sends many such, so it gets no more of this job.
    if (!isLost && answer.code === ERROR.lowDifficulty && !isEnough) {
      shared.lowest = shared.highest;
      return this.accept(id, miner, job, 0);
    }
    const code = isLost ? ERROR.stale : answer.code;
    const isKnown = code === ERROR.stale || code === ERROR.duplicate || code === ERROR.lowDifficulty;
    // What one share of it is late for, all are.
    if (!isLost && code === ERROR.stale) shared.staleAt = Math.min(shared.staleAt, performance.now());
    job.seat.shared.dues.refused(
      isEnough ? shared.highest : shared.lowest,
      creditOf(job),
      isKnown ? code : ERROR.other,
    );
    // Its proof was checked here: what an upstream thinks of late shares or of rolled versions is no fault of the miner.
    const message = isLost ? 'The upstream went away' : answer.message;
    this.refuse(id, miner, isKnown ? code : ERROR.other, message, job, false);
  }

  /** `counted`: what the upstream counts for it in any case; 0: it did not get the share. */
  private async accept(id: Id, miner: Miner, job: Job, counted: number): Promise<void> {
    const { deps } = this;
    const { connection, highest } = job.shared;
    const credit = creditOf(job);
    this.events.found(job.difficulty);
    const due = counted === 0 ? job.seat.shared.dues.takes(credit) : null;
    if (due !== null) return this.refuse(id, miner, due, 'The upstream refused such work', job, false);
    const { target } = connection;
    const taken = target.id === undefined ? { upstream: recordName(target), accepted: counted } : undefined;
    // A share is acknowledged only after it was recorded.
    if (!(await this.count(miner, job, 'accepted', taken)))
      return this.wire.error(id, ERROR.other, 'The pool cannot record shares now');
    const { algorithm, now, withholding, metrics, bans } = deps;
    if (taken) {
      metrics?.taken(algorithm, taken, credit);
      // Around a raise the upstream may judge by the higher: what it refuses then was not kept back.
      withholding.note({ ...miner, algorithm, at: now() }, credit / highest, counted > 0);
    }
    this.acceptedShares += 1;
    this.credit += 1;
    miner.place.mined(credit);
    this.workers.mined(miner, job.difficulty);
    this.events.accepted();
    bans.note(miner.banKey, false);
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
    job: Job,
    outcome: ShareOutcome,
    taken?: Taken,
  ): Promise<boolean> {
    const { sink, algorithm, metrics, now } = this.deps;
    const recorded = await sink.share({
      subAccountId,
      algorithm,
      worker,
      difficulty: creditOf(job),
      outcome,
      at: now(),
      ...(job.shared.connection.target.id === undefined ? {} : { ownPool: true }),
      ...(taken ? { taken } : {}),
    });
    metrics?.share(algorithm, recorded ? outcome : 'unrecorded');
    return recorded;
  }
}

/** What a share of the job is worth: never above the lowest difficulty at which its upstream may count it. */
const creditOf = ({ worth, shared }: Job): number => Math.min(worth.most, shared.lowest);
