/** One socket to an upstream: what it is asked, what it answers and asks, and which of its lines are dropped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { UpstreamReason } from '@pool/shared/api/contract';
import { type Limits, Rate } from '../wire/limits';
import { type Answer, parseLine, type Request } from '../wire/protocol';
import { Wire } from '../wire/wire';
import { OutboundRefused } from '../../platform/outbound';
import { openSocket, type Outbound, type Place } from './upstream-socket';
import type { UpstreamTarget } from './upstream-target';

/** Stable words for the log; `closed`: by this side. */
export type FailureWord = Exclude<UpstreamReason, 'connected' | 'restored'>;
/** `why`: for people. */
export type UpstreamFailure = { word: FailureWord; why: string };

export type LinkEvents = {
  onOpen(): void;
  onRequest(request: Request): void;
  /** It sent a line that makes no sense. */
  onStray(): void;
  /** Called once, after all unanswered shares were given up. */
  onEnd(failure: UpstreamFailure): void;
};
export type LinkOptions = {
  target: UpstreamTarget;
  place: Place;
  /** Milliseconds to wait before it connects. */
  waitMs: number;
  limits: Limits;
  outbound: Outbound | undefined;
};

/** More lines that make no sense are a flood. */
const STRAYS_PER_SECOND = 10;
/** What a server that speaks HTTP answers with does not begin like this. */
const LIKE_JSON = /^\s*([{[]|null)/;

/** A call without its answer. `end`: no answer comes any more. */
type Call = { sentAt: number; done(answer: Answer, ms: number): void; end?(): void };

export class Link {
  private wire: Wire | null = null;
  private failure: UpstreamFailure | null = null;
  private ended = false;
  /** It answered something. */
  private isStratum = false;
  private readonly dialing = new AbortController();
  private readonly calls = new Map<number, Call>();
  private lastId = 0;
  /** Shares that wait for their answer. */
  unanswered = 0;
  private readonly rate: Rate;
  private readonly strays = new Rate(STRAYS_PER_SECOND);

  constructor(
    private readonly options: LinkOptions,
    private readonly events: LinkEvents,
  ) {
    this.rate = new Rate(options.limits.upstreamLinesPerSecond);
    void this.open();
  }

  send(line: object | string): void {
    this.wire?.send(line);
  }

  /** Without a deadline: `done` is not called when no answer comes. `params`: a list, or its JSON. */
  ask(method: string, params: unknown[] | string, done: (answer: Answer) => void): void {
    this.call(method, params, { sentAt: performance.now(), done });
  }

  /** `done` is called exactly once; with null when no answer comes. `ms`: since the call. */
  submit(params: unknown[], done: (answer: Answer | null, ms: number) => void): void {
    const { submitMs } = this.options.limits;
    const settle = (answer: Answer | null, ms: number): void => {
      clearTimeout(timer);
      this.unanswered -= 1;
      done(answer, ms);
    };
    const timer = setTimeout(() => this.close({ word: 'silent', why: 'does not answer' }), submitMs);
    this.unanswered += 1;
    this.call('mining.submit', params, { sentAt: performance.now(), done: settle, end: () => settle(null, 0) });
  }

  private call(method: string, params: unknown[] | string, call: Call): void {
    const id = ++this.lastId;
    this.calls.set(id, call);
    const list = typeof params === 'string' ? params : JSON.stringify(params);
    this.send(`{"id":${id},"method":"${method}","params":${list}}`);
  }

  /** A message that makes no sense is dropped, as miners do; many are a flood. */
  stray(): void {
    this.events.onStray();
    if (!this.strays.take()) this.close({ word: 'misbehaves', why: 'sends lines that make no sense' });
  }

  close(failure: UpstreamFailure): void {
    if (this.failure) return;
    this.failure = failure;
    this.dialing.abort();
    if (this.wire) this.wire.close(failure.why);
    // Deferred, as a socket does it: the caller of `close` is not called back while it is closing.
    else setImmediate(() => this.end(failure));
  }

  private async open(): Promise<void> {
    const { target, place, waitMs, limits, outbound } = this.options;
    const { signal } = this.dialing;
    try {
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
      const socket = await openSocket(target, place, outbound, signal);
      if (this.failure) return void socket.destroy();
      this.wire = new Wire(socket, {
        maxLine: limits.upstreamLine,
        maxBuffered: limits.buffered,
        onLine: (line) => this.onLine(line),
        onClose: (why, overLimit) => this.end(this.failure ?? { word: overLimit ? 'misbehaves' : 'lost', why }),
      });
      if (target.tls) socket.once('secureConnect', () => this.events.onOpen());
      else this.events.onOpen();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const word = error instanceof OutboundRefused ? 'not_allowed' : 'lost';
      this.close({ word, why: word === 'lost' ? (code ?? message) : message });
    }
  }

  private onLine(line: string): void {
    const message = parseLine(line);
    const call = message?.kind === 'answer' ? this.take(message) : undefined;
    // There are as many answers as shares, which a farm may send a thousand of.
    if (!call && !this.rate.take()) return this.close({ word: 'misbehaves', why: 'floods the proxy' });
    if (!message) {
      if (this.isStratum || LIKE_JSON.test(line)) return this.stray();
      return this.close({ word: 'misbehaves', why: 'speaks something else than Stratum' });
    }
    this.isStratum = true;
    if (message.kind === 'request') this.events.onRequest(message);
    else call?.done(message, performance.now() - call.sentAt);
  }

  private take(answer: Answer): Call | undefined {
    // Some send the number of an id back as a string.
    const id = Number(answer.id);
    const call = this.calls.get(id);
    this.calls.delete(id);
    return call;
  }

  private end(failure: UpstreamFailure): void {
    if (this.ended) return;
    this.ended = true;
    const lost = [...this.calls.values()];
    this.calls.clear();
    for (const call of lost) call.end?.();
    this.events.onEnd(failure);
  }
}
