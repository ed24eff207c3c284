/** One miner's or farm proxy's socket: handshake, authorisation, work and shares. A failing upstream never ends it. */
import type { Socket } from 'node:net';
import type { LRUCache } from 'lru-cache';
import type { Arrival, Arrivals } from '@pool/shared/api/contract';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import { networkOf, networksOf } from '../../network-of';
import { typicalHashrate } from '../builtin-pool/machines';
import { type Authorised, authoriseMiner, type Refused } from './access/authorise';
import type { Refusals } from './access/refusals';
import type { Place } from './access/worker-slots';
import type { CachedDirectory } from './directory';
import { MinerWork, type WorkDeps } from './miner-work';
import { Rate, type Throttle } from '../wire/limits';
import { answerLine, ERROR, type ErrorCode, type Id, parseLine, type Request, stratumError } from '../wire/protocol';
import { ConnectionWorkers } from './access/connection-workers';
import { type ShareDeps, ShareHandler } from './share-handler';
import { difficultyOfPassword, difficultyOfTarget, parseDifficulty } from '../upstream/upstream-job';
import { configureAnswer, parseConfigure } from '../wire/version-rolling';
import { Wire } from '../wire/wire';

export type SessionDeps = ShareDeps &
  WorkDeps & {
    directory: CachedDirectory;
    /** Lines of all miners of one network. */
    addressRates: LRUCache<string, Rate>;
    refusals: Refusals;
    /** Sub-account the port is assigned to; null: everybody's. */
    owner: number | null;
  };

const NO_NAMES: ReadonlySet<string> = new Set();
/** Names refused one after the other. */
const MAX_REFUSED_NAMES = 5;
/** Milliseconds until a connection with too many unanswered shares, or whose shares cannot be recorded yet, is read. */
const PENDING_WAIT_MS = 50;

export class MinerSession {
  private readonly wire: Wire;
  private readonly work: MinerWork;
  /** Lines that exceed them wait in the network: work is never refused because it comes fast. */
  private readonly throttles: Throttle[];
  private readonly lines: Rate;
  private readonly handshake: NodeJS.Timeout;
  private readonly workers: ConnectionWorkers;
  /** The first worker: all others are of its account, whose upstream gives the work. */
  private first: Authorised | null = null;
  /** The names that were sent are looked up one after the other. */
  private authorising = Promise.resolve();
  private refusedNames = 0;
  private malformed = 0;
  private shares: ShareHandler | null = null;
  private readonly connectedAt: number;
  private authorisedAt = 0;
  /** Reason why no more lines are taken. */
  private leaving: string | null = null;

  constructor(
    socket: Socket,
    private readonly address: string,
    private readonly deps: SessionDeps,
    private readonly onEnd: (session: MinerSession) => void,
  ) {
    const { limits, addressRates, sink } = deps;
    this.connectedAt = this.seconds;
    const networkRates = networksOf(address).map(({ network, factor }) => {
      const rate = addressRates.get(network) ?? new Rate(limits.addressLinesPerSecond * factor);
      addressRates.set(network, rate);
      return rate;
    });
    const pending: Throttle = {
      wait: () => (this.unanswered >= limits.pendingSubmits || (this.shares && sink.busy) ? PENDING_WAIT_MS : 0),
      take: () => undefined,
    };
    this.lines = new Rate(limits.linesPerSecond);
    this.throttles = [this.lines, ...networkRates, pending];
    this.wire = new Wire(socket, {
      maxLine: limits.minerLine,
      maxBuffered: limits.buffered,
      rates: this.throttles,
      refusedMs: limits.refusedMs,
      onLine: (line) => this.onLine(line),
      onClose: (why) => this.onClose(why),
    });
    this.workers = new ConnectionWorkers(address, deps, (reason) => this.end(reason));
    this.work = new MinerWork(address, deps, {
      isOpen: () => this.wire.open,
      notify: (method, params) => this.notify(method, params),
      send: (line) => this.wire.send(line),
      onDifficulty: (difficulty) => this.workers.tell(difficulty),
      end: (reason) => this.end(reason),
    });
    this.handshake = setTimeout(() => this.end('no handshake'), limits.handshakeMs);
  }

  get idleSince(): number {
    return this.wire.lastLineAt;
  }
  get unanswered(): number {
    return this.shares?.pending ?? 0;
  }

  end(reason: string): void {
    if (!this.wire.open) return;
    this.deps.metrics?.refused.inc({ reason });
    this.wire.close(reason);
  }

  /** The sub-account it mines for; null before the authorisation. */
  get subAccountId(): number | null {
    return this.first?.subAccountId ?? null;
  }

  get algorithm(): AlgorithmName {
    return this.deps.algorithm;
  }

  /** Whether it has had an accepted share. */
  get isMining(): boolean {
    return (this.shares?.acceptedShares ?? 0) > 0;
  }

  /** What its owner is told before its first share; null before the authorisation and after that share. */
  get arrival(): Arrival | null {
    if (!this.first || !this.shares || this.isMining) return null;
    const { software, difficulty } = this.workers;
    return {
      worker: this.first.worker,
      algorithm: this.deps.algorithm,
      software,
      since: this.authorisedAt,
      difficulty,
      hashrate: typicalHashrate(this.deps.algorithm, software),
      refusedShares: this.shares.refused,
      lowDifficulty: this.shares.lowDifficulty,
    };
  }

  /** What its owner is told before it names a worker, if it is from their network. */
  namelessOf(network: string | null): Arrivals['nameless'][number] | null {
    if (!this.isNameless || networkOf(this.address) !== network) return null;
    return { algorithm: this.deps.algorithm, since: this.connectedAt, subscribed: this.work.layout !== null };
  }

  private get isNameless(): boolean {
    return !this.shares && this.refusedNames === 0;
  }
  private get seconds(): number {
    return Math.floor(this.deps.now() / 1000);
  }

  /** Asks the miner to connect anew to the address it has. */
  askToReconnect(): void {
    this.notify('client.reconnect', []);
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
      if (this.malformed >= this.deps.limits.malformedLines) {
        this.deps.metrics?.refused.inc({ reason: 'not Stratum' });
        this.wire.refuse('not Stratum');
      }
      return;
    }
    if (message.kind === 'answer') return;
    switch (message.method) {
      case 'mining.configure':
        return this.onConfigure(message);
      case 'mining.subscribe':
        return this.onSubscribe(message);
      case 'mining.authorize':
        this.authorising = this.authorising.then(() => this.onAuthorize(message));
        return;
      case 'mining.submit':
        return this.onSubmit(message);
      case 'mining.suggest_difficulty':
        return this.onSuggest(message, parseDifficulty(message.params));
      case 'mining.suggest_target':
        return this.onSuggest(message, difficultyOfTarget(this.deps.algorithm, message.params));
      case 'mining.extranonce.subscribe':
        this.work.takesExtranonce = true;
        return this.reply(message, true);
      case 'mining.ping':
        return this.reply(message, 'pong');
      // How ESP-Miner answers a ping.
      case 'pong':
        return;
      default:
        return this.reply(message, null, 'Unknown method');
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
    if (typeof software === 'string' && /^[\x20-\x7e]{1,64}$/.test(software)) this.workers.software = software;
    const { extranonce1, extranonce2Size } = this.work.subscribe();
    this.answer(id, [
      [
        ['mining.set_difficulty', '1'],
        ['mining.notify', '1'],
      ],
      extranonce1,
      extranonce2Size,
    ]);
    this.startWork();
  }

  private async onAuthorize({ id, params }: Request): Promise<void> {
    const { directory, log, owner, slots, algorithm } = this.deps;
    const [text, password] = params;
    if (!this.wire.open) return;
    if (this.workers.has(text)) return this.answer(id, true);
    if (this.refusedNames >= MAX_REFUSED_NAMES) return this.end('too many authorisations');
    let found: Awaited<ReturnType<typeof authoriseMiner>>;
    try {
      found = await authoriseMiner(text, password, directory, owner);
    } catch (error) {
      log.error({ err: error }, 'accounts cannot be read');
      this.error(id, ERROR.other, 'Try again in a moment');
      return this.first ? undefined : this.end('accounts cannot be read');
    }
    if (!this.wire.open) return;
    if ('refused' in found) return this.turnAway(id, text, found);
    if (this.first && this.first.subAccountId !== found.subAccountId) {
      this.refusedNames += 1;
      return this.error(id, ERROR.unauthorised, 'Another account needs a connection of its own');
    }
    const account = { subAccountId: found.subAccountId, algorithm };
    const own = slots.isFull(account) ? await directory.ownWorkers(account) : NO_NAMES;
    if (!this.wire.open) return;
    const miner = this.workers.add(found, own);
    if ('refused' in miner) {
      this.turnAway(id, text, miner);
      return this.first || miner.reason !== 'banned' ? undefined : this.end('banned');
    }
    this.refusedNames = 0;
    this.lines.perSecond = this.deps.limits.linesPerSecond * this.workers.size;
    if (!this.first) this.open(miner.place, password);
    this.first ??= found;
    this.answer(id, true);
    this.startWork();
  }

  /** The first worker was authorised: shares are taken. */
  private open({ lines }: Place, password: unknown): void {
    clearTimeout(this.handshake);
    this.throttles.push(lines);
    const difficulty = difficultyOfPassword(password);
    if (difficulty !== null) this.work.askDifficulty(difficulty, true);
    this.authorisedAt = this.seconds;
    this.shares = new ShareHandler(this.workers, this.work.jobs, this.deps, {
      answer: (to, result) => this.answer(to, result),
      error: (to, code, message) => this.error(to, code, message),
      accepted: () => this.work.prove(),
      banned: ({ text }) => this.workers.remove(text, 'banned'),
      settled: () => {
        if (!this.wire.open) this.work.stop();
        else if (this.leaving !== null) this.end(this.leaving);
      },
    });
  }

  private startWork(): void {
    if (this.first && this.work.layout && !this.work.started) void this.work.start(this.first, this.workers.software);
  }

  private turnAway(id: Id, name: unknown, { refused, reason, subAccountId }: Refused): void {
    this.refusedNames += 1;
    this.note(reason, subAccountId, name);
    this.error(id, ERROR.unauthorised, refused);
  }

  private note(reason: Refused['reason'], subAccountId: number | null, name: unknown): void {
    const { refusals, algorithm } = this.deps;
    refusals.note(networkOf(this.address), { at: this.seconds, algorithm, reason, subAccountId, name });
  }

  private onSuggest(request: Request, difficulty: number | null): void {
    if (difficulty === null) return this.reply(request, null, 'Malformed difficulty');
    this.reply(request, true);
    this.work.askDifficulty(difficulty);
  }

  private onSubmit(request: Request): void {
    const { layout } = this.work;
    if (!layout) return this.error(request.id, ERROR.notSubscribed, 'Not subscribed');
    if (this.shares) return this.shares.submit(request, layout);
    this.error(request.id, ERROR.unauthorised, 'Not authorised');
  }

  private answer(id: Id, result: unknown): void {
    this.wire.send(answerLine(id, result));
  }
  private error(id: Id, code: ErrorCode, message: string): void {
    this.wire.send(answerLine(id, null, stratumError(code, message)));
  }
  /**
   * Answers what a miner can do without. Without an id it is a notification, which has no answer: bfgminer suggests so
   * before it subscribes, and takes the next line for the subscription.
   */
  private reply({ id }: Request, result: unknown, error?: string): void {
    if (id === null) return;
    if (error === undefined) this.answer(id, result);
    else this.error(id, ERROR.other, error);
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
    this.workers.leave();
    if (this.isNameless) this.note('no_name', this.deps.owner, null);
    this.first = null;
    this.deps.log.debug({ address: this.address, why }, 'miner gone');
    this.onEnd(this);
  }
}
