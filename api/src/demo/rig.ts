/** A software rig: a Stratum client with real proofs of work, at the hashrate its profile sets. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { ALGORITHMS } from '@pool/shared/domain';
import { blockHeader, difficultyOf, merkleRoot, swapWords } from '../stratum/wire/proof';
import { MinerConnection } from './miner-connection';
import { hex32 } from '../stratum/wire/protocol';
import { parseNotify, type UpstreamJob } from '../stratum/upstream/upstream-job';
import { NOMINAL, type RigSpec } from './fleet';
import { effort, losses } from './profile';

type Found = { jobId: string | number; extranonce2: string; ntime: string; nonce: string };

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
/** Limit of the hashes to catch up on after the process was paused. */
const MAX_DUE = 2000;

export class Rig {
  private socket: Socket | null = null;
  private connection: MinerConnection | null = null;
  private job: UpstreamJob | null = null;
  private header: Buffer = Buffer.alloc(80);
  private extranonce2 = '';
  private nonce = Math.floor(Math.random() * 2 ** 32);
  private hashesDue = 0;
  /** Shares held back until their job is no longer valid, to be stale. */
  private late: Found[] = [];
  private retryAt = 0;
  private retryMs = FIRST_RETRY_MS;

  constructor(
    private readonly spec: RigSpec,
    private readonly port: number,
    private readonly start: number,
  ) {}

  /** Does the hashes of the `seconds` since the last call. */
  work(seconds: number, now = Date.now()): void {
    const part = effort(this.spec, now / 1000, this.start);
    if (part === 0) return this.stop();
    if (!this.connection) {
      if (now >= this.retryAt) this.connect();
      return;
    }
    if (!this.job) return;
    this.hashesDue = Math.min(
      MAX_DUE,
      this.hashesDue + (part * this.spec.hashrate * seconds) / NOMINAL[this.spec.algorithm].scale,
    );
    for (; this.hashesDue >= 1; this.hashesDue -= 1) this.hashOnce();
  }

  stop(): void {
    this.socket?.destroy();
  }

  private connect(): void {
    const socket = connect({ host: '127.0.0.1', port: this.port });
    const connection = new MinerConnection(socket, {
      message: (method, params) => {
        const job = method === 'mining.notify' ? parseNotify(params) : null;
        if (job) this.take(job, connection);
      },
      closed: () => {
        this.connection = null;
        this.job = null;
        this.late = [];
        this.retryAt = Date.now() + this.retryMs * (0.5 + Math.random());
        this.retryMs = Math.min(MAX_RETRY_MS, this.retryMs * 2);
      },
    });
    this.socket = socket;
    this.connection = connection;
    const { algorithm, account, worker, software, difficulty } = this.spec;
    const mask = ALGORITHMS[algorithm].versionRolling ? '1fffe000' : undefined;
    void connection.greet({ software, user: `${account}.${worker}`, mask, difficulty }).then((isKnown) => {
      if (isKnown) this.retryMs = FIRST_RETRY_MS;
    });
  }

  private take(job: UpstreamJob, { extranonce1, extranonce2Size }: MinerConnection): void {
    this.job = job;
    this.extranonce2 = randomBytes(extranonce2Size).toString('hex');
    const coinbase = Buffer.from(job.coinb1 + extranonce1.toString('hex') + this.extranonce2 + job.coinb2, 'hex');
    this.header = blockHeader({
      version: parseInt(job.version, 16),
      prevHash: swapWords(job.prevHash),
      ntime: parseInt(job.ntime, 16),
      nbits: parseInt(job.nbits, 16),
      nonce: 0,
      merkleRoot: merkleRoot(
        coinbase,
        job.branches.map((branch) => Buffer.from(branch, 'hex')),
      ),
    });
    if (!job.clean) return;
    for (const found of this.late) this.submit(found);
    this.late = [];
  }

  private hashOnce(): void {
    const { job, spec } = this;
    if (!job) return;
    this.nonce = (this.nonce + 1) >>> 0;
    this.header.writeUInt32LE(this.nonce, 76);
    // The demo's pool asks for the nominal difficulty divided by `NOMINAL.scale`.
    if (difficultyOf(spec.algorithm, this.header) < spec.difficulty / NOMINAL[spec.algorithm].scale) return;
    const found: Found = { jobId: job.id, extranonce2: this.extranonce2, ntime: job.ntime, nonce: hex32(this.nonce) };
    const luck = Math.random();
    const { stale, rejected } = losses(spec);
    if (luck < stale) this.late.push(found);
    // A wrong nonce, as an overheated board sends: the pool rejects it for its low difficulty.
    else if (luck < stale + rejected) this.submit({ ...found, nonce: hex32(this.nonce ^ 0x00400000) });
    else this.submit(found);
  }

  private submit({ jobId, extranonce2, ntime, nonce }: Found): void {
    const params = [`${this.spec.account}.${this.spec.worker}`, jobId, extranonce2, ntime, nonce];
    void this.connection?.call('mining.submit', params);
  }
}
