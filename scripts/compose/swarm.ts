/**
 * Thousands of miners in a process of their own, with the upstream whose work they do: its difficulty is so low that
 * every hash is a share. Each has an address of its own, and comes back some seconds after it was disconnected.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { StubUpstream } from '../../api/src/stratum/testing/upstream';
import { MinerConnection } from '../../api/src/stratum/wire/miner-connection';

/** `network`: first two numbers of the addresses from which miners connect. */
export type Load = { host: string; port: number; network: string; accounts: string[]; miners: number; rate: number };
type Told = { accepted: number; refused: number; unanswered: number };
export type Report = {
  /** Shares by `account.worker`. */
  miners: Record<string, Told>;
  /** Answers since the last report, milliseconds. */
  answers: number;
  p50: number;
  p99: number;
  /** Connections lost since the last report, and the longest any miner was without work then, or is. */
  lost: number;
  longestWithoutWork: number;
  withoutWork: number;
  /** Shares refused since the last report, by what was said. */
  refused: Record<string, number>;
};
type Ask = { load: Load } | { ask: 'report' | 'finish' };

/** Seconds after which one that was disconnected comes back, at least and at most. */
const BACK = [0.5, 3] as const;
/** How long it tries to connect, and waits for an answer, before it gives the connection up. */
const PATIENCE_MS = 20_000;

class SwarmMiner {
  readonly told: Told = { accepted: 0, refused: 0, unanswered: 0 };
  /** When it lost its work; null while it has some. */
  idleSince: number | null = performance.now();
  private job: string | null = null;
  private socket: Socket | null = null;
  private connection: MinerConnection | null = null;
  private shares = 0;
  private leaves = false;
  /** The pool asked it to connect anew. */
  private moves = false;

  constructor(
    private readonly load: Load,
    private readonly n: number,
    private readonly seen: {
      answer(ms: number): void;
      lost(): void;
      back(ms: number): void;
      refused(why: string): void;
    },
  ) {}

  get user(): string {
    const { accounts } = this.load;
    return `${accounts[this.n % accounts.length]}.w${this.n}`;
  }

  connect(): void {
    const { host, port, network } = this.load;
    const { n } = this;
    // Different networks, as limits are by network too.
    const localAddress = `${network}.${64 + (n % 64)}.${1 + ((n >> 6) % 250)}`;
    const socket = connect({ host, port, localAddress, noDelay: true });
    this.socket = socket;
    socket.setTimeout(PATIENCE_MS, () => {
      if (this.job === null || this.unanswered > 0) socket.destroy();
    });
    const message = (method: string, params: unknown[]): void => this.hear(method, params);
    const closed = (): void => {
      this.seen.lost();
      this.job = null;
      this.moves = false;
      this.idleSince ??= performance.now();
      if (!this.leaves) setTimeout(() => this.connect(), 1000 * (BACK[0] + Math.random() * (BACK[1] - BACK[0])));
    };
    const connection = new MinerConnection(socket, { message, closed });
    this.connection = connection;
    socket.on('connect', () => void connection.greet({ software: 'swarm', user: this.user }));
  }

  /** Number of calls without an answer. */
  get unanswered(): number {
    return this.connection?.unanswered ?? 0;
  }

  submit(): void {
    if (this.job === null) return;
    this.shares += 1;
    const at = performance.now();
    const nonce = (this.shares * 8192 + this.n).toString(16).padStart(8, '0').slice(-8);
    void this.connection?.call('mining.submit', [this.user, this.job, '00000001', '65000000', nonce]).then((answer) => {
      if (!answer) {
        this.told.unanswered += 1;
        return;
      }
      const accepted = answer.result === true;
      this.seen.answer(performance.now() - at);
      this.told[accepted ? 'accepted' : 'refused'] += 1;
      if (!accepted) this.seen.refused(JSON.stringify(answer.error));
    });
  }

  leave(): void {
    this.leaves = true;
    this.socket?.destroy();
  }

  private hear(method: string, params: unknown[]): void {
    if (method === 'mining.notify') {
      if (this.leaves || this.moves) return;
      this.job = String(params[0]);
      if (this.idleSince !== null) this.seen.back(performance.now() - this.idleSince);
      this.idleSince = null;
    } else if (method === 'client.reconnect') {
      this.moves = true;
      this.job = null;
      this.idleSince ??= performance.now();
      this.connection?.endAfterAnswers();
    }
  }
}

async function mine(): Promise<void> {
  const pool = await new StubUpstream().start();
  // Containers reach this machine at the network's gateway.
  const door = createServer((from) => {
    const to = connect(pool.target.port, '127.0.0.1');
    from.on('error', () => to.destroy()).pipe(to);
    to.on('error', () => from.destroy()).pipe(from);
  }).listen(0, '0.0.0.0');
  await once(door, 'listening');
  // It would keep all that it was sent.
  setInterval(() => {
    pool.lines.length = 0;
    pool.submits.length = 0;
  }, 1000);
  process.send?.((door.address() as AddressInfo).port);
  const [{ load }] = (await once(process, 'message')) as [{ load: Load }];
  let answers: number[] = [];
  let lost = 0;
  let longest = 0;
  let refused: Report['refused'] = {};
  const seen = {
    answer: (ms: number) => answers.push(ms),
    lost: () => (lost += 1),
    back: (ms: number) => (longest = Math.max(longest, ms)),
    refused: (why: string) => (refused[why] = (refused[why] ?? 0) + 1),
  };
  const miners = Array.from({ length: load.miners }, (_, n) => new SwarmMiner(load, n, seen));
  for (const [n, miner] of miners.entries()) setTimeout(() => miner.connect(), n * 4);
  let next = 0;
  let due = 0;
  let last = performance.now();
  const mining = setInterval(() => {
    const now = performance.now();
    due = Math.min(due + ((now - last) / 1000) * load.rate, load.miners);
    last = now;
    for (; due >= 1; due -= 1) miners[next++ % load.miners]?.submit();
  }, 20);
  process.on('message', async (asked: Ask) => {
    if (!('ask' in asked)) return;
    if (asked.ask === 'finish') {
      clearInterval(mining);
      const end = performance.now() + PATIENCE_MS;
      while (miners.some(({ unanswered }) => unanswered > 0) && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 100));
      for (const miner of miners) miner.leave();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const now = performance.now();
    const idle = miners.flatMap(({ idleSince }) => (idleSince === null ? [] : [now - idleSince]));
    const sorted = answers.sort((a, b) => a - b);
    const at = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? 0;
    process.send?.({
      miners: Object.fromEntries(miners.map(({ user, told }) => [user, told])),
      answers: sorted.length,
      p50: at(0.5),
      p99: at(0.99),
      lost,
      longestWithoutWork: idle.reduce((most, each) => Math.max(most, each), longest),
      withoutWork: idle.length,
      refused,
    } satisfies Report);
    answers = [];
    refused = {};
    lost = 0;
    longest = 0;
  });
}

/** `start`: connects them; `report`: since the last one; `finish`: waits for their answers and disconnects them. */
export class Swarm {
  private constructor(
    private readonly child: ChildProcess,
    /** The upstream's port on every address of this machine. */
    readonly upstreamPort: number,
  ) {}

  static async open(): Promise<Swarm> {
    const child = fork(fileURLToPath(import.meta.url), [], { execArgv: ['--import', 'tsx'] });
    return new Swarm(child, ((await once(child, 'message')) as [number])[0]);
  }
  start(load: Load): void {
    this.child.send({ load } satisfies Ask);
  }
  report = (): Promise<Report> => this.asked('report');
  finish = (): Promise<Report> => this.asked('finish');
  end(): void {
    this.child.kill('SIGKILL');
  }

  private async asked(ask: 'report' | 'finish'): Promise<Report> {
    this.child.send({ ask } satisfies Ask);
    return ((await once(this.child, 'message')) as [Report])[0];
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) void mine();
