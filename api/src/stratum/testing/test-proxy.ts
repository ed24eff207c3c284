/** Test helper: a proxy on free ports with a sink in memory, and a raw client that sends and receives lines. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { AlgorithmName } from '@pool/shared/domain';
import pino from 'pino';
import type { AccountDirectory, PoolLists, PoolTarget, Share, ShareSink, WorkerPresence } from '../ports';
import { hashMinerPassword } from '../miner/access/miner-password';
import type { Limits } from '../wire/limits';
import { startStratumProxy, type StratumProxy, type StratumProxyOptions } from '../proxy';
import type { UpstreamTarget } from '../upstream/upstream-target';
import { within } from '../../testing/eventually';

export const silent = pino({ level: 'silent' });

class MemorySink implements ShareSink {
  readonly shares: Share[] = [];
  readonly presences: WorkerPresence[] = [];
  full = false;
  busy = false;
  share(share: Share): boolean {
    if (!this.full) this.shares.push(share);
    return !this.full;
  }
  presence(presence: WorkerPresence): void {
    this.presences.push(presence);
  }
  count(outcome: Share['outcome']): number {
    return this.shares.filter((share) => share.outcome === outcome).length;
  }
}

/** Accounts `alice` (1) and `bob` (2) with the miner password `x`, so that all shares of their miners count. */
const minerPassword = hashMinerPassword('x');
const ACCOUNTS = [
  { name: 'alice', subAccountId: 1, userId: 1, minerPassword },
  { name: 'bob', subAccountId: 2, userId: 2, minerPassword },
];
const twoAccounts: AccountDirectory = {
  find: async (name) => ACCOUNTS.find((account) => account.name === name) ?? null,
  byId: async (id) => ACCOUNTS.find((account) => account.subAccountId === id) ?? null,
  ownWorkers: async () => new Set(),
  closed: async () => [],
  onChange: () => () => undefined,
};

/** Pool lists in memory that report changes. */
export class MemoryLists implements PoolLists {
  down = false;
  private readonly lists = new Map<number, PoolTarget[]>();
  /** Lists as they were last read. */
  private readonly read = new Map<string, PoolTarget[]>();
  private readonly listeners = new Set<(ids: readonly number[]) => void>();
  async find(subAccountId: number, algorithm: AlgorithmName): Promise<PoolTarget[]> {
    if (this.down) throw new Error('down');
    const found = (this.lists.get(subAccountId) ?? []).filter((target) => target.algorithm === algorithm);
    this.read.set(`${subAccountId} ${algorithm}`, found);
    return found;
  }
  known(subAccountId: number, algorithm: AlgorithmName): PoolTarget[] | null {
    return this.read.get(`${subAccountId} ${algorithm}`) ?? null;
  }
  onChange(listener: (ids: readonly number[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  set(subAccountId: number, ...targets: PoolTarget[]): void {
    this.lists.set(subAccountId, targets);
    this.read.clear();
    for (const listener of this.listeners) listener([subAccountId]);
  }
  /** Allows every address. */
  readonly ownPools = {
    lists: this,
    outbound: { resolve: async (address: string) => [{ address, family: 4 as const }] },
  };
}

/** `lists`: pools of users, unless other ones were given. */
export type TestProxy = { proxy: StratumProxy; sink: MemorySink; port: number; lists: MemoryLists };

/** The pace is always too fast, and nothing is looked at in between: miners get the difficulty of their upstream, up to 233. */
const AS_UPSTREAM = { targetSeconds: 1e6, fastestSeconds: 0 };

export async function testProxy(
  targets: readonly UpstreamTarget[],
  options: Omit<Partial<StratumProxyOptions>, 'limits'> & { limits?: Partial<Limits> } = {},
): Promise<TestProxy> {
  const algorithm: AlgorithmName = targets[0]?.algorithm ?? 'SHA256_ASICBOOST';
  const sink = new MemorySink();
  const lists = new MemoryLists();
  const proxy = await startStratumProxy({
    host: '127.0.0.1',
    ports: [{ algorithm, port: 0 }],
    directory: twoAccounts,
    sink,
    upstreams: { [algorithm]: targets },
    ownPools: lists.ownPools,
    log: silent,
    vardiff: AS_UPSTREAM,
    ...options,
    limits: { backoffMs: 20, backoffMaxMs: 100, emptyMs: 0, ...options.limits },
  });
  return { proxy, sink, port: proxy.ports[0]?.port ?? 0, lists };
}

export type Line = {
  id: number | string | null;
  method?: string;
  params?: unknown[];
  result?: unknown;
  error?: [number, string, null] | null;
};

export type ShareChange = Partial<
  Record<'user' | 'extranonce2' | 'ntime' | 'nonce', string> & Record<'job' | 'bits', unknown>
>;
const verdictOf = ({ result, error }: Line): unknown => (result === true ? true : error?.[0]);

const ENDED = 'the connection ended first';

/** A client that sends exactly the given bytes. */
export class RawClient {
  readonly lines: Line[] = [];
  closed = false;
  readonly socket: Socket;
  /** The first worker that it named; its shares are of this one. */
  private user = 'alice.rig';
  private isNamed = false;
  private nextId = 1;
  private nonce = 0;
  private readonly waiting = new Set<() => void>();
  /** Calls without an answer, by id. */
  private readonly calls = new Map<Line['id'], { resolve(answer: Line): void; reject(error: Error): void }>();

  /** `to`: a port of this machine, or an open socket. */
  constructor(to: number | Socket) {
    this.socket = typeof to === 'number' ? connect({ port: to, host: '127.0.0.1' }) : to;
    this.socket.setNoDelay(true);
    this.socket.on('error', () => undefined);
    createInterface({ input: this.socket })
      .on('line', (line) => {
        const message = JSON.parse(line) as Line;
        this.lines.push(message);
        this.calls.get(message.id)?.resolve(message);
        this.calls.delete(message.id);
        this.wake();
      })
      .on('error', () => undefined);
    this.socket.on('close', () => {
      this.closed = true;
      for (const { reject } of this.calls.values()) reject(new Error(ENDED));
      this.wake();
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Resolves with the first received line that fits, past or future. */
  async line(fits: (line: Line) => boolean, what = 'a line'): Promise<Line> {
    await this.until(() => this.closed || this.lines.some(fits), what);
    const found = this.lines.find(fits);
    if (!found) throw new Error(ENDED);
    return found;
  }

  async call(method: string, params: unknown[]): Promise<Line> {
    const id = `t${this.nextId++}`;
    if (this.closed) throw new Error(ENDED);
    const answer = new Promise<Line>((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
    });
    this.send(`${JSON.stringify({ id, method, params })}\n`);
    return within(answer, () => `the answer to ${method}`);
  }

  /** Asks to be authorised; resolves with true or the code of the refusal. */
  async authorise(user: string, password = 'x'): Promise<unknown> {
    if (!this.isNamed) [this.user, this.isNamed] = [user, true];
    return verdictOf(await this.call('mining.authorize', [user, password]));
  }

  /** Parameters of its jobs. */
  get jobs(): unknown[][] {
    return this.lines.flatMap(({ method, params = [] }) => (method === 'mining.notify' ? [params] : []));
  }
  get difficulties(): unknown[] {
    return this.lines.flatMap(({ method, params }) => (method === 'mining.set_difficulty' ? params : [])) as unknown[];
  }
  /** Parameters of the next job after `send`, or of the first one. */
  async job(send?: () => unknown): Promise<unknown[]> {
    const known = send ? this.jobs.length : 0;
    send?.();
    await this.until(() => this.closed || this.jobs.length > known, 'a job');
    const job = this.jobs[known];
    if (!job) throw new Error(ENDED);
    return job;
  }

  /** Parameters of a share; what `change` leaves out is of the last job. */
  share({ user, job, extranonce2, ntime, nonce, bits }: ShareChange = {}): unknown[] {
    return [
      user ?? this.user,
      job ?? this.jobs.at(-1)?.[0],
      extranonce2 ?? '00000001',
      ntime ?? '65000000',
      nonce ?? (this.nonce += 1).toString(16).padStart(8, '0'),
      ...(bits === undefined ? [] : [bits]),
    ];
  }
  /** Sends a share; resolves with true or the code of the refusal. */
  async submit(change?: ShareChange): Promise<unknown> {
    return verdictOf(await this.call('mining.submit', this.share(change)));
  }
  /** Sends so many shares at once; resolves with the different answers. */
  async submitMany(count: number, change?: ShareChange): Promise<unknown[]> {
    return [...new Set(await Promise.all(Array.from({ length: count }, () => this.submit(change))))];
  }

  notification(method: string): Promise<Line> {
    return this.line((line) => line.method === method, method);
  }

  async ended(): Promise<void> {
    await this.until(() => this.closed, 'the end of the connection');
  }
  destroy(): void {
    this.socket.destroy();
  }

  private async until(done: () => boolean, what: string): Promise<void> {
    const said = () => `${what}; the last lines: ${JSON.stringify(this.lines.slice(-3))}`;
    while (!done()) await within(new Promise<void>((resolve) => void this.waiting.add(resolve)), said);
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
