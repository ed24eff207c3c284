/** One miner's or farm proxy's socket: handshake, authorisation, work and shares. A failing upstream never ends it. */
import type { Socket } from 'node:net';
import type { LRUCache } from 'lru-cache';
import type { Arrival, Arrivals } from '@pool/shared/api/contract';
import { ALGORITHMS } from '@pool/shared/domain';
import { networkOf, networksOf } from '../../platform/network-of';
import { typicalHashrate } from './machines';
import { Authorisation, type AuthorisationDeps } from './authorisation';
import { MinerWork, type WorkDeps } from './miner-work';
import { Rate, type Throttle } from '../wire/limits';
import { ERROR, parseLine, type Request } from '../wire/protocol';
import { subscription } from '../wire/extranonce';
import { ConnectionWorkers, type WorkersDeps } from './connection-workers';
import { type ShareDeps, ShareHandler } from './share-handler';
import { difficultyOfPassword, difficultyOfTarget, parseDifficulty } from '../upstream/upstream-job';
import { configureAnswer, parseConfigure } from '../wire/version-rolling';
import { Wire } from '../wire/wire';

export type SessionDeps = ShareDeps &
  WorkDeps &
  AuthorisationDeps &
  WorkersDeps & {
    /** Lines of all miners of one network. */
    addressRates: LRUCache<string, Rate>;
  };

export type SessionEvents = {
  /** A share was accepted; called for each. */
  proven(): void;
  ended(session: MinerSession): void;
};

/** Milliseconds until a connection with too many unanswered shares, or whose shares cannot be recorded yet, is read. */
const PENDING_WAIT_MS = 50;

export class MinerSession {
  private readonly wire: Wire;
  private readonly work: MinerWork;
  private readonly lines: Rate;
  private readonly handshake: NodeJS.Timeout;
  private readonly workers: ConnectionWorkers;
  private readonly names: Authorisation;
  private malformed = 0;
  private shares: ShareHandler | null = null;
  private readonly connectedAt: number;
  private authorisedAt = 0;
  private leaving: string | null = null;

  constructor(
    socket: Socket,
    private readonly address: string,
    readonly deps: SessionDeps,
    private readonly events: SessionEvents,
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
    this.wire = new Wire(socket, {
      maxLine: limits.minerLine,
      maxBuffered: limits.buffered,
      // Lines that exceed them wait in the network: work is never refused because it comes fast.
      rates: [this.lines, ...networkRates, pending],
      refusedMs: limits.refusedMs,
      onLine: (line) => this.onLine(line),
      onClose: (why) => this.onClose(why),
    });
    this.workers = new ConnectionWorkers(address, deps, (reason) => this.end(reason));
    this.names = new Authorisation(address, deps, this.workers, this.wire, {
      end: (reason) => this.end(reason),
      added: (password) => this.onWorker(password),
    });
    this.work = new MinerWork(address, deps, this.wire, {
      onDifficulty: (difficulty) => this.workers.tell(difficulty),
      end: (reason) => this.end(reason),
    });
    this.handshake = setTimeout(() => this.end('no handshake'), limits.handshakeMs);
  }

  /** `performance.now()` from which on its silence is no chance. */
  get idleAt(): number {
    return this.wire.lastLineAt + Math.max(this.deps.limits.idleMs, 1000 * this.workers.silence);
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
    return this.names.first?.subAccountId ?? null;
  }

  get isMining(): boolean {
    return (this.shares?.acceptedShares ?? 0) > 0;
  }

  /** What its owner is told before its first share; null before the authorisation and after that share. */
  get arrival(): Arrival | null {
    const { first } = this.names;
    if (!first || !this.shares || this.isMining) return null;
    const { software, difficulty } = this.workers;
    return {
      worker: first.worker,
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
    if (!this.names.isNameless || networkOf(this.address) !== network) return null;
    return { algorithm: this.deps.algorithm, since: this.connectedAt, subscribed: this.work.subscribed };
  }

  private get seconds(): number {
    return Math.floor(this.deps.now() / 1000);
  }

  /** Asks the miner to connect anew to the address it has. */
  askToReconnect(): void {
    this.wire.notify('client.reconnect', []);
  }

  /** Takes no more lines, and ends when the pending shares are answered. */
  leave(reason: string): void {
    this.leaving = reason;
    if (this.unanswered === 0) this.end(reason);
  }

  /** Ends it without waiting for pending shares. */
  abandon(): void {
    this.wire.close('the pool stops');
  }

  /** Called at intervals. */
  tick(): void {
    this.work.tick();
  }

  private onLine(line: string): void {
    if (this.leaving !== null) return;
    const message = parseLine(line);
    if (!message) {
      this.malformed += 1;
      this.wire.error(null, ERROR.other, 'Not a Stratum message');
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
        return this.names.take(message);
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
    if (!request) return this.wire.error(id, ERROR.other, 'Malformed configuration');
    if (request.extensions.includes('version-rolling') && ALGORITHMS[this.deps.algorithm].versionRolling)
      this.work.requestMask(request.wanted);
    this.wire.answer(id, configureAnswer(request.extensions, this.work.mask));
  }

  private onSubscribe({ id, params }: Request): void {
    const [software] = params;
    if (typeof software === 'string' && /^[\x20-\x7e]{1,64}$/.test(software)) this.workers.software = software;
    this.wire.answer(id, subscription(this.work.subscribe(this.workers.software)));
    this.startWork();
  }

  private onWorker(password: unknown): void {
    this.lines.perSecond = this.deps.limits.linesPerSecond * this.workers.size;
    if (!this.shares) this.open(password);
    this.startWork();
  }

  /** The first worker was authorised: shares are taken. */
  private open(password: unknown): void {
    clearTimeout(this.handshake);
    const difficulty = difficultyOfPassword(password);
    if (difficulty !== null) this.work.askDifficulty(difficulty, true);
    this.authorisedAt = this.seconds;
    this.shares = new ShareHandler(this.workers, this.work.jobs, this.wire, this.deps, {
      found: (difficulty) => this.work.found(difficulty),
      accepted: () => this.events.proven(),
      banned: ({ text }) => this.workers.remove(text, 'banned'),
      settled: () => {
        if (this.leaving !== null) this.end(this.leaving);
      },
    });
  }

  private startWork(): void {
    const { first } = this.names;
    if (first && this.work.subscribed && !this.work.started) void this.work.start(first, this.workers.software);
  }

  private onSuggest(request: Request, difficulty: number | null): void {
    if (difficulty === null) return this.reply(request, null, 'Malformed difficulty');
    this.reply(request, true);
    this.work.askDifficulty(difficulty);
  }

  private onSubmit(request: Request): void {
    if (!this.work.subscribed) return this.wire.error(request.id, ERROR.notSubscribed, 'Not subscribed');
    if (this.shares) return this.shares.submit(request);
    this.wire.error(request.id, ERROR.unauthorised, 'Not authorised');
  }

  /** Answers a call, not a notification: bfgminer takes the next line for the answer to its subscription. */
  private reply({ id }: Request, result: unknown, error?: string): void {
    if (id === null) return;
    if (error === undefined) this.wire.answer(id, result);
    else this.wire.error(id, ERROR.other, error);
  }

  private onClose(why: string): void {
    clearTimeout(this.handshake);
    // A share already sent upstream still counts for the miner.
    this.work.stop();
    this.workers.leave();
    this.names.leave();
    this.deps.log.debug({ address: this.address, why }, 'miner gone');
    this.events.ended(this);
  }
}
