/** One connection to an upstream pool: does the handshake, then passes on jobs and submits shares. */
import { ALGORITHMS } from '@pool/shared/domain';
import type { Limits } from '../wire/limits';
import { answerLine, decimal, ERROR, type ErrorCode, hex32, isHex, readError, type Request } from '../wire/protocol';
import { type FailureWord, Link, type UpstreamFailure } from './link';
import { parseReconnect } from './reconnect';
import { OptionalCalls, Spared } from './optional-calls';
import type { ConnectionOptions, SubmitAnswer, UpstreamEvents, UpstreamShare } from './upstream-events';
import { parseDifficulty, parseExtranonce, parseNotify, type UpstreamJob } from './upstream-job';
import type { Place } from './upstream-socket';
import { type UpstreamTarget, userOf } from './upstream-target';
import { type Extranonce, LEAST_ROLLED_BYTES } from '../wire/extranonce';
import { grantedMask, NO_MASK, ROLLING_MASK } from '../wire/version-rolling';

const SELF = 'pool-proxy/1.0';
/** Milliseconds the first job waits for a difficulty: some pools send it right after the job. */
const FIRST_DIFFICULTY_MS = 1000;
/** How often `client.reconnect` is followed before there is work. */
const MAX_RECONNECTS = 3;

/** ckpool takes a second name and then says `Worker mismatch` of its shares. */
const isOfName = ({ code, message }: { code: ErrorCode; message: string }): boolean =>
  code === ERROR.unauthorised || /worker/i.test(message);

const REFUSED = 'the user name or the address was refused';
const TOO_SMALL = 'leaves miners less than three bytes of extranonce';
const fits = ({ size }: Extranonce): boolean => size >= LEAST_ROLLED_BYTES;

export class UpstreamConnection {
  extranonce: Extranonce | null = null;
  versionMask = NO_MASK;
  /** Stratum's default until the upstream sets one. */
  difficulty = 1;
  ready = false;
  /** The lowest difficulty since the job before; that of the first job is known. */
  private lowest = Infinity;
  private retiring = false;
  /** Latency of the authorisation; null until it was granted. */
  private latencyMs: number | null = null;
  /** A job that came before the answer to the authorisation, or before any difficulty. */
  private earlyJob: UpstreamJob | null = null;
  private knowsDifficulty = false;
  private difficultyTimer: NodeJS.Timeout | null = null;
  private jobAt = 0;
  private readonly user: string;
  /** Names beside its own that were sent. */
  private readonly others = new Set<string>();
  private readonly limits: Limits;
  private link: Link;
  private reconnects = 0;
  private readonly optional: OptionalCalls;
  /** Limits the handshake until the first job, then the time without a new one. */
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly target: UpstreamTarget,
    private readonly options: ConnectionOptions,
    private readonly events: UpstreamEvents,
  ) {
    const { limits, names, spared = new Spared(), place = target } = options;
    this.limits = limits;
    this.optional = new OptionalCalls(spared);
    this.user = userOf(target, names);
    this.limitHandshake();
    this.link = this.open(place);
  }

  /** The lowest difficulty at which the next job's shares may count: ckpool judges one job by that before a raise. */
  get counted(): number {
    return Math.min(this.lowest, this.difficulty);
  }

  /** Whether shares can be sent under this name: its own, or one that it is told of now and may refuse later. */
  takes(user: string): boolean {
    if (user === this.user || this.others.has(user)) return true;
    const isTold = this.optional.offer(this.link, 'mining.authorize', [user, this.target.password], (result) => {
      if (result === false) this.refuseName(user);
    });
    if (isTold) this.others.add(user);
    return isTold;
  }

  /** Submits a share; `done` is called exactly once. */
  submit(share: UpstreamShare, done: (answer: SubmitAnswer) => void): void {
    const { user } = share;
    const params = [user, share.jobId, share.extranonce2, share.ntime, share.nonce];
    // Every share carries the bits, rolled or not, once version rolling was negotiated (BIP 310).
    if (share.mask !== NO_MASK) params.push(hex32(share.version & share.mask));
    this.link.submit(params, (answer, ms) => {
      if (!answer) return done({ accepted: false, lost: true });
      const accepted = answer.result === true;
      if (accepted) this.optional.goesOn();
      this.events.onVerdict?.(ms, accepted);
      const error = readError(answer.error);
      if (!accepted && user !== this.user && isOfName(error)) this.refuseName(user);
      done(accepted ? { accepted } : { accepted, ...error });
      if (this.retiring && this.link.unanswered === 0) this.close();
    });
  }

  private refuseName(user: string): void {
    this.optional.refused('mining.authorize');
    this.events.onNameRefused?.(user);
  }

  /** Asks for a difficulty; a pool may take it, refuse it or say nothing. */
  suggestDifficulty(difficulty: number): void {
    // ckpool reads whole numbers only.
    const asked = difficulty > 1 ? Math.round(difficulty) : difficulty;
    this.optional.offer(this.link, 'mining.suggest_difficulty', `[${decimal(asked)}]`);
  }

  /** Takes no more shares; closes when the pending ones are answered. */
  retire(): void {
    this.ready = false;
    this.retiring = true;
    if (this.link.unanswered === 0) this.close();
  }

  close(): void {
    this.fail('closed', 'no longer needed');
  }

  private limitHandshake(waitMs = 0): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.fail('silent', this.latencyMs === null ? 'no answer to the handshake' : 'sends no work'),
      this.limits.upstreamWorkMs + waitMs,
    );
  }

  private open(place: Place, waitMs = 0): Link {
    const { target, limits, events } = this;
    const link: Link = new Link(
      { target, place, waitMs, limits, outbound: this.options.outbound },
      {
        onOpen: () => this.shakeHands(link),
        onRequest: (request) => this.onRequest(request),
        onStray: () => events.onStray?.(),
        onEnd: (failure) => {
          if (this.link === link) this.onEnd(failure, place);
        },
      },
    );
    return link;
  }

  /** Connects again before it has work, to another place or without a call. */
  private openAgain(place: Place, waitMs?: number): void {
    const { link } = this;
    this.link = this.open(place, waitMs);
    link.close({ word: 'closed', why: 'connects again' });
    this.latencyMs = null;
    this.earlyJob = null;
  }

  private shakeHands(link: Link): void {
    this.versionMask = NO_MASK;
    this.difficulty = 1;
    this.knowsDifficulty = false;
    this.optional.begin();
    if (ALGORITHMS[this.target.algorithm].versionRolling) {
      const options = { 'version-rolling.mask': hex32(ROLLING_MASK), 'version-rolling.min-bit-count': 2 };
      this.optional.offer(link, 'mining.configure', [['version-rolling'], options], (result) =>
        this.setMask(grantedMask(result)),
      );
    }
    link.ask('mining.subscribe', [SELF], ({ result }) => {
      const [, extranonce1, size] = Array.isArray(result) ? result : [];
      this.extranonce = parseExtranonce(extranonce1, size);
      if (!this.extranonce) return this.fail('misbehaves', 'subscription refused');
      if (!fits(this.extranonce)) return this.fail('small_extranonce', TOO_SMALL);
      this.optional.offer(link, 'mining.extranonce.subscribe', []);
      // A suggestion comes before the authorisation, so that the first job has it.
      const suggested = this.options.suggested?.() ?? null;
      if (suggested !== null) this.suggestDifficulty(suggested);
      const askedAt = performance.now();
      link.ask('mining.authorize', [this.user, this.target.password], (reply) => {
        // Some grant it with null or with a word.
        if (reply.error !== null || reply.result === false || reply.result === undefined)
          return this.fail('auth_failed', readError(reply.error, REFUSED).message);
        this.latencyMs = performance.now() - askedAt;
        // ckpool takes it only then; ckpool-lhr before, without a word, and tells of another one only.
        if (suggested !== null && this.difficulty < suggested / 2) this.suggestDifficulty(2 * suggested);
        this.takeEarlyJob();
      });
    });
  }

  private setMask(mask: number): void {
    this.versionMask = mask;
    if (this.ready) this.events.onVersionMask?.(mask);
  }

  private takeJob(job: UpstreamJob): void {
    if (!this.knowsDifficulty) {
      this.difficultyTimer ??= setTimeout(() => {
        this.knowsDifficulty = true;
        this.takeEarlyJob();
      }, FIRST_DIFFICULTY_MS);
    }
    if (this.latencyMs === null || !this.knowsDifficulty) {
      this.earlyJob = job;
      return;
    }
    this.jobAt = performance.now();
    if (!this.ready && !this.retiring) {
      clearTimeout(this.timer);
      this.watchJobs();
      this.optional.worked();
      this.ready = true;
      this.lowest = this.difficulty;
      this.events.onReady(this.latencyMs);
    }
    if (!this.ready) return;
    this.events.onJob?.(job);
    this.lowest = this.difficulty;
  }

  private takeEarlyJob(): void {
    const job = this.earlyJob;
    this.earlyJob = null;
    if (job) this.takeJob(job);
  }

  /** Fails when the upstream sends no new job: its miners would work for nothing. */
  private watchJobs(): void {
    const { jobSilenceMs } = this.limits;
    this.timer = setTimeout(
      () => {
        if (performance.now() - this.jobAt >= jobSilenceMs) this.fail('silent', 'sends no more work');
        else this.watchJobs();
      },
      this.jobAt + jobSilenceMs - performance.now() + 5,
    );
  }

  private onRequest({ id, method, params }: Request): void {
    if (method === 'mining.notify') {
      const job = parseNotify(params);
      if (job) this.takeJob(job);
      else this.link.stray();
    } else if (method === 'mining.set_difficulty') {
      const difficulty = parseDifficulty(params);
      if (difficulty === null) return this.link.stray();
      this.difficulty = difficulty;
      this.lowest = Math.min(this.lowest, difficulty);
      this.events.onDifficulty?.(difficulty);
      this.knowsDifficulty = true;
      this.takeEarlyJob();
    } else if (method === 'mining.set_extranonce') {
      const extranonce = parseExtranonce(params[0], params[1]);
      if (!extranonce) return this.link.stray();
      this.extranonce = extranonce;
      if (!fits(extranonce)) this.fail('small_extranonce', TOO_SMALL);
      else if (this.ready) this.events.onExtranonce?.();
    } else if (method === 'mining.set_version_mask') {
      if (isHex(params[0], 4)) this.setMask((parseInt(params[0], 16) & ROLLING_MASK) >>> 0);
    } else if (method === 'client.reconnect') this.onReconnect(params);
    else if (method === 'client.get_version') this.link.send(answerLine(id, SELF));
    else if (method === 'mining.ping') this.link.send(answerLine(id, 'pong'));
  }

  private onReconnect(params: unknown[]): void {
    const to = parseReconnect(params, this.target);
    if (!to || this.retiring) return;
    if (this.ready) return this.events.onReconnect?.(to);
    if (this.reconnects >= MAX_RECONNECTS) return this.fail('misbehaves', 'asks to reconnect again and again');
    this.reconnects += 1;
    this.limitHandshake(to.waitMs);
    this.openAgain(to, to.waitMs);
  }

  private fail(word: FailureWord, why: string): void {
    this.link.close({ word, why });
  }

  private onEnd(failure: UpstreamFailure, place: Place): void {
    const hasWorked = this.jobAt > 0;
    if (failure.word === 'lost' && this.optional.blame(hasWorked) && !hasWorked) return this.openAgain(place);
    clearTimeout(this.timer);
    if (this.difficultyTimer) clearTimeout(this.difficultyTimer);
    this.ready = false;
    this.events.onClosed(failure);
  }
}
