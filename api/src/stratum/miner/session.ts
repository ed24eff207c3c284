/** One miner's socket: greets it, keeps it supplied with work, answers its shares. An upstream's death never ends it. */
import type { Socket } from 'node:net';
import type { LRUCache } from 'lru-cache';
import { networkOf } from '../../network-of';
import { ALGORITHMS } from '@pool/shared/domain';
import { whoIs } from './authorise';
import type { CachedDirectory } from './directory';
import { type Layout, layoutFor, rewriteCoinb1, slotFor } from '../wire/extranonce';
import { JobBook } from './job-book';
import type { Entry, ProofGate } from './proof-gate';
import { Rate } from '../wire/limits';
import { ERROR, type ErrorCode, hex32, type Id, parseLine, type Request, stratumError } from '../wire/protocol';
import { type DeskDeps, type Miner, ShareDesk } from './share-desk';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import { difficultyOfPassword, parseDifficulty, type UpstreamJob, workOf } from '../upstream/upstream-job';
import type { Lease, Upstreams } from '../failover/upstreams';
import { configureAnswer, intersect, NO_MASK, parseConfigure, ROLLING_MASK } from '../wire/version-rolling';
import { Wire } from '../wire/wire';
import { WorkFeed } from '../failover/work-feed';

export type SessionDeps = DeskDeps & {
  directory: CachedDirectory;
  upstreams: Upstreams;
  gate: ProofGate;
  /** Addresses whose upstream left them less extranonce2 than they were given (bytes): they get a layout that fits when they come back. */
  narrow: LRUCache<string, number>;
  /** Lines of all miners at one address. */
  addressRates: LRUCache<string, Rate>;
  /** Sub-account whose own port this is; null: everybody's. */
  owner: number | null;
};

const AUTHORISE_ATTEMPTS = 5;
/** Software known to show `client.show_message`; what others make of it nobody knows. */
const SHOWS_MESSAGES = /^(cgminer|bfgminer|sgminer|bmminer|btminer|cpuminer|ccminer)\b/i;

export class MinerSession {
  private readonly wire: Wire;
  private readonly jobs = new JobBook();
  private readonly handshake: NodeJS.Timeout;
  private layout: Layout | null = null;
  private takesExtranonce = false;
  private wantedMask = NO_MASK;
  /** The mask the miner was told last. */
  private toldMask = NO_MASK;
  private software: string | null = null;
  private miner: Miner | null = null;
  private authorising = 0;
  private malformed = 0;
  private desk: ShareDesk | null = null;
  private suggested: number | null = null;
  /** Difficulty asked for with the password: holds, whatever the firmware suggests. */
  private fixed: number | null = null;
  private lease: Lease | null = null;
  private entry: Entry | null = null;
  private feed: WorkFeed | null = null;
  private freshUpstream = false;
  /** Why it takes no more lines. */
  private leaving: string | null = null;

  constructor(
    socket: Socket,
    private readonly address: string,
    private readonly deps: SessionDeps,
    private readonly onEnd: (session: MinerSession) => void,
  ) {
    const { limits, addressRates } = deps;
    const addressRate = addressRates.get(address) ?? new Rate(limits.addressLinesPerSecond);
    addressRates.set(address, addressRate);
    this.wire = new Wire(socket, {
      maxLine: limits.minerLine,
      maxBuffered: limits.buffered,
      rates: [new Rate(limits.linesPerSecond), addressRate],
      onLine: (line) => this.onLine(line),
      onClose: (why) => this.onClose(why),
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

  /** Whom it mines for; null before it said so. */
  get subAccountId(): number | null {
    return this.miner?.subAccountId ?? null;
  }

  /** Takes no more lines, and ends when the shares under way are answered. */
  leave(reason: string): void {
    this.leaving = reason;
    if (this.unanswered === 0) this.end(reason);
  }

  /** Ends it without waiting for answers of the upstream. */
  abandon(): void {
    this.wire.close('the pool stops');
    this.letGo();
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
        this.takesExtranonce = true;
        return this.answer(message.id, true);
      case 'mining.ping':
        return this.answer(message.id, 'pong');
      default:
        return this.error(message.id, ERROR.other, 'Unknown method');
    }
  }

  private onConfigure({ id, params }: Request): void {
    const request = parseConfigure(params);
    if (!request) return this.error(id, ERROR.other, 'Malformed configuration');
    if (request.extensions.includes('version-rolling') && ALGORITHMS[this.deps.algorithm].versionRolling) {
      this.wantedMask = intersect(request.wanted, ROLLING_MASK);
      this.toldMask = intersect(this.wantedMask, this.upstreamMask());
    }
    this.answer(id, configureAnswer(request.extensions, this.toldMask));
  }

  /** The mask of the upstream in use, else the one it granted last, else all. */
  private upstreamMask(): number {
    if (this.feed?.connection) return this.feed.connection.versionMask;
    const { upstreams, algorithm } = this.deps;
    return (this.lease ? this.lease.route.current?.versionMask : upstreams.versionMask(algorithm)) ?? ROLLING_MASK;
  }

  private onSubscribe({ id, params }: Request): void {
    const { upstreams, algorithm, narrow } = this.deps;
    this.layout ??= layoutFor(narrow.get(this.address) ?? upstreams.extranonceSize(algorithm));
    const [software] = params;
    if (typeof software === 'string' && /^[\x20-\x7e]{1,64}$/.test(software)) this.software = software;
    const { extranonce1, extranonce2Size } = this.layout;
    this.answer(id, [
      [
        ['mining.set_difficulty', '1'],
        ['mining.notify', '1'],
      ],
      extranonce1,
      extranonce2Size,
    ]);
    if (this.miner && !this.lease) void this.start(this.miner);
  }

  private async onAuthorize({ id, params }: Request): Promise<void> {
    const { directory, bans, slots, log, owner } = this.deps;
    const [text, password] = params;
    this.authorising += 1;
    if (this.authorising > AUTHORISE_ATTEMPTS) return this.end('too many authorisations');
    if (this.miner) return this.authoriseAgain(id, text, this.miner);
    let found: Awaited<ReturnType<typeof whoIs>>;
    try {
      found = await whoIs(text, password, directory, owner);
    } catch (error) {
      log.error({ err: error }, 'accounts cannot be read');
      this.error(id, ERROR.other, 'Try again in a moment');
      return this.end('accounts cannot be read');
    }
    if (!this.wire.open) return;
    if (this.miner) return this.authoriseAgain(id, text, this.miner);
    if ('refused' in found) return this.error(id, ERROR.unauthorised, found.refused);
    const banKey = `${this.address} ${found.account}.${found.worker}`;
    if (bans.banned(banKey)) {
      this.error(id, ERROR.unauthorised, 'Banned for a while: too many bad shares');
      return this.end('banned');
    }
    const place = slots.claim(found.subAccountId, found.worker, networkOf(this.address), () => this.end('gives way'));
    if (!place) return this.error(id, ERROR.unauthorised, 'Too many workers');
    clearTimeout(this.handshake);
    this.fixed = difficultyOfPassword(password);
    this.suggested = this.fixed ?? this.suggested;
    this.miner = { ...found, banKey, place };
    this.desk = new ShareDesk(this.miner, this.jobs, this.deps, {
      answer: (to, result) => this.answer(to, result),
      error: (to, code, message) => this.error(to, code, message),
      accepted: () => this.entry?.prove(),
      banned: () => this.end('banned'),
      // The miner is gone and its last share is settled.
      settled: () => {
        if (!this.wire.open) this.letGo();
        else if (this.leaving !== null) this.end(this.leaving);
      },
    });
    this.answer(id, true);
    this.presence(true, null);
    if (this.layout) void this.start(this.miner);
  }

  private authoriseAgain(id: Id, text: unknown, miner: Miner): void {
    if (text === miner.text) this.answer(id, true);
    else this.error(id, ERROR.unauthorised, 'One worker a connection');
  }

  private onSuggest({ id, params }: Request): void {
    const difficulty = parseDifficulty(params);
    if (difficulty === null) return this.error(id, ERROR.other, 'Malformed difficulty');
    this.answer(id, true);
    if (this.fixed !== null) return;
    this.suggested = difficulty;
    this.feed?.suggestDifficulty(difficulty);
  }

  private async start(miner: Miner): Promise<void> {
    const { upstreams, algorithm, gate } = this.deps;
    const lease = upstreams.lease(algorithm, miner);
    this.lease = lease;
    if (lease.ready) await lease.ready;
    if (!this.wire.open) return;
    const blocked = lease.blocked();
    if (blocked && SHOWS_MESSAGES.test(this.software ?? '')) this.notify('client.show_message', [blocked]);
    // An own pool may accept anything: it proves nothing to those that do not mine there.
    const where = networkOf(this.address) + (lease.isOwn() ? ` ${miner.subAccountId}` : '');
    this.entry = gate.enter(where, String(miner.subAccountId), {
      connect: () => {
        this.feed = this.connect(lease, miner);
      },
      pause: () => {
        this.feed?.retire();
        this.feed = null;
      },
    });
  }

  private connect(lease: Lease, { subAccountId }: Miner): WorkFeed {
    const { upstreams, limits } = this.deps;
    return new WorkFeed(
      {
        route: lease.route,
        subAccountId,
        limits,
        outbound: upstreams.outbound,
        suggested: this.suggested,
      },
      {
        onConnected: () => {
          this.freshUpstream = true;
        },
        onDifficulty: (difficulty) => {
          if (!this.freshUpstream) this.tellDifficulty(difficulty);
        },
        onVersionMask: () => this.tellMask(),
        onJob: (job, connection) => this.onJob(job, connection),
      },
    );
  }

  private onJob(job: UpstreamJob, connection: UpstreamConnection): void {
    if (!this.layout || !connection.extranonce) return;
    const slot = slotFor(this.layout, connection.extranonce.size) ?? this.narrow(connection.extranonce.size);
    if (slot === null) return;
    const clean = job.clean || this.freshUpstream;
    if (this.freshUpstream) {
      this.freshUpstream = false;
      this.tellDifficulty(connection.difficulty);
    }
    this.tellMask();
    const coinb1 = rewriteCoinb1(job.coinb1, connection.extranonce.extranonce1, slot);
    const added = this.jobs.add(
      {
        upstreamId: job.id,
        work: workOf({ ...job, coinb1 }),
        connection,
        difficulty: connection.difficulty,
        version: parseInt(job.version, 16),
        versionMask: this.toldMask,
        ntime: parseInt(job.ntime, 16),
        slot,
      },
      clean,
    );
    this.notify('mining.notify', [
      added.id,
      job.prevHash,
      coinb1,
      job.coinb2,
      job.branches,
      job.version,
      job.nbits,
      job.ntime,
      clean,
    ]);
  }

  /** The new upstream leaves fewer bytes than the miner rolls: tell it, or let it subscribe anew. Only then. */
  private narrow(upstreamSize: number): string | null {
    const layout = layoutFor(upstreamSize);
    const slot = slotFor(layout, upstreamSize);
    if (!this.takesExtranonce || slot === null) {
      this.deps.narrow.set(this.address, upstreamSize);
      this.end('extranonce too small');
      return null;
    }
    this.layout = layout;
    this.notify('mining.set_extranonce', [layout.extranonce1, layout.extranonce2Size]);
    return slot;
  }

  private tellDifficulty(difficulty: number): void {
    this.notify('mining.set_difficulty', [difficulty]);
    this.presence(true, difficulty);
  }

  /** Never leaves the miner a bit the upstream refuses. */
  private tellMask(): void {
    const mask = intersect(this.wantedMask, this.upstreamMask());
    if (mask === this.toldMask) return;
    this.toldMask = mask;
    this.notify('mining.set_version_mask', [hex32(mask)]);
  }

  private onSubmit(request: Request): void {
    if (!this.layout) return this.error(request.id, ERROR.notSubscribed, 'Not subscribed');
    if (this.desk) return this.desk.submit(request, this.layout);
    this.error(request.id, ERROR.unauthorised, 'Not authorised');
  }

  private presence(connected: boolean, difficulty: number | null): void {
    if (!this.miner) return;
    const { sink, algorithm } = this.deps;
    sink.presence({
      subAccountId: this.miner.subAccountId,
      algorithm,
      worker: this.miner.worker,
      connected,
      difficulty,
      software: this.software,
      remote: this.address,
      at: Date.now(),
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

  /** The miner has gone and nothing of it is under way. */
  private letGo(): void {
    this.feed?.stop();
    this.entry?.leave();
  }

  private onClose(why: string): void {
    clearTimeout(this.handshake);
    // A share on its way to the upstream still counts for the miner that sent it.
    if (this.unanswered === 0) this.letGo();
    else this.feed?.drain();
    this.lease?.release();
    if (this.miner) {
      if (this.miner.place.release() === 0) this.presence(false, null);
      this.miner = null;
    }
    this.deps.log.debug({ address: this.address, why }, 'miner gone');
    this.onEnd(this);
  }
}
