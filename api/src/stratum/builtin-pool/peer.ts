/** One miner's connection to the built-in pool: the server side of Stratum, with every share checked in full. */
import type { Socket } from 'node:net';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import { ERROR, hex32, isHex, parseLine, type Request, setDifficulty } from '../wire/protocol';
import { difficultyOfPassword, parseDifficulty } from '../upstream/upstream-job';
import {
  bitsAllowed,
  configureAnswer,
  intersect,
  NO_MASK,
  parseConfigure,
  ROLLING_MASK,
} from '../wire/version-rolling';
import { subscription } from '../wire/extranonce';
import { Wire } from '../wire/wire';
import { type Nominal, requiredProof } from '../upstream/upstream-target';
import { blockHeader, difficultyOf, merkleRoot, reaches, swapWords } from '../wire/proof';
import { machineOf } from '../miner/machines';
import { coinbaseParts, EXTRANONCE2_BYTES, type Template } from './template';
import { Vardiff, type VardiffSettings } from '../miner/vardiff';

export type PeerOptions = {
  algorithm: AlgorithmName;
  extranonce1: string;
  vardiff: VardiffSettings;
  nominal?: Nominal;
  current(): Template;
  onEnd(peer: Peer): void;
};

/** A job that was sent, whose coinbase no other job has. `seen`: headers of credited shares. */
type Sent = {
  template: Template;
  coinb1: string;
  coinb2: string;
  difficulty: number;
  stale: boolean;
  seen: Set<string>;
};

const MAX_JOBS = 16;
const MAX_NTIME_AHEAD_S = 7200;
/** Not below that of any rig of the demo. */
const NOMINAL_DIFFICULTY = 2 ** 21;

export class Peer {
  private readonly wire: Wire;
  private readonly vardiff: Vardiff;
  private readonly jobs = new Map<string, Sent>();
  private mask = NO_MASK;
  private subscribed = false;
  private user: string | null = null;
  private asked: number | null = null;
  private sent = 0;

  constructor(
    socket: Socket,
    private readonly options: PeerOptions,
  ) {
    this.vardiff = new Vardiff(options.vardiff, machineOf(options.algorithm, null));
    if (options.nominal) this.ask(NOMINAL_DIFFICULTY);
    this.wire = new Wire(socket, {
      maxLine: 8192,
      maxBuffered: 1024 * 1024,
      onLine: (line) => this.onLine(line),
      onClose: () => options.onEnd(this),
    });
  }

  end(): void {
    this.wire.close('the pool stops');
  }

  /** Sends new work once the miner is authorised. */
  work(template: Template): void {
    if (this.user === null) return;
    if (template.clean) for (const job of this.jobs.values()) job.stale = true;
    this.notify(template, template.clean);
  }

  tick(): void {
    if (this.user !== null && this.vardiff.tick()) this.renew();
  }

  private onLine(line: string): void {
    const message = parseLine(line);
    if (!message) return this.wire.close('not Stratum');
    if (message.kind === 'request') this.onRequest(message);
  }

  private onRequest(request: Request): void {
    const { id, method, params } = request;
    switch (method) {
      case 'mining.configure': {
        const configure = parseConfigure(params);
        if (!configure) return this.wire.error(id, ERROR.other, 'Malformed configuration');
        if (ALGORITHMS[this.options.algorithm].versionRolling && configure.extensions.includes('version-rolling'))
          this.mask = intersect(configure.wanted, ROLLING_MASK);
        return this.wire.answer(id, configureAnswer(configure.extensions, this.mask));
      }
      case 'mining.subscribe': {
        this.subscribed = true;
        if (typeof params[0] === 'string') this.vardiff.setMachine(machineOf(this.options.algorithm, params[0]));
        const { extranonce1 } = this.options;
        return this.wire.answer(id, subscription({ extranonce1, extranonce2Size: EXTRANONCE2_BYTES }));
      }
      case 'mining.authorize':
        if (typeof params[0] !== 'string' || !this.subscribed)
          return this.wire.error(id, ERROR.unauthorised, 'Not subscribed');
        this.user = params[0];
        this.ask(difficultyOfPassword(params[1]));
        this.wire.answer(id, true);
        return this.renew();
      case 'mining.suggest_difficulty': {
        const difficulty = parseDifficulty(params);
        if (difficulty === null) return this.wire.error(id, ERROR.other, 'Malformed difficulty');
        this.wire.answer(id, true);
        if (this.ask(difficulty) && this.user !== null) this.renew();
        return;
      }
      case 'mining.submit':
        return this.onSubmit(request);
      default:
        return this.wire.error(id, ERROR.other, 'Unknown method');
    }
  }

  /** Takes the first difficulty that is asked for; returns whether the difficulty changed. */
  private ask(difficulty: number | null): boolean {
    if (difficulty === null || this.asked !== null) return false;
    this.asked = difficulty;
    this.vardiff.fixed = this.options.nominal !== undefined;
    return this.vardiff.ask(difficulty);
  }

  private onSubmit({ id, params }: Request): void {
    const [user, jobId, extranonce2, ntime, nonce, bits] = params;
    if (!this.subscribed) return this.wire.error(id, ERROR.notSubscribed, 'Not subscribed');
    if (this.user === null || user !== this.user) return this.wire.error(id, ERROR.unauthorised, 'Unauthorised worker');
    const job = typeof jobId === 'string' ? this.jobs.get(jobId) : undefined;
    if (!job || job.stale) return this.wire.error(id, ERROR.stale, 'Job not found');
    if (
      !isHex(extranonce2, EXTRANONCE2_BYTES) ||
      !isHex(ntime, 4) ||
      !isHex(nonce, 4) ||
      (bits !== undefined && !isHex(bits, 4))
    )
      return this.wire.error(id, ERROR.other, 'Malformed share');
    const { template } = job;
    const time = parseInt(ntime, 16);
    if (time < template.ntime || time > template.ntime + MAX_NTIME_AHEAD_S)
      return this.wire.error(id, ERROR.other, 'Time out of range');
    const rolled = bits === undefined ? 0 : parseInt(bits, 16);
    if (!bitsAllowed(rolled, this.mask)) return this.wire.error(id, ERROR.other, 'Version bits outside the mask');
    const coinbase = Buffer.from(job.coinb1 + this.options.extranonce1 + extranonce2 + job.coinb2, 'hex');
    const header = blockHeader({
      version: bits === undefined ? template.version : (template.version & ~this.mask) | rolled,
      prevHash: swapWords(template.prevHash),
      merkleRoot: merkleRoot(
        coinbase,
        template.branches.map((branch) => Buffer.from(branch, 'hex')),
      ),
      ntime: time,
      nbits: parseInt(template.nbits, 16),
      nonce: parseInt(nonce, 16),
    });
    const key = header.toString('base64');
    if (job.seen.has(key)) return this.wire.error(id, ERROR.duplicate, 'Duplicate share');
    const { algorithm, nominal } = this.options;
    if (!reaches(difficultyOf(algorithm, header), requiredProof(job.difficulty, this.asked, nominal)))
      return this.wire.error(id, ERROR.lowDifficulty, 'Low difficulty share');
    job.seen.add(key);
    this.wire.answer(id, true);
    if (this.vardiff.share(job.difficulty)) this.renew();
  }

  /** Sends the current difficulty and a clean job at it: without that word some miners finish their scan first. */
  private renew(): void {
    this.wire.send(setDifficulty(this.vardiff.difficulty));
    this.notify(this.options.current(), true);
  }

  private notify(template: Template, clean: boolean): void {
    this.sent += 1;
    const id = `${template.id}.${this.sent.toString(16)}`;
    const { coinb1, coinb2 } = coinbaseParts(template.height, template.keyHash, this.sent);
    const { difficulty } = this.vardiff;
    this.jobs.set(id, { template, coinb1, coinb2, difficulty, stale: false, seen: new Set() });
    if (this.jobs.size > MAX_JOBS) this.jobs.delete(this.jobs.keys().next().value ?? '');
    const { prevHash, branches, version, nbits, ntime } = template;
    const rest = [branches, hex32(version), nbits, hex32(ntime), clean];
    this.wire.notify('mining.notify', [id, prevHash, coinb1, coinb2, ...rest]);
  }
}
