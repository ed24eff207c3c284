/** Thousands of miners, each with an address of its own, and an upstream for which every hash is a share. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { StubUpstream } from '../../api/src/stratum/testing/upstream';
import { MinerConnection } from '../../api/src/demo/miner-connection';
import { quantile } from '../bench/figures';

/** `network`: first two numbers of the addresses from which miners connect. `rate`: shares a second, of all. */
export type Load = { host: string; port: number; network: string; accounts: string[]; miners: number; rate: number };

/** A miner that was disconnected comes back after so many seconds, and up to twice as many more. */
const BACK_S = 1;
/** Time after which a connection without work or an answer is given up. */
const PATIENCE_MS = 20_000;

/** What all miners have seen since the last report. Times in milliseconds. */
type Seen = { answers: number[]; lost: number; longestWithoutWork: number };

class SwarmMiner {
  accepted = 0;
  unanswered = 0;
  /** When it lost its work; null while it has some. */
  idleSince: number | null = performance.now();
  readonly user: string;
  private job: string | null = null;
  private socket?: Socket;
  private connection?: MinerConnection;
  private shares = 0;
  private leaves = false;

  constructor(
    private readonly load: Load,
    private readonly n: number,
    private readonly seen: () => Seen,
  ) {
    this.user = `${load.accounts[n % load.accounts.length]}.w${n}`;
  }

  connect(): void {
    const { host, port, network } = this.load;
    // Different networks, as limits are by network too.
    const localAddress = `${network}.${64 + (this.n % 64)}.${1 + ((this.n >> 6) % 250)}`;
    const socket = connect({ host, port, localAddress });
    this.socket = socket.setTimeout(PATIENCE_MS, () => {
      if (this.job === null || this.waits) socket.destroy();
    });
    let moves = false;
    const connection = new MinerConnection(socket, {
      message: (method, [job]) => {
        if (method === 'mining.notify' && !moves) this.begin(String(job));
        // The pool asks it to connect anew.
        if (method !== 'client.reconnect') return;
        moves = true;
        this.pause();
        connection.endAfterAnswers();
      },
      closed: () => {
        this.seen().lost += 1;
        this.pause();
        if (!this.leaves) setTimeout(() => this.connect(), 1000 * BACK_S * (1 + 2 * Math.random()));
      },
    });
    this.connection = connection;
    socket.on('connect', () => void connection.greet({ software: 'swarm', user: this.user }));
  }

  get waits(): boolean {
    return (this.connection?.unanswered ?? 0) > 0;
  }

  async submit(): Promise<void> {
    if (this.job === null) return;
    this.shares += 1;
    const at = performance.now();
    const nonce = (this.shares * 8192 + this.n).toString(16).padStart(8, '0').slice(-8);
    const answer = await this.connection?.call('mining.submit', [this.user, this.job, '00000001', '65000000', nonce]);
    if (!answer) this.unanswered += 1;
    else this.seen().answers.push(performance.now() - at);
    if (answer?.result === true) this.accepted += 1;
  }

  leave(): void {
    this.leaves = true;
    this.socket?.destroy();
  }

  private begin(job: string): void {
    this.job = job;
    const idle = performance.now() - (this.idleSince ?? Infinity);
    this.seen().longestWithoutWork = Math.max(this.seen().longestWithoutWork, idle);
    this.idleSince = null;
  }

  private pause(): void {
    this.job = null;
    this.idleSince ??= performance.now();
  }
}

const nothingSeen = (): Seen => ({ answers: [], lost: 0, longestWithoutWork: 0 });

export class Swarm {
  private miners: SwarmMiner[] = [];
  private seen = nothingSeen();
  private readonly timers: NodeJS.Timeout[] = [];

  private constructor(private readonly door: Server) {}

  /** The upstream's port on every address of this machine. */
  get upstreamPort(): number {
    return (this.door.address() as AddressInfo).port;
  }

  static async open(): Promise<Swarm> {
    const pool = await new StubUpstream().start();
    // Containers reach this machine at the network's gateway.
    const door = createServer((from) => {
      const to = connect(pool.target.port, '127.0.0.1');
      from.on('error', () => to.destroy()).pipe(to);
      to.on('error', () => from.destroy()).pipe(from);
    }).listen(0, '0.0.0.0');
    await once(door, 'listening');
    const swarm = new Swarm(door);
    // It would keep all that it was sent.
    swarm.timers.push(setInterval(() => (pool.lines.length = pool.submits.length = 0), 1000));
    return swarm;
  }

  start(load: Load): void {
    this.miners = Array.from({ length: load.miners }, (_, n) => new SwarmMiner(load, n, () => this.seen));
    for (const [n, miner] of this.miners.entries()) setTimeout(() => miner.connect(), n * 4);
    const everyMs = 20;
    let [next, due] = [0, 0];
    const mine = (): void => {
      for (due += (load.rate * everyMs) / 1000; due >= 1; due -= 1) void this.miners[next++ % load.miners]?.submit();
    };
    this.timers.push(setInterval(mine, everyMs));
  }

  /** What was seen since the last report. Miners that are without work still count for the longest time. */
  report(): { lost: number; longestWithoutWork: number; withoutWork: number; p99: number } {
    const { answers, lost, longestWithoutWork } = this.seen;
    this.seen = nothingSeen();
    const idle = this.miners.flatMap(({ idleSince }) => (idleSince === null ? [] : performance.now() - idleSince));
    return {
      lost,
      longestWithoutWork: Math.max(longestWithoutWork, ...idle),
      withoutWork: idle.length,
      p99: quantile(answers, 0.99) || 0,
    };
  }

  async finish(): Promise<readonly SwarmMiner[]> {
    this.end();
    const end = performance.now() + PATIENCE_MS;
    while (this.miners.some(({ waits }) => waits) && performance.now() < end) await wait(100);
    for (const miner of this.miners) miner.leave();
    await wait(500);
    return this.miners;
  }

  end(): void {
    for (const timer of this.timers) clearInterval(timer);
  }
}
