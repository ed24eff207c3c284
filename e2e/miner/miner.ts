/** An independent Stratum miner: real proofs of work, version rolling, one share at a time. */
import { connect, type Socket } from 'node:net';
import { MinerConnection } from '../../api/src/demo/miner-connection';
import {
  type Algorithm,
  hashHeader,
  hashNumber,
  headerOf,
  HASHES_PER_DIFFICULTY,
  type Job,
  jobOf,
  rolledBits,
} from './work';

export type MinerOptions = {
  host: string;
  port: number;
  user: string;
  algorithm: Algorithm;
  /** Hashes a second; it pauses in between. */
  hashrate?: number;
  /** Target of shares a second: the miner suggests a difficulty for it. Without it the pool decides. */
  rate?: number;
};

const DEFAULT_HASHRATE: Record<Algorithm, number> = { sha256: 100_000, scrypt: 400 };
const TURN_MS = 20;
/** Hashes with the same version bits. */
const HASHES_A_VERSION = 512;
const WANTED_MASK = '1fffe000';
const RECONNECT_MS = 250;

export class Miner {
  hashes = 0;
  accepted = 0;
  rejected = 0;
  disconnects = 0;
  /** Times the pool asked it to. */
  reconnects = 0;
  /** Shares without an answer because the connection ended. */
  unanswered = 0;
  private difficulty = 1;
  private job: Job | null = null;
  private readonly hashrate: number;
  private socket: Socket | null = null;
  private connection: MinerConnection | null = null;
  private extranonce2 = Math.floor(Math.random() * 65_536);
  private header: Buffer = Buffer.alloc(80);
  private nonce = Math.floor(Math.random() * 2 ** 32);
  private versionStep = 0;
  private readonly submits = new Set<Promise<void>>();
  private turn: NodeJS.Timeout | null = null;
  private lastTurn = 0;
  private stopped = false;

  constructor(private readonly options: MinerOptions) {
    this.hashrate = options.hashrate ?? DEFAULT_HASHRATE[options.algorithm];
  }

  start(): this {
    this.connect();
    this.lastTurn = Date.now();
    this.turn = setInterval(() => this.mine(), TURN_MS);
    return this;
  }

  stop(): void {
    this.stopped = true;
    if (this.turn) clearInterval(this.turn);
    this.socket?.destroy();
  }

  /** Stops mining, waits for the answers to the shares it has sent, and disconnects. */
  async finish(): Promise<void> {
    if (this.turn) clearInterval(this.turn);
    await Promise.all(this.submits);
    this.stop();
  }

  get mask(): number {
    return this.connection?.mask ?? 0;
  }

  private connect(): void {
    const { host, port } = this.options;
    const socket = connect({ host, port });
    this.socket = socket;
    const closed = (): void => {
      this.job = null;
      if (this.stopped) return;
      this.disconnects += 1;
      setTimeout(() => {
        if (!this.stopped) this.connect();
      }, RECONNECT_MS);
    };
    const message = (method: string, params: unknown[]): void => this.onMessage(method, params);
    this.connection = new MinerConnection(socket, { message, closed });
    socket.on('connect', () => void this.greet());
  }

  private async greet(): Promise<void> {
    const { algorithm, user, rate } = this.options;
    await this.connection?.greet({
      software: 'e2e-miner/1.0',
      user,
      mask: algorithm === 'sha256' ? WANTED_MASK : undefined,
      difficulty: rate ? this.hashrate / rate / HASHES_PER_DIFFICULTY[algorithm] : undefined,
    });
  }

  private onMessage(method: string, params: unknown[]): void {
    if (method === 'mining.set_difficulty') this.difficulty = Number(params[0]);
    else if (method === 'client.reconnect') this.move();
    else if (method === 'mining.notify') this.takeJob(jobOf(params, this.options.algorithm, this.difficulty));
  }

  private move(): void {
    this.reconnects += 1;
    this.connection?.endAfterAnswers();
  }

  private takeJob(job: Job): void {
    if (!this.connection) return;
    this.job = job;
    this.extranonce2 += 1;
    this.header = headerOf(job, this.connection.extranonce1, this.extranonce2Bytes());
    this.rollVersion(job);
  }

  private extranonce2Bytes(): Buffer {
    const size = this.connection?.extranonce2Size ?? 4;
    const used = Math.min(4, size);
    const bytes = Buffer.alloc(size);
    bytes.writeUIntBE(this.extranonce2 % 2 ** (8 * used), size - used, used);
    return bytes;
  }

  private rollVersion({ version }: Job): void {
    this.versionStep += 1;
    const bits = rolledBits(this.mask, this.versionStep);
    this.header.writeUInt32LE(((version & ~this.mask) | bits) >>> 0, 0);
  }

  private mine(): void {
    const now = Date.now();
    // A late turn catches up at most a quarter second.
    const seconds = Math.min(0.25, (now - this.lastTurn) / 1000);
    const count = Math.floor(this.hashrate * seconds);
    if (count === 0) return;
    this.lastTurn = now;
    const { job } = this;
    if (!job) return;
    const hash = hashHeader[this.options.algorithm];
    for (let done = 0; done < count && this.job === job; done += 1) {
      this.nonce = (this.nonce + 1) >>> 0;
      if (this.nonce % HASHES_A_VERSION === 0) this.rollVersion(job);
      this.header.writeUInt32LE(this.nonce, 76);
      this.hashes += 1;
      const digest = hash(this.header);
      // Most hashes are far too large: compare the top bytes before converting to a number.
      if (digest[31] && job.difficulty > 1e-6 && this.options.algorithm === 'sha256') continue;
      if (hashNumber(digest) > job.target) continue;
      const submit = this.submit(job).finally(() => this.submits.delete(submit));
      this.submits.add(submit);
    }
  }

  private async submit(job: Job): Promise<void> {
    const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
    const params = [
      this.options.user,
      job.id,
      this.extranonce2Bytes().toString('hex'),
      hex(this.header.readUInt32LE(68)),
      hex(this.nonce),
    ];
    if (this.mask) params.push(hex(this.header.readUInt32LE(0) & this.mask));
    const answer = await this.connection?.call('mining.submit', params);
    if (!answer) this.unanswered += 1;
    else if (answer.result === true) this.accepted += 1;
    else this.rejected += 1;
  }
}
