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

/** `answer` null: it does not come. `ms`: since the call. */
type Done = (answer: Answer | null, ms: number) => void;

/** Shares that wait for an upstream's answer. One timer for all of them: nothing else has a deadline. */
class Calls {
  private lastId = 0;
  private readonly pending = new Map<number, { sentAt: number; done: Done }>();
  private timer: NodeJS.Timeout | null = null;

  /** `silent`: a call had no answer for `limitMs`. */
  constructor(
    private readonly limitMs: number,
    private readonly silent: () => void,
  ) {}

  get size(): number {
    return this.pending.size;
  }

  newId(): number {
    return ++this.lastId;
  }

  /** Returns the id to call with. */
  add(done: Done): number {
    const id = this.newId();
    this.pending.set(id, { sentAt: performance.now(), done });
    this.watch();
    return id;
  }

  /** What an answer is given to, once; undefined: nobody waits for it. */
  take(id: number): ((answer: Answer) => void) | undefined {
    const call = this.pending.get(id);
    this.pending.delete(id);
    return call && ((answer) => call.done(answer, performance.now() - call.sentAt));
  }

  private watch(): void {
    const { value: oldest } = this.pending.values().next();
    if (this.timer || !oldest) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        const { value: first } = this.pending.values().next();
        if (first && performance.now() - first.sentAt >= this.limitMs) this.silent();
        else this.watch();
      },
      Math.max(0, oldest.sentAt + this.limitMs - performance.now()) + 5,
    );
  }

  /** No answer comes any more. */
  end(): void {
    if (this.timer) clearTimeout(this.timer);
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const { done, sentAt } of lost) done(null, performance.now() - sentAt);
  }
}

export class Link {
  private wire: Wire | null = null;
  private failure: UpstreamFailure | null = null;
  private ended = false;
  /** It answered something. */
  private isStratum = false;
  private readonly dialing = new AbortController();
  private readonly shares: Calls;
  private readonly asked = new Map<number, (answer: Answer) => void>();
  private readonly rate: Rate;
  private readonly strays = new Rate(STRAYS_PER_SECOND);

  constructor(
    private readonly options: LinkOptions,
    private readonly events: LinkEvents,
  ) {
    const { limits } = options;
    this.shares = new Calls(limits.submitMs, () => this.close({ word: 'silent', why: 'does not answer' }));
    this.rate = new Rate(limits.upstreamLinesPerSecond);
    void this.open();
  }

  get unanswered(): number {
    return this.shares.size;
  }

  send(line: object | string): void {
    this.wire?.send(line);
  }

  /** Without a deadline: `done` is not called when no answer comes. `params`: a list, or its JSON. */
  ask(method: string, params: unknown[] | string, done: (answer: Answer) => void): void {
    const id = this.shares.newId();
    this.asked.set(id, done);
    const list = typeof params === 'string' ? params : JSON.stringify(params);
    this.send(`{"id":${id},"method":"${method}","params":${list}}`);
  }

  /** `done` is called exactly once; with null when no answer comes. */
  submit(params: unknown[], done: (answer: Answer | null, ms: number) => void): void {
    this.send({ id: this.shares.add(done), method: 'mining.submit', params });
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
    const done = message?.kind === 'answer' ? this.take(message) : undefined;
    // There are as many answers as shares, which a farm may send a thousand of.
    if (!done && !this.rate.take()) return this.close({ word: 'misbehaves', why: 'floods the proxy' });
    if (!message) {
      if (this.isStratum || LIKE_JSON.test(line)) return this.stray();
      return this.close({ word: 'misbehaves', why: 'speaks something else than Stratum' });
    }
    this.isStratum = true;
    if (message.kind === 'request') this.events.onRequest(message);
    else done?.(message);
  }

  private take(answer: Answer): ((answer: Answer) => void) | undefined {
    // Some send the number of an id back as a string.
    const id = Number(answer.id);
    const done = this.asked.get(id) ?? this.shares.take(id);
    this.asked.delete(id);
    return done;
  }

  private end(failure: UpstreamFailure): void {
    if (this.ended) return;
    this.ended = true;
    this.shares.end();
    this.events.onEnd(failure);
  }
}
