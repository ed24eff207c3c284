/** One connection to the built-in pool: the server side of Stratum, with every share checked in full. */
import type { Socket } from 'node:net';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import { type CheckedJob, JobBook, proofOf } from '../miner/job-book';
import { checkShare } from '../miner/share-check';
import { notifyLine, parseDifficulty } from '../upstream/upstream-job';
import type { Nominal } from '../upstream/upstream-target';
import { subscription } from '../wire/extranonce';
import { reaches } from '../wire/proof';
import { ERROR, parseLine, type Request, setDifficulty } from '../wire/protocol';
import { configureAnswer, intersect, NO_MASK, parseConfigure, ROLLING_MASK } from '../wire/version-rolling';
import { Wire } from '../wire/wire';
import { coinbaseHead, EXTRANONCE2_BYTES, type Template } from './template';

export type PeerOptions = {
  algorithm: AlgorithmName;
  extranonce1: string;
  nominal?: Nominal;
  current(): Template;
  onEnd(peer: Peer): void;
};

/** Difficulty of a new connection, until the miner suggests another. */
const START_DIFFICULTY = 1e-7;
/** Difficulty of rigs of the demo, whose shares are scaled: no rig's own is higher. */
const NOMINAL_DIFFICULTY = 2 ** 21;

export class Peer {
  private readonly wire: Wire;
  private readonly jobs = new JobBook<CheckedJob & { difficulty: number }>();
  private mask = NO_MASK;
  private subscribed = false;
  private user: string | null = null;
  private difficulty: number;
  private sent = 0;

  constructor(
    socket: Socket,
    private readonly options: PeerOptions,
  ) {
    this.difficulty = options.nominal ? NOMINAL_DIFFICULTY : START_DIFFICULTY;
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

  /** Sends a job once the miner is authorised. */
  work(template: Template, clean = template.clean): void {
    if (this.user === null) return;
    this.sent += 1;
    const { ntime, version, shared } = template;
    const coinb1 = coinbaseHead(template.height, this.sent);
    const { id } = this.jobs.add({
      shared,
      work: coinb1,
      coinbaseHead: coinb1 + this.options.extranonce1,
      difficulty: this.difficulty,
      version: parseInt(version, 16),
      versionMask: this.mask,
      ntime: parseInt(ntime, 16),
      extranonce2Size: EXTRANONCE2_BYTES,
    });
    this.wire.send(notifyLine(template, { id, coinb1, version, ntime, clean }));
  }

  private onLine(line: string): void {
    const message = parseLine(line);
    if (!message) return this.wire.close('not Stratum');
    if (message.kind === 'request') this.onRequest(message);
  }

  private onRequest(request: Request): void {
    const { id, method, params } = request;
    const { algorithm, extranonce1, nominal } = this.options;
    switch (method) {
      case 'mining.configure': {
        const configure = parseConfigure(params);
        if (!configure) return this.wire.error(id, ERROR.other, 'Malformed configuration');
        if (ALGORITHMS[algorithm].versionRolling && configure.extensions.includes('version-rolling'))
          this.mask = intersect(configure.wanted, ROLLING_MASK);
        return this.wire.answer(id, configureAnswer(configure.extensions, this.mask));
      }
      case 'mining.subscribe':
        this.subscribed = true;
        return this.wire.answer(id, subscription({ extranonce1, extranonce2Size: EXTRANONCE2_BYTES }));
      case 'mining.authorize':
        if (typeof params[0] !== 'string' || !this.subscribed)
          return this.wire.error(id, ERROR.unauthorised, 'Not subscribed');
        this.user = params[0];
        this.wire.answer(id, true);
        return this.renew();
      case 'mining.suggest_difficulty': {
        const difficulty = parseDifficulty(params);
        if (difficulty === null) return this.wire.error(id, ERROR.other, 'Malformed difficulty');
        this.wire.answer(id, true);
        if (nominal || difficulty === this.difficulty) return;
        this.difficulty = difficulty;
        return this.renew();
      }
      case 'mining.submit':
        return void this.onSubmit(request);
      default:
        return this.wire.error(id, ERROR.other, 'Unknown method');
    }
  }

  private async onSubmit({ id, params }: Request): Promise<void> {
    if (!this.subscribed) return this.wire.error(id, ERROR.notSubscribed, 'Not subscribed');
    if (this.user === null || params[0] !== this.user)
      return this.wire.error(id, ERROR.unauthorised, 'Unauthorised worker');
    const share = checkShare(params, this.jobs);
    if ('code' in share) return this.wire.error(id, share.code, share.message);
    const { algorithm, nominal } = this.options;
    const needed = share.job.difficulty / (nominal?.scale ?? 1);
    if (!reaches(await proofOf(algorithm, share.job, share), needed))
      return this.wire.error(id, ERROR.lowDifficulty, 'Low difficulty share');
    this.wire.answer(id, true);
  }

  /** Sends the current difficulty and a clean job at it: without that word some miners finish their scan first. */
  private renew(): void {
    if (this.user === null) return;
    this.wire.send(setDifficulty(this.difficulty));
    this.work(this.options.current(), true);
  }
}
