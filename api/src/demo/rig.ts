/** A software rig: a Stratum client with real proofs of work, at the hashrate its profile sets. */
import { connect } from 'node:net';
import { ALGORITHMS } from '@pool/shared/domain';
import { blockHeader, difficultyOf, merkleRoot, swapWords } from '../stratum/wire/proof';
import { hex32, parseLine, type Message } from '../stratum/wire/protocol';
import { parseNotify, type UpstreamJob } from '../stratum/upstream/upstream-job';
import { Wire } from '../stratum/wire/wire';
import { NOMINAL, type RigSpec } from './fleet';
import { effort, losses } from './profile';

type Found = { jobId: string | number; extranonce2: string; ntime: string; nonce: string };

const MAX_RETRY_MS = 30_000;
/** Limit of the hashes to catch up on after the process was paused. */
const MAX_DUE = 2000;

export class Rig {
  private wire: Wire | null = null;
  private extranonce1 = '';
  private extranonce2Size = 0;
  private job: UpstreamJob | null = null;
  private header: Buffer = Buffer.alloc(80);
  private extranonce2 = '';
  private nonce = Math.floor(Math.random() * 2 ** 32);
  private hashesDue = 0;
  /** Shares held back until their job is no longer valid, to be stale. */
  private late: Found[] = [];
  private retryAt = 0;
  private retryMs = 500;
  private nextId = 10;

  constructor(
    private readonly spec: RigSpec,
    private readonly port: number,
    private readonly start: number,
  ) {}

  /** Does the hashes of the `seconds` since the last call. */
  work(seconds: number, now = Date.now()): void {
    const part = effort(this.spec, now / 1000, this.start);
    if (part === 0) return this.stop();
    if (!this.wire) {
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
    this.wire?.close('switched off');
  }

  private connect(): void {
    const socket = connect({ host: '127.0.0.1', port: this.port });
    this.wire = new Wire(socket, {
      maxLine: 128 * 1024,
      maxBuffered: 64 * 1024,
      onLine: (line) => {
        const message = parseLine(line);
        if (message) this.onMessage(message);
      },
      onClose: () => {
        this.wire = null;
        this.job = null;
        this.late = [];
        this.retryAt = Date.now() + this.retryMs * (0.5 + Math.random());
        this.retryMs = Math.min(MAX_RETRY_MS, this.retryMs * 2);
      },
    });
    const { algorithm, account, worker, software, difficulty } = this.spec;
    if (ALGORITHMS[algorithm].versionRolling)
      this.send(1, 'mining.configure', [
        ['version-rolling'],
        { 'version-rolling.mask': '1fffe000', 'version-rolling.min-bit-count': 2 },
      ]);
    this.send(2, 'mining.subscribe', [software]);
    this.send(3, 'mining.suggest_difficulty', [difficulty]);
    this.send(4, 'mining.authorize', [`${account}.${worker}`, 'x']);
  }

  private onMessage(message: Message): void {
    if (message.kind === 'answer') {
      if (message.id === 2 && Array.isArray(message.result)) {
        this.extranonce1 = String(message.result[1]);
        this.extranonce2Size = Number(message.result[2]);
      }
      if (message.id === 4 && message.result === true) this.retryMs = 500;
      return;
    }
    if (message.method !== 'mining.notify') return;
    const job = parseNotify(message.params);
    if (!job) return;
    this.job = job;
    this.extranonce2 = Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
      .slice(-2 * this.extranonce2Size)
      .padStart(2 * this.extranonce2Size, '0');
    const coinbase = Buffer.from(job.coinb1 + this.extranonce1 + this.extranonce2 + job.coinb2, 'hex');
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
    this.send(this.nextId++, 'mining.submit', params);
  }

  private send(id: number, method: string, params: unknown[]): void {
    this.wire?.send({ id, method, params });
  }
}
