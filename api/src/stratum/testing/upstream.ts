/** Test helper: an upstream pool whose behaviour is set by options. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createInterface } from 'node:readline';
import type { PoolTarget } from '../ports';
import type { UpstreamTarget } from '../upstream/upstream-target';

/** A difficulty that every hash reaches, also when it is doubled: shares of tests need no work. */
export const EASY = 1e-10;

export type StubOptions = {
  extranonceSize?: number;
  /** Null refuses version rolling. */
  mask?: string | null;
  /** Calls that it does not know, and what it does then. */
  unknown?: Readonly<Record<string, 'silent' | 'refuses' | 'closes' | 'closes later'>>;
  /** Calls without which it ends a connection that has work. */
  needs?: string;
  /** Sets the difficulty that it is asked for; before the authorisation, or where it has it already, without a word. */
  takesSuggestions?: boolean;
  /** Answer to an authorisation, instead of true. */
  granted?: object;
  /** What it does with a second name on a connection; left out: takes it. */
  names?: 'refuses' | 'closes' | 'mismatch';
  authorise?: boolean | ((user: unknown, password: unknown) => boolean);
  /** Accepts connections and sends nothing, not even an answer. */
  mute?: boolean;
  /** Closes every connection after this many milliseconds. */
  flapMs?: number;
  tls?: { cert: string; key: string };
  difficulty?: number;
  /** What it sends to a miner first, in this order. */
  greeting?: readonly ('difficulty' | 'job' | 'message')[];
  /** When: before or after its answer to the subscription, or after that to the authorisation. */
  greets?: 'early' | 'subscribed' | 'authorised';
  /** The authorisation is answered only then. */
  authorised?: Promise<void>;
  /** The id of its answers. */
  idOf?: (id: number) => unknown;
  /** Answer to a submit; undefined: no answer. */
  submit?: (params: unknown[], extranonce1: string) => { result: unknown; error: unknown } | undefined;
  name?: string;
};

export class StubUpstream {
  readonly submits: unknown[][] = [];
  /** The parameters of its jobs, by their ids. */
  readonly jobs = new Map<unknown, unknown[]>();
  /** Every line it received. */
  readonly lines: string[] = [];
  readonly sockets = new Set<Socket>();
  connects = 0;
  suggested: unknown[] = [];
  onConnect: () => void = () => undefined;
  private server: Server | null = null;
  private port = 0;
  private job = 0;
  private extranonce = 0;

  constructor(readonly options: StubOptions = {}) {}

  /** Drops its records, which a test would take for growth of memory. */
  forget(): void {
    for (const kept of [this.lines, this.submits, this.suggested]) kept.length = 0;
    this.jobs.clear();
  }

  get target(): UpstreamTarget {
    const { tls } = this.options;
    return {
      algorithm: 'SHA256_ASICBOOST',
      name: this.options.name ?? 'Stub',
      url: `stratum+${tls ? 'ssl' : 'tcp'}://127.0.0.1:${this.port}`,
      host: '127.0.0.1',
      port: this.port,
      tls: Boolean(tls),
      user: 'pool',
      password: 'x',
    };
  }

  /** The target as a pool of a sub-account's own list. */
  own(id: number, change: Partial<PoolTarget> = {}): PoolTarget {
    return { ...this.target, id, ...change };
  }

  /** Listens; again on the same port after `kill`. */
  async start(): Promise<this> {
    const { tls } = this.options;
    const server = tls
      ? createTlsServer(tls, (socket) => this.accept(socket)).on('tlsClientError', () => undefined)
      : createServer((socket) => this.accept(socket));
    this.server = server;
    await new Promise<void>((resolve) => {
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Ends at once with all connections. */
  async kill(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = null;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    this.drop();
    await closed;
  }

  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  send(message: object | string): void {
    const line = typeof message === 'string' ? message : JSON.stringify(message);
    for (const socket of this.sockets) socket.write(`${line}\n`);
  }

  notify(clean = true, params: Partial<Record<number, unknown>> = {}): void {
    const job = [
      `up${++this.job}`,
      '11'.repeat(32),
      'aa01',
      'bb02',
      // Other transactions make other work.
      [this.job.toString(16).padStart(64, '0')],
      '20000000',
      '1702f128',
      '65000000',
      clean,
    ].map((p, i) => params[i] ?? p);
    this.jobs.set(job[0], job);
    this.send({ id: null, method: 'mining.notify', params: job });
  }

  private accept(socket: Socket): void {
    this.connects += 1;
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    const {
      mask = '1fffe000',
      extranonceSize = 8,
      authorise = true,
      difficulty = EASY,
      flapMs,
      greeting = ['difficulty', 'job'],
      greets = 'authorised',
      authorised,
      idOf = (id) => id,
      submit = () => ({ result: true, error: null }),
    } = this.options;
    const asked = new Set<string>();
    const { names } = this.options;
    let first: unknown;
    const extranonce1 = (0xab000000 + ++this.extranonce).toString(16);
    this.onConnect();
    if (flapMs) setTimeout(() => socket.destroy(), flapMs);
    createInterface({ input: socket })
      .on('error', () => undefined)
      .on('line', async (line) => {
        this.lines.push(line);
        if (this.options.mute) return;
        const { id, method, params } = JSON.parse(line) as { id: number; method: string; params: unknown[] };
        asked.add(method);
        const answer = (result: unknown, error: unknown = null): void => {
          socket.write(`${JSON.stringify({ id: idOf(id), result, error })}\n`);
        };
        const greet = (): void => {
          const first = [`first${this.connects}`, '11'.repeat(32), 'aa01', 'bb02', ['cc'.repeat(32)]];
          const notify = [...first, '20000000', '1702f128', '65000000', false];
          this.jobs.set(notify[0], notify);
          const lines = {
            difficulty: { method: 'mining.set_difficulty', params: [difficulty] },
            job: { method: 'mining.notify', params: notify },
            message: { method: 'client.show_message', params: ['Welcome'] },
          };
          for (const kind of greeting) socket.write(`${JSON.stringify({ id: null, ...lines[kind] })}\n`);
        };
        const unknown = this.options.unknown?.[method];
        if (unknown) {
          if (unknown === 'refuses') answer(null, [-3, 'Method not found', null]);
          if (unknown === 'closes') socket.destroy();
          if (unknown === 'closes later') setTimeout(() => socket.destroy(), 100);
        } else if (method === 'mining.configure')
          answer(
            mask === null ? { 'version-rolling': false } : { 'version-rolling': true, 'version-rolling.mask': mask },
          );
        else if (method === 'mining.subscribe') {
          if (greets === 'early') greet();
          answer([[['mining.notify', '1']], extranonce1, extranonceSize]);
          if (greets === 'subscribed') greet();
        } else if (method === 'mining.suggest_difficulty') {
          const isNew = this.suggested.at(-1) !== params[0];
          this.suggested.push(params[0]);
          if (this.options.takesSuggestions && isNew && asked.has('mining.authorize'))
            socket.write(`${JSON.stringify({ id: null, method: 'mining.set_difficulty', params })}\n`);
        } else if (method === 'mining.authorize') {
          if (authorised) await authorised;
          const isSecond = first !== undefined && names !== undefined;
          if (isSecond && names === 'closes') return void socket.destroy();
          const isKnown = typeof authorise === 'function' ? authorise(params[0], params[1]) : authorise;
          const granted = isKnown && !(isSecond && names === 'refuses');
          if (granted) first ??= params[0];
          if (this.options.granted) socket.write(`${JSON.stringify({ id: idOf(id), ...this.options.granted })}\n`);
          else answer(granted, granted ? null : [24, 'Unknown user', null]);
          if (granted && params[0] === first && greets === 'authorised') greet();
          const { needs } = this.options;
          if (needs !== undefined && !asked.has(needs)) setTimeout(() => socket.destroy(), 100);
        } else if (method === 'mining.submit') {
          this.submits.push(params);
          const isOther = names === 'mismatch' && params[0] !== first;
          if (isOther) return answer(null, [20, 'Worker mismatch', null]);
          const verdict = submit(params, extranonce1);
          if (verdict) answer(verdict.result, verdict.error);
        }
      });
  }
}
