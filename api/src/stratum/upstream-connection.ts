/** One connection to an upstream pool: hand-shakes, then hands on jobs and takes shares. */
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Limits, Rate } from './limits';
import { type Answer, type ErrorCode, hex32, type Id, isHex, parseLine, readError, type Request } from './protocol';
import { type Extranonce, parseDifficulty, parseExtranonce, parseNotify, type UpstreamJob } from './upstream-job';
import type { UpstreamTarget } from './upstream-target';
import { grantedMask, NO_MASK, ROLLING_MASK } from './version-rolling';
import { Wire } from './wire';

export type UpstreamFailure = { kind: 'down' | 'auth_failed'; why: string };
export type SubmitAnswer = { accepted: true } | { accepted: false; code: ErrorCode; message: string } | { accepted: false; lost: true };

export type UpstreamEvents = {
  /** Subscribed and authorised; `difficulty`, `extranonce` and `versionMask` are known. */
  onReady(latencyMs: number): void;
  onDifficulty(difficulty: number): void;
  onJob(job: UpstreamJob): void;
  onVersionMask(mask: number): void;
  /** Once; submits under way are answered `lost` before. */
  onClosed(failure: UpstreamFailure): void;
  onLatency?(ms: number): void;
};

type Pending = { sentAt: number; done(answer: Answer | null): void };

export class UpstreamConnection {
  extranonce: Extranonce | null = null;
  versionMask = NO_MASK;
  difficulty = 1;
  ready = false;
  private nextId = 1;
  private failure: UpstreamFailure | null = null;
  private earlyJob: UpstreamJob | null = null;
  private readonly pending = new Map<Id, Pending>();
  private readonly rate: Rate;
  private readonly wire: Wire;
  private readonly handshake: NodeJS.Timeout;
  private watch: NodeJS.Timeout | null = null;

  constructor(private readonly target: UpstreamTarget, private readonly limits: Limits, private readonly events: UpstreamEvents) {
    const { host, port, tls } = target;
    const socket = tls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
    this.rate = new Rate(limits.upstreamLinesPerSecond);
    this.wire = new Wire(socket, {
      maxLine: limits.upstreamLine,
      maxBuffered: limits.buffered,
      onLine: (line) => this.onLine(line),
      onClose: (why) => this.onClose(why),
    });
    this.handshake = setTimeout(() => this.fail('down', 'no answer to the handshake'), limits.handshakeMs);
    socket.once(tls ? 'secureConnect' : 'connect', () => this.greet());
  }

  /** Sends a share; `done` is called exactly once. */
  submit(share: { jobId: string; extranonce2: string; ntime: string; nonce: string; version: number }, done: (answer: SubmitAnswer) => void): void {
    const params = [this.target.user, share.jobId, share.extranonce2, share.ntime, share.nonce];
    // Who negotiated version rolling sends the bits with every share, rolled or not (BIP 310).
    if (this.versionMask !== NO_MASK) params.push(hex32(share.version & this.versionMask));
    this.call('mining.submit', params, (answer) => {
      if (!answer) return done({ accepted: false, lost: true });
      if (answer.result === true) return done({ accepted: true });
      done({ accepted: false, ...readError(answer.error) });
    });
  }

  suggestDifficulty(difficulty: number): void {
    this.wire.send({ id: this.nextId++, method: 'mining.suggest_difficulty', params: [difficulty] });
  }

  close(): void { this.fail('down', 'no longer needed'); }

  private greet(): void {
    if (this.target.algorithm === 'SHA256_ASICBOOST') {
      const options = { 'version-rolling.mask': hex32(ROLLING_MASK), 'version-rolling.min-bit-count': 2 };
      this.call('mining.configure', [['version-rolling'], options], (answer) => { this.versionMask = answer ? grantedMask(answer.result) : NO_MASK; });
    }
    this.call('mining.subscribe', ['pool-proxy/1.0'], (answer) => {
      const [, extranonce1, size] = Array.isArray(answer?.result) ? answer.result : [];
      this.extranonce = parseExtranonce(extranonce1, size);
      if (!answer) return;
      if (!this.extranonce) return this.fail('down', 'subscription refused');
      this.call('mining.authorize', [this.target.user, this.target.password], (reply, ms) => {
        if (!reply) return;
        if (reply.result !== true) return this.fail('auth_failed', readError(reply.error).message);
        this.becomeReady(ms);
      });
    });
  }

  private becomeReady(latencyMs: number): void {
    clearTimeout(this.handshake);
    this.ready = true;
    this.events.onReady(latencyMs);
    if (this.earlyJob && this.ready) this.events.onJob(this.earlyJob);
    this.earlyJob = null;
  }

  private onLine(line: string): void {
    if (!this.rate.take()) return this.fail('down', 'floods the proxy');
    const message = parseLine(line);
    if (!message) return this.fail('down', 'speaks something else than Stratum');
    if (message.kind === 'request') return this.onRequest(message);
    const pending = this.pending.get(message.id);
    this.pending.delete(message.id);
    pending?.done(message);
  }

  private onRequest({ id, method, params }: Request): void {
    if (method === 'mining.notify') {
      const job = parseNotify(params);
      if (!job) return this.fail('down', 'sent a job that makes no sense');
      // Some pools send work before they answer the authorisation.
      if (this.ready) this.events.onJob(job);
      else this.earlyJob = job;
    } else if (method === 'mining.set_difficulty') {
      const difficulty = parseDifficulty(params);
      if (difficulty === null) return this.fail('down', 'sent a difficulty that makes no sense');
      this.difficulty = difficulty;
      if (this.ready) this.events.onDifficulty(difficulty);
    } else if (method === 'mining.set_extranonce') {
      this.extranonce = parseExtranonce(params[0], params[1]);
      if (!this.extranonce) this.fail('down', 'sent an extranonce that makes no sense');
    } else if (method === 'mining.set_version_mask') {
      if (!isHex(params[0], 4)) return;
      this.versionMask = (parseInt(params[0], 16) & ROLLING_MASK) >>> 0;
      if (this.ready) this.events.onVersionMask(this.versionMask);
    } else if (method === 'client.reconnect') {
      // Whatever address it names, only our own is ever connected to: a foreign host is ignored, ours means start again.
      const [host] = params;
      if (host === undefined || host === '' || host === this.target.host) this.fail('down', 'asked to reconnect');
    } else if (method === 'client.get_version') {
      this.wire.send({ id, result: 'pool-proxy/1.0', error: null });
    }
  }

  private call(method: string, params: unknown[], done: (answer: Answer | null, ms: number) => void): void {
    const id = this.nextId++;
    const sentAt = Date.now();
    this.pending.set(id, {
      sentAt,
      done: (answer) => {
        const ms = Date.now() - sentAt;
        if (answer && method === 'mining.submit') this.events.onLatency?.(ms);
        done(answer, ms);
      },
    });
    this.wire.send({ id, method, params });
    if (this.ready) this.watchPending();
  }

  /** A submit that is never answered means a dead upstream. One timer however many are pending. */
  private watchPending(): void {
    const oldest = this.pending.values().next().value;
    if (this.watch || !oldest) return;
    this.watch = setTimeout(() => {
      this.watch = null;
      const first = this.pending.values().next().value;
      if (first && Date.now() - first.sentAt >= this.limits.submitMs) this.fail('down', 'does not answer');
      else this.watchPending();
    }, Math.max(0, oldest.sentAt + this.limits.submitMs - Date.now()) + 5);
  }

  private fail(kind: UpstreamFailure['kind'], why: string): void {
    this.failure ??= { kind, why };
    this.wire.close(why);
  }

  private onClose(why: string): void {
    clearTimeout(this.handshake);
    if (this.watch) clearTimeout(this.watch);
    this.ready = false;
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const { done } of lost) done(null);
    this.events.onClosed(this.failure ?? { kind: 'down', why });
  }
}
