/** An independent Stratum miner over TCP or TLS: real proofs of work, version rolling, one share at a time. */
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { type Answer, MinerConnection } from '../../api/src/stratum/wire/miner-connection';
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
  password?: string;
  algorithm: Algorithm;
  /** Hashes a second; it pauses in between. */
  hashrate?: number;
  /** Target of shares a second: the miner suggests a difficulty for it. Without it the pool decides. */
  rate?: number;
  /** Seconds of a scan it finishes before it takes new work, except of a new block. Without it: takes work at once. */
  scan?: number;
  /** Requests version rolling (sha256). */
  versionRolling?: boolean;
  software?: string;
  /** Uses TLS with these options (a certificate to trust, the expected name). */
  tls?: ConnectionOptions;
};

/** The pool's answer to one share. */
type Verdict = {
  at: number;
  accepted: boolean;
  difficulty: number;
  job: string;
  nonce: string;
  error?: unknown;
};
export type MinerEvents = {
  connected: [];
  /** The name was accepted, or not. */
  authorised: [boolean];
  job: [Job];
  verdict: [Verdict];
  disconnected: [];
  /** Any other message of the pool. */
  message: [method: string, params: unknown[]];
};

const DEFAULT_HASHRATE: Record<Algorithm, number> = { sha256: 100_000, scrypt: 400 };
const TURN_MS = 20;
/** Hashes with the same version bits. */
const HASHES_A_VERSION = 512;
const WANTED_MASK = '1fffe000';
const RECONNECT_MS = 250;

export class Miner extends EventEmitter<MinerEvents> {
  hashes = 0;
  accepted = 0;
  rejected = 0;
  disconnects = 0;
  /** Times the pool asked it to. */
  reconnects = 0;
  /** Shares without an answer because the connection ended. */
  unanswered = 0;
  /** Sum of the difficulties of unanswered shares. */
  unansweredWork = 0;
  /** Sum of the difficulties of accepted shares. */
  work = 0;
  difficulty = 1;
  job: Job | null = null;
  private readonly options: Required<Omit<MinerOptions, 'rate' | 'tls'>> & {
    rate: number | null;
    tls?: ConnectionOptions;
  };
  private socket: Socket | null = null;
  private connection: MinerConnection | null = null;
  private extranonce2 = Math.floor(Math.random() * 65_536);
  private header: Buffer = Buffer.alloc(80);
  private nonce = Math.floor(Math.random() * 2 ** 32);
  private versionStep = 0;
  private readonly submits = new Set<Promise<void>>();
  private turn: NodeJS.Timeout | null = null;
  /** Work that waits for the end of the scan, and when that is. */
  private nextJob: Job | null = null;
  private scanEnd = 0;
  private lastTurn = 0;
  private stopped = false;

  constructor(options: MinerOptions) {
    super();
    this.options = {
      password: 'x',
      hashrate: DEFAULT_HASHRATE[options.algorithm],
      versionRolling: options.algorithm === 'sha256',
      software: 'e2e-miner/1.0',
      rate: null,
      scan: 0,
      ...options,
    };
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

  /** Sends any call; resolves with its answer, null when the connection ended first. */
  async call(method: string, params: unknown[]): Promise<Answer | null> {
    return this.connection?.call(method, params) ?? null;
  }
  get mask(): number {
    return this.connection?.mask ?? 0;
  }

  private connect(): void {
    const { host, port, tls } = this.options;
    const socket = tls ? connectTls({ ...tls, host, port }) : connect({ host, port });
    this.socket = socket;
    const closed = (): void => {
      this.job = null;
      this.nextJob = null;
      if (this.stopped) return;
      this.disconnects += 1;
      this.emit('disconnected');
      setTimeout(() => {
        if (!this.stopped) this.connect();
      }, RECONNECT_MS);
    };
    const message = (method: string, params: unknown[]): void => this.onMessage(method, params);
    this.connection = new MinerConnection(socket, { message, closed });
    socket.on(tls ? 'secureConnect' : 'connect', () => void this.greet());
  }

  private async greet(): Promise<void> {
    const { algorithm, versionRolling, software, user, password, rate, hashrate } = this.options;
    this.emit('connected');
    const authorised = await this.connection?.greet({
      software,
      user,
      password,
      mask: versionRolling ? WANTED_MASK : undefined,
      difficulty: rate ? hashrate / rate / HASHES_PER_DIFFICULTY[algorithm] : undefined,
    });
    if (typeof authorised === 'boolean') this.emit('authorised', authorised);
  }

  private onMessage(method: string, params: unknown[]): void {
    if (method === 'mining.set_difficulty') this.difficulty = Number(params[0]);
    else if (method === 'client.reconnect') {
      this.reconnects += 1;
      this.connection?.endAfterAnswers();
    } else if (method === 'mining.notify') {
      this.nextJob = jobOf(params, this.options.algorithm, this.difficulty);
      if (!this.job || params[8] === true || this.options.scan === 0) this.takeJob();
      return;
    }
    this.emit('message', method, params);
  }

  private takeJob(): void {
    this.scanEnd = Date.now() + this.options.scan * 1000;
    if (!this.nextJob) return;
    this.job = this.nextJob;
    this.nextJob = null;
    this.rollExtranonce();
    this.emit('job', this.job);
  }

  private rollExtranonce(): void {
    if (!this.job || !this.connection) return;
    this.extranonce2 += 1;
    this.header = headerOf(this.job, this.connection.extranonce1, this.extranonce2Bytes());
    this.rollVersion();
  }

  private extranonce2Bytes(): Buffer {
    const size = this.connection?.extranonce2Size ?? 4;
    const used = Math.min(4, size);
    const bytes = Buffer.alloc(size);
    bytes.writeUIntBE(this.extranonce2 % 2 ** (8 * used), size - used, used);
    return bytes;
  }

  private rollVersion(): void {
    if (!this.job) return;
    this.versionStep += 1;
    const bits = rolledBits(this.mask, this.versionStep);
    this.header.writeUInt32LE(((this.job.version & ~this.mask) | bits) >>> 0, 0);
  }

  private mine(): void {
    const now = Date.now();
    // A late turn catches up at most a quarter second.
    const seconds = Math.min(0.25, (now - this.lastTurn) / 1000);
    const count = Math.floor(this.options.hashrate * seconds);
    if (count === 0) return;
    this.lastTurn = now;
    if (now >= this.scanEnd) this.takeJob();
    const { job } = this;
    if (!job) return;
    const hash = hashHeader[this.options.algorithm];
    for (let done = 0; done < count && this.job === job; done += 1) {
      this.nonce = (this.nonce + 1) >>> 0;
      if (this.nonce % HASHES_A_VERSION === 0) this.rollVersion();
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
    const nonce = hex(this.nonce);
    const params = [
      this.options.user,
      job.id,
      this.extranonce2Bytes().toString('hex'),
      hex(this.header.readUInt32LE(68)),
      nonce,
    ];
    if (this.options.versionRolling && this.mask) params.push(hex(this.header.readUInt32LE(0) & this.mask));
    const answer = await this.call('mining.submit', params);
    if (!answer) {
      this.unanswered += 1;
      this.unansweredWork += job.difficulty;
      return;
    }
    const accepted = answer.result === true;
    if (accepted) {
      this.accepted += 1;
      this.work += job.difficulty;
    } else this.rejected += 1;
    this.emit('verdict', {
      at: Date.now(),
      accepted,
      difficulty: job.difficulty,
      job: job.id,
      nonce,
      ...(accepted ? {} : { error: answer.error }),
    });
  }
}
