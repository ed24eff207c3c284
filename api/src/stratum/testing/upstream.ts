/** For tests: an upstream pool whose behaviour is set by options. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createInterface } from 'node:readline';
import type { AlgorithmName } from '@pool/shared/domain';
import type { PoolTarget } from '../ports';
import type { UpstreamTarget } from '../upstream/upstream-target';

/** A difficulty that every hash reaches, also when it is doubled: shares of tests need no work. */
export const EASY = 1e-10;

export type StubOptions = {
  algorithm?: AlgorithmName;
  extranonceSize?: number;
  /** Null refuses version rolling. */
  mask?: string | null;
  authorise?: boolean | ((user: unknown, password: unknown) => boolean);
  /** Accepts connections and sends nothing, not even an answer. */
  mute?: boolean;
  /** False: authorises but sends no job. */
  work?: boolean;
  /** Closes every connection after this many milliseconds. */
  flapMs?: number;
  tls?: { cert: string; key: string };
  difficulty?: number;
  /** What it sends to a miner that was authorised, in this order. */
  greeting?: readonly ('difficulty' | 'job')[];
  /** Sends that before it answers the subscription. */
  early?: boolean;
  /** The authorisation is answered only then. */
  authorised?: Promise<void>;
  /** The id of its answers. */
  idOf?: (id: number) => unknown;
  /** Answer to a submit; undefined: no answer. */
  submit?: (params: unknown[]) => { result: unknown; error: unknown } | undefined;
  name?: string;
};

export class StubUpstream {
  readonly submits: unknown[][] = [];
  /** Every line it received. */
  readonly lines: string[] = [];
  readonly sockets = new Set<Socket>();
  connects = 0;
  suggested: unknown[] = [];
  private server: Server | null = null;
  private port = 0;
  private job = 0;
  private extranonce = 0;

  constructor(readonly options: StubOptions = {}) {}

  get target(): UpstreamTarget {
    const { tls } = this.options;
    return {
      algorithm: this.options.algorithm ?? 'SHA256_ASICBOOST',
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
    this.send({ id: null, method: 'mining.notify', params: job });
  }

  private accept(socket: Socket): void {
    this.connects += 1;
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    const {
      mask = '1fffe000',
      extranonceSize = 8,
      authorise = true,
      difficulty = EASY,
      flapMs,
      greeting = ['difficulty', 'job'],
      early = false,
      authorised,
      idOf = (id) => id,
      submit = () => ({ result: true, error: null }),
    } = this.options;
    const extranonce1 = (0xab000000 + ++this.extranonce).toString(16);
    if (flapMs) setTimeout(() => socket.destroy(), flapMs);
    createInterface({ input: socket })
      .on('error', () => undefined)
      .on('line', async (line) => {
        this.lines.push(line);
        if (this.options.mute) return;
        const { id, method, params } = JSON.parse(line) as { id: number; method: string; params: unknown[] };
        const answer = (result: unknown, error: unknown = null): void => {
          socket.write(`${JSON.stringify({ id: idOf(id), result, error })}\n`);
        };
        const greet = (): void => {
          const first = [`first${this.connects}`, '11'.repeat(32), 'aa01', 'bb02', ['cc'.repeat(32)]];
          const notify = [...first, '20000000', '1702f128', '65000000', false];
          for (const kind of greeting) {
            const [of, told] = kind === 'job' ? ['notify', notify] : ['set_difficulty', [difficulty]];
            socket.write(`${JSON.stringify({ id: null, method: `mining.${of}`, params: told })}\n`);
          }
        };
        if (method === 'mining.configure')
          answer(
            mask === null ? { 'version-rolling': false } : { 'version-rolling': true, 'version-rolling.mask': mask },
          );
        else if (method === 'mining.subscribe') {
          if (early) greet();
          answer([[['mining.notify', '1']], extranonce1, extranonceSize]);
        } else if (method === 'mining.suggest_difficulty') this.suggested.push(params[0]);
        else if (method === 'mining.authorize') {
          if (authorised) await authorised;
          const granted = typeof authorise === 'function' ? authorise(params[0], params[1]) : authorise;
          answer(granted, granted ? null : [24, 'Unknown user', null]);
          if (granted && this.options.work !== false && !early) greet();
        } else if (method === 'mining.submit') {
          this.submits.push(params);
          const verdict = submit(params);
          if (verdict) answer(verdict.result, verdict.error);
        }
      });
  }
}
