/** One miner's socket: handshake, authorisation, work and shares. A failing upstream never ends it. */
import type { Socket } from 'node:net';
import type { LRUCache } from 'lru-cache';
import type { Arrival } from '@pool/shared/api/contract';
import { ALGORITHMS } from '@pool/shared/domain';
import { networkOf, networksOf } from '../../network-of';
import { typicalHashrate } from '../builtin-pool/machines';
import { authoriseMiner, type Refused } from './access/authorise';
import type { Refusals } from './access/refusals';
import type { CachedDirectory } from './directory';
import { MinerWork, type WorkDeps } from './miner-work';
import { Rate, type Throttle } from '../wire/limits';
import { ERROR, type ErrorCode, type Id, parseLine, type Request, stratumError } from '../wire/protocol';
import { type DeskDeps, type Miner, ShareDesk } from './share-desk';
import { difficultyOfPassword, parseDifficulty } from '../upstream/upstream-job';
import { configureAnswer, parseConfigure } from '../wire/version-rolling';
import { Wire } from '../wire/wire';

export type SessionDeps = DeskDeps &
  WorkDeps & {
    directory: CachedDirectory;
    /** Lines of all miners of one network. */
    addressRates: LRUCache<string, Rate>;
    refusals: Refusals;
    /** Sub-account the port is assigned to; null: everybody's. */
    owner: number | null;
  };

const MAX_AUTHORISATIONS = 5;
/** Milliseconds until a connection with too many unanswered shares, or whose shares cannot be recorded yet, is read. */
const PENDING_WAIT_MS = 50;

export class MinerSession {
  private readonly wire: Wire;
  private readonly work: MinerWork;
  /** Lines that exceed them wait in the network: work is never refused because it comes fast. */
  private readonly throttles: Throttle[];
  private readonly handshake: NodeJS.Timeout;
  private software: string | null = null;
  private miner: Miner | null = null;
  private authorisations = 0;
  private malformed = 0;
  private desk: ShareDesk | null = null;
  private authorisedAt = 0;
  private difficulty: number | null = null;
  /** Reason why no more lines are taken. */
  private leaving: string | null = null;

  constructor(
    socket: Socket,
    private readonly address: string,
    private readonly deps: SessionDeps,
    private readonly onEnd: (session: MinerSession) => void,
  ) {
    const { limits, addressRates, sink } = deps;
    const networkRates = networksOf(address).map(({ network, factor }) => {
      const rate = addressRates.get(network) ?? new Rate(limits.addressLinesPerSecond * factor);
      addressRates.set(network, rate);
      return rate;
    });
    const pending: Throttle = {
      wait: () => (this.unanswered >= limits.pendingSubmits || (this.desk && sink.busy) ? PENDING_WAIT_MS : 0),
      take: () => undefined,
    };
    this.throttles = [new Rate(limits.linesPerSecond), ...networkRates, pending];
    this.wire = new Wire(socket, {
      maxLine: limits.minerLine,
      maxBuffered: limits.buffered,
      rates: this.throttles,
      onLine: (line) => this.onLine(line),
      onClose: (why) => this.onClose(why),
    });
    this.work = new MinerWork(address, deps, {
      isOpen: () => this.wire.open,
      notify: (method, params) => this.notify(method, params),
      send: (line) => this.wire.send(line),
      onDifficulty: (difficulty) => {
        this.difficulty = difficulty;
        this.presence(true, difficulty);
      },
      end: (reason) => this.end(reason),
    });
    this.handshake = setTimeout(() => this.end('no handshake'), limits.handshakeMs);
  }

  get idleSince(): number {
    return this.wire.lastLineAt;
  }
  get unanswered(): number {
    return this.desk?.pending ?? 0;
  }

  end(reason: string): void {
    if (!this.wire.open) return;
    this.deps.metrics?.refused.inc({ reason });
    this.wire.close(reason);
  }

  /** The sub-account it mines for; null before the authorisation. */
  get subAccountId(): number | null {
    return this.miner?.subAccountId ?? null;
  }

  /** What its owner is told before its first share; null before the authorisation and after that share. */
  get arrival(): Arrival | null {
    if (!this.miner || !this.desk || this.desk.accepted > 0) return null;
    return {
      worker: this.miner.worker,
      algorithm: this.deps.algorithm,
      software: this.software,
      since: this.authorisedAt,
      difficulty: this.difficulty,
      hashrate: typicalHashrate(this.deps.algorithm, this.software),
      refusedShares: this.desk.refused,
      lowDifficulty: this.desk.lowDifficulty,
    };
  }

  /** Takes no more lines, and ends when the pending shares are answered. */
  leave(reason: string): void {
    this.leaving = reason;
    if (this.unanswered === 0) this.end(reason);
  }

  /** Ends it without waiting for pending shares. */
  abandon(): void {
    this.wire.close('the pool stops');
    this.work.stop();
  }

  private onLine(line: string): void {
    if (this.leaving !== null) return;
    const message = parseLine(line);
    if (!message) {
      this.malformed += 1;
      this.error(null, ERROR.other, 'Not a Stratum message');
      if (this.malformed >= this.deps.limits.malformedLines) this.end('not Stratum');
      return;
    }
    if (message.kind === 'answer') return;
    switch (message.method) {
      case 'mining.configure':
        return this.onConfigure(message);
      case 'mining.subscribe':
        return this.onSubscribe(message);
      case 'mining.authorize':
        return void this.onAuthorize(message);
      case 'mining.submit':
        return this.onSubmit(message);
      case 'mining.suggest_difficulty':
        return this.onSuggest(message);
      case 'mining.extranonce.subscribe':
        this.work.takesExtranonce = true;
        return this.answer(message.id, true);
      case 'mining.ping':
        return this.answer(message.id, 'pong');
      // How ESP-Miner answers a ping.
      case 'pong':
        return;
      default:
        return this.error(message.id, ERROR.other, 'Unknown method');
    }
  }

  private onConfigure({ id, params }: Request): void {
    const request = parseConfigure(params);
    if (!request) return this.error(id, ERROR.other, 'Malformed configuration');
    if (request.extensions.includes('version-rolling') && ALGORITHMS[this.deps.algorithm].versionRolling)
      this.work.requestMask(request.wanted);
    this.answer(id, configureAnswer(request.extensions, this.work.mask));
  }

  private onSubscribe({ id, params }: Request): void {
    const [software] = params;
    if (typeof software === 'string' && /^[\x20-\x7e]{1,64}$/.test(software)) this.software = software;
    const { extranonce1, extranonce2Size } = this.work.subscribe();
    this.answer(id, [
      [
        ['mining.set_difficulty', '1'],
        ['mining.notify', '1'],
      ],
      extranonce1,
      extranonce2Size,
    ]);
    if (this.miner && !this.work.started) void this.work.start(this.miner, this.software);
  }

  private async onAuthorize({ id, params }: Request): Promise<void> {
    const { directory, bans, slots, log, owner } = this.deps;
    const [text, password] = params;
    this.authorisations += 1;
    if (this.authorisations > MAX_AUTHORISATIONS) return this.end('too many authorisations');
    if (this.miner) return this.authoriseAgain(id, text, this.miner);
    let found: Awaited<ReturnType<typeof authoriseMiner>>;
    try {
      found = await authoriseMiner(text, password, directory, owner);
    } catch (error) {
      log.error({ err: error }, 'accounts cannot be read');
      this.error(id, ERROR.other, 'Try again in a moment');
      return this.end('accounts cannot be read');
    }
    if (!this.wire.open) return;
    if (this.miner) return this.authoriseAgain(id, text, this.miner);
    if ('refused' in found) return this.turnAway(id, text, found);
    const banKey = `${networkOf(this.address)} ${found.account}.${found.worker}`;
    if (bans.banned(banKey)) {
      this.turnAway(id, text, { ...found, refused: 'Banned for a while: too many bad shares', reason: 'banned' });
      return this.end('banned');
    }
    const networks = networksOf(this.address).map(({ network }) => network);
    const place = slots.claim(found.subAccountId, found.worker, networks, () => this.end('gives way'));
    if (!place) return this.turnAway(id, text, { ...found, refused: 'Too many workers', reason: 'too_many_workers' });
    clearTimeout(this.handshake);
    this.throttles.push(place.lines);
    const difficulty = difficultyOfPassword(password);
    if (difficulty !== null) this.work.askDifficulty(difficulty, true);
    this.miner = { ...found, banKey, place };
    this.authorisedAt = Math.floor(this.deps.now() / 1000);
    this.desk = new ShareDesk(this.miner, this.work.jobs, this.deps, {
      answer: (to, result) => this.answer(to, result),
      error: (to, code, message) => this.error(to, code, message),
      accepted: () => this.work.prove(),
      banned: () => this.end('banned'),
      settled: () => {
        if (!this.wire.open) this.work.stop();
        else if (this.leaving !== null) this.end(this.leaving);
      },
    });
    this.answer(id, true);
    this.presence(true, null);
    if (this.work.layout) void this.work.start(this.miner, this.software);
  }

  private turnAway(id: Id, name: unknown, { refused, reason, subAccountId }: Refused): void {
    const { refusals, algorithm } = this.deps;
    refusals.note(networkOf(this.address), {
      at: Math.floor(this.deps.now() / 1000),
      algorithm,
      reason,
      subAccountId,
      name,
    });
    this.error(id, ERROR.unauthorised, refused);
  }

  private authoriseAgain(id: Id, text: unknown, miner: Miner): void {
    if (text === miner.text) this.answer(id, true);
    else this.error(id, ERROR.unauthorised, 'One worker a connection');
  }

  private onSuggest({ id, params }: Request): void {
    const difficulty = parseDifficulty(params);
    if (difficulty === null) return this.error(id, ERROR.other, 'Malformed difficulty');
    this.answer(id, true);
    this.work.askDifficulty(difficulty);
  }

  private onSubmit(request: Request): void {
    const { layout } = this.work;
    if (!layout) return this.error(request.id, ERROR.notSubscribed, 'Not subscribed');
    if (this.desk) return this.desk.submit(request, layout);
    this.error(request.id, ERROR.unauthorised, 'Not authorised');
  }

  private presence(connected: boolean, difficulty: number | null): void {
    if (!this.miner) return;
    const { sink, algorithm, now } = this.deps;
    sink.presence({
      subAccountId: this.miner.subAccountId,
      algorithm,
      worker: this.miner.worker,
      connected,
      difficulty,
      software: this.software,
      remote: this.address,
      at: now(),
    });
  }

  private answer(id: Id, result: unknown): void {
    this.wire.send({ id, result, error: null });
  }
  private error(id: Id, code: ErrorCode, message: string): void {
    this.wire.send({ id, result: null, error: stratumError(code, message) });
  }
  private notify(method: string, params: unknown[]): void {
    this.wire.send({ id: null, method, params });
  }

  private onClose(why: string): void {
    clearTimeout(this.handshake);
    // A share already sent upstream still counts for the miner.
    if (this.unanswered === 0) this.work.stop();
    else this.work.drain();
    this.work.leave();
    if (this.miner) {
      if (this.miner.place.release() === 0) this.presence(false, null);
      this.miner = null;
    }
    this.deps.log.debug({ address: this.address, why }, 'miner gone');
    this.onEnd(this);
  }
}
