/** One connection to an upstream pool: does the handshake, then passes on jobs and submits shares. */
import type { UpstreamReason } from '@pool/shared/api/contract';
import { ALGORITHMS } from '@pool/shared/domain';
import { type Limits, Rate } from '../wire/limits';
import {
  type Answer,
  answerLine,
  decimal,
  type ErrorCode,
  hex32,
  isHex,
  parseLine,
  readError,
  type Request,
} from '../wire/protocol';
import { Calls } from './calls';
import { type Extranonce, parseDifficulty, parseExtranonce, parseNotify, type UpstreamJob } from './upstream-job';
import { addressOf, openSocket, type Outbound } from './upstream-socket';
import { type Names, type Nominal, recordName, type UpstreamTarget, userOf } from './upstream-target';
import { grantedMask, NO_MASK, ROLLING_MASK } from '../wire/version-rolling';
import { Wire } from '../wire/wire';

/** Stable words for the log; `closed`: by this side. */
export type FailureWord = Exclude<UpstreamReason, 'connected' | 'restored'>;
/** `why`: for people. */
export type UpstreamFailure = { word: FailureWord; why: string };
export type SubmitAnswer =
  | { accepted: true }
  | { accepted: false; code: ErrorCode; message: string }
  | { accepted: false; lost: true };

export type UpstreamEvents = {
  /** Subscribed and authorised, the first job follows; `difficulty`, `extranonce` and `versionMask` are known. */
  onReady(latencyMs: number): void;
  /** It has the connection's `difficulty`; a new one is announced before the job from which on it counts. */
  onJob(job: UpstreamJob): void;
  /** Shares of the jobs before may count at another difficulty from now on. */
  onDifficulty?(difficulty: number): void;
  onVersionMask(mask: number): void;
  /** Called once, after all pending submits were answered with `lost`. */
  onClosed(failure: UpstreamFailure): void;
  /** The upstream answered a share. */
  onVerdict?(ms: number, accepted: boolean): void;
};

export type ConnectionOptions = {
  limits: Limits;
  outbound?: Outbound;
  names?: Names;
  /** Name of the miner's software: pools choose the first difficulty by it. */
  software?: string | null;
  /** Difficulty to suggest to the upstream. */
  suggested?: number | null;
};

const SELF = 'pool-proxy/1.0';
/** Milliseconds the first job waits for a difficulty: some pools send it right after the job. */
const FIRST_DIFFICULTY_MS = 1000;

const TOO_SMALL = 'leaves miners less than three bytes of extranonce';
/** With a smaller extranonce2 a fast miner runs out of work. */
const fits = ({ size }: Extranonce): boolean => size >= 3;

export class UpstreamConnection {
  extranonce: Extranonce | null = null;
  versionMask = NO_MASK;
  /** Stratum's default until the upstream sets one. */
  difficulty = 1;
  ready = false;
  /** The lowest difficulty since the job before; that of the first job is known. */
  private lowest = Infinity;
  private failure: UpstreamFailure | null = null;
  private done = false;
  private retiring = false;
  /** Latency of the authorisation; null until it was granted. */
  private latencyMs: number | null = null;
  /** A job that came before the answer to the authorisation, or before any difficulty. */
  private earlyJob: UpstreamJob | null = null;
  private knowsDifficulty = false;
  private difficultyTimer: NodeJS.Timeout | null = null;
  private jobAt = 0;
  private suggested: number | null;
  private readonly name: string;
  private readonly user: string;
  /** What its accepted shares are recorded under. */
  readonly recordName: string;
  private readonly calls: Calls;
  private readonly rate: Rate;
  private readonly limits: Limits;
  private wire: Wire | null = null;
  /** Before the first job: limits the handshake. After it: limits the time without a new job. */
  private timer: NodeJS.Timeout;

  constructor(
    private readonly target: UpstreamTarget,
    options: ConnectionOptions,
    private readonly events: UpstreamEvents,
  ) {
    const { limits, outbound, names, software, suggested = null } = options;
    this.limits = limits;
    this.calls = new Calls(limits.submitMs, () => this.fail('silent', 'does not answer'));
    this.recordName = recordName(target);
    this.user = userOf(target, names);
    this.name = software ? `${software} ${SELF}` : SELF;
    this.suggested = suggested;
    this.rate = new Rate(limits.upstreamLinesPerSecond);
    this.timer = setTimeout(
      () => this.fail('silent', this.latencyMs === null ? 'no answer to the handshake' : 'sends no work'),
      limits.upstreamWorkMs,
    );
    const address = addressOf(target, outbound);
    if (typeof address === 'string') this.open(address, outbound);
    else
      address.then(
        (found) => this.open(found, outbound),
        () => this.fail('not_allowed', 'the address cannot be connected to'),
      );
  }

  /** Whether a user configured this pool. */
  get isOwnPool(): boolean {
    return this.target.id !== undefined;
  }

  /**
   * The lowest difficulty at which a pool may count a share of the job that comes now: ckpool judges the first job after
   * a raise by the difficulty before.
   */
  get counted(): number {
    return this.target.judgesByJob ? this.difficulty : Math.min(this.lowest, this.difficulty);
  }

  /** Set in the demo only. */
  get nominal(): Nominal | undefined {
    return this.target.nominal;
  }

  /** Submits a share; `done` is called exactly once. `mask`: bits of the version that it carries. */
  submit(
    share: { jobId: string; extranonce2: string; ntime: string; nonce: string; version: number; mask: number },
    done: (answer: SubmitAnswer) => void,
  ): void {
    const params = [this.user, share.jobId, share.extranonce2, share.ntime, share.nonce];
    // After version rolling was negotiated, every share carries the bits, rolled or not (BIP 310).
    if (share.mask !== NO_MASK) params.push(hex32(share.version & share.mask));
    this.call('mining.submit', params, (answer, ms) => {
      if (!answer) return done({ accepted: false, lost: true });
      const accepted = answer.result === true;
      this.events.onVerdict?.(ms, accepted);
      done(accepted ? { accepted } : { accepted, ...readError(answer.error) });
      if (this.retiring && this.calls.size === 0) this.close();
    });
  }

  suggestDifficulty(difficulty: number): void {
    this.suggested = difficulty;
    if (this.latencyMs !== null) this.sendSuggestion();
  }

  /** Takes no more shares; closes when the pending ones are answered. */
  retire(): void {
    this.ready = false;
    this.retiring = true;
    if (this.calls.size === 0) this.close();
  }

  close(): void {
    this.fail('closed', 'no longer needed');
  }

  private open(address: string, outbound: Outbound | undefined): void {
    if (this.failure) return;
    const { socket, opened } = openSocket(this.target, address, outbound);
    this.wire = new Wire(socket, {
      maxLine: this.limits.upstreamLine,
      maxBuffered: this.limits.buffered,
      onLine: (line) => this.onLine(line),
      onClose: (why, overLimit) => this.onClose(why, overLimit),
    });
    socket.once(opened, () => this.shakeHands());
  }

  private shakeHands(): void {
    if (ALGORITHMS[this.target.algorithm].versionRolling) {
      const options = { 'version-rolling.mask': hex32(ROLLING_MASK), 'version-rolling.min-bit-count': 2 };
      this.call('mining.configure', [['version-rolling'], options], (answer) => {
        this.versionMask = answer ? grantedMask(answer.result) : NO_MASK;
      });
    }
    this.call('mining.subscribe', [this.name], (answer) => {
      if (!answer) return;
      const [, extranonce1, size] = Array.isArray(answer.result) ? answer.result : [];
      this.extranonce = parseExtranonce(extranonce1, size);
      if (!this.extranonce) return this.fail('misbehaves', 'subscription refused');
      if (!fits(this.extranonce)) return this.fail('small_extranonce', TOO_SMALL);
      // Before the authorisation, so that the first job has it, and after it for pools that take it from then on (ckpool).
      this.sendSuggestion();
      this.call('mining.authorize', [this.user, this.target.password], (reply, ms) => {
        if (!reply) return;
        if (reply.result !== true) return this.fail('auth_failed', readError(reply.error).message);
        this.latencyMs = ms;
        this.sendSuggestion();
        this.takeEarlyJob();
      });
    });
  }

  private sendSuggestion(): void {
    if (this.suggested === null) return;
    // ckpool reads whole numbers only.
    const difficulty = this.suggested > 1 ? Math.round(this.suggested) : this.suggested;
    this.wire?.send(
      `{"id":${this.calls.newId()},"method":"mining.suggest_difficulty","params":[${decimal(difficulty)}]}`,
    );
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
      this.ready = true;
      this.lowest = this.difficulty;
      this.events.onReady(this.latencyMs);
    }
    if (!this.ready) return;
    this.events.onJob(job);
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

  private onLine(line: string): void {
    const message = parseLine(line);
    const done = message?.kind === 'answer' ? this.calls.take(message) : undefined;
    // There are as many answers as shares, which a farm may send a thousand of.
    if (!done && !this.rate.take()) return this.fail('misbehaves', 'floods the proxy');
    if (!message) return this.fail('misbehaves', 'speaks something else than Stratum');
    if (message.kind === 'request') return this.onRequest(message);
    done?.(message);
  }

  private onRequest({ id, method, params }: Request): void {
    if (method === 'mining.notify') {
      const job = parseNotify(params);
      if (!job) return this.fail('misbehaves', 'sent a job that makes no sense');
      this.takeJob(job);
    } else if (method === 'mining.set_difficulty') {
      const difficulty = parseDifficulty(params);
      if (difficulty === null) return this.fail('misbehaves', 'sent a difficulty that makes no sense');
      this.difficulty = difficulty;
      this.lowest = Math.min(this.lowest, difficulty);
      if (!this.target.judgesByJob) this.events.onDifficulty?.(difficulty);
      this.knowsDifficulty = true;
      this.takeEarlyJob();
    } else if (method === 'mining.set_extranonce') {
      this.extranonce = parseExtranonce(params[0], params[1]);
      if (!this.extranonce) this.fail('misbehaves', 'sent an extranonce that makes no sense');
      else if (!fits(this.extranonce)) this.fail('small_extranonce', TOO_SMALL);
    } else if (method === 'mining.set_version_mask') {
      if (!isHex(params[0], 4)) return;
      this.versionMask = (parseInt(params[0], 16) & ROLLING_MASK) >>> 0;
      if (this.ready) this.events.onVersionMask(this.versionMask);
    } else if (method === 'client.reconnect') {
      // Only the configured host is connected to: another host is ignored, our own (or none) means reconnect.
      const [host] = params;
      if (host === undefined || host === '' || host === this.target.host) this.fail('lost', 'asked to reconnect');
    } else if (method === 'client.get_version') this.wire?.send(answerLine(id, SELF));
    else if (method === 'mining.ping') this.wire?.send(answerLine(id, 'pong'));
  }

  private call(method: string, params: unknown[], done: (answer: Answer | null, ms: number) => void): void {
    const id = this.calls.add(done);
    this.wire?.send({ id, method, params });
    if (this.ready) this.calls.watch();
  }

  private fail(word: FailureWord, why: string): void {
    if (this.failure) return;
    this.failure = { word, why };
    if (this.wire) this.wire.close(why);
    // Deferred, as a socket does it: the caller of `close` is not called back while it is closing.
    else setImmediate(() => this.onClose(why));
  }

  private onClose(why: string, overLimit = false): void {
    if (this.done) return;
    this.done = true;
    clearTimeout(this.timer);
    if (this.difficultyTimer) clearTimeout(this.difficultyTimer);
    this.ready = false;
    this.calls.end();
    this.events.onClosed(this.failure ?? { word: overLimit ? 'misbehaves' : 'lost', why });
  }
}
