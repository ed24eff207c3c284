/**
 * One miner's work: the route and upstream connection it comes from, and the jobs as the miner gets them (extranonce,
 * difficulty, version mask).
 */
import type { AlgorithmName } from '@pool/shared/domain';
import type { LRUCache } from 'lru-cache';
import { networksOf } from '../../network-of';
import type { MiningAccount } from '../failover/account-routes';
import type { Lease, Upstreams } from '../failover/upstreams';
import { WorkFeed } from '../failover/work-feed';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import { templateOf, type UpstreamJob, workOf } from '../upstream/upstream-job';
import { requiredProof } from '../upstream/upstream-target';
import { type Layout, layoutFor, rewriteCoinb1, slotFor } from '../wire/extranonce';
import type { Limits } from '../wire/limits';
import { hex32, setDifficulty } from '../wire/protocol';
import { intersect, NO_MASK, ROLLING_MASK } from '../wire/version-rolling';
import { JobBook } from './job-book';
import type { LastDifficulties } from './last-difficulties';
import type { Entry, ProofGate } from './proof-gate';

export type WorkDeps = {
  algorithm: AlgorithmName;
  limits: Limits;
  upstreams: Upstreams;
  gate: ProofGate;
  /**
   * By address: extranonce2 size (bytes) of an upstream that left a miner less than its layout needs. The miner gets a
   * layout that fits when it reconnects.
   */
  smallExtranonces: LRUCache<string, number>;
  last: LastDifficulties;
};

/** Difficulties that a miner asks for are kept within these bounds. */
const ASKED = { min: 1e-7, max: 1e12 };

/** The account that the work is for, and the worker whose last difficulty it starts from. */
type WorkAccount = MiningAccount & { worker: string };

/** What the work needs of the miner's connection. */
type WorkEvents = {
  isOpen(): boolean;
  notify(method: string, params: unknown[]): void;
  /** Sends a line of JSON. */
  send(line: string): void;
  /** A difficulty was sent to the miner. */
  onDifficulty(difficulty: number): void;
  end(reason: string): void;
};

/** Software known to show `client.show_message`; how other software reacts is unknown. */
const SHOWS_MESSAGES = /^(cgminer|bfgminer|sgminer|bmminer|btminer|cpuminer|ccminer)\b/i;

export class MinerWork {
  readonly jobs = new JobBook();
  /** Null before the miner subscribed. */
  layout: Layout | null = null;
  /** The miner understands `mining.set_extranonce`. */
  takesExtranonce = false;
  /** The version mask the miner has now. */
  mask = NO_MASK;
  private wantedMask = NO_MASK;
  /** Difficulty the miner asked for. `fixed`: in its password, so it is what the user wants. */
  private asked: number | null = null;
  private fixed = false;
  /** Of the last job; null before the first. */
  private difficulty: number | null = null;
  /** The miner found a share at that difficulty. */
  private proven = false;
  private miner: WorkAccount | null = null;
  private lease: Lease | null = null;
  private entry: Entry | null = null;
  private feed: WorkFeed | null = null;
  /** No job of the current upstream connection was sent yet. */
  private freshUpstream = false;

  constructor(
    private readonly address: string,
    private readonly deps: WorkDeps,
    private readonly events: WorkEvents,
  ) {}

  get started(): boolean {
    return this.lease !== null;
  }

  /** Sets `mask` to what the upstream grants of the bits the miner wants to roll. */
  requestMask(wanted: number): void {
    this.wantedMask = intersect(wanted, ROLLING_MASK);
    this.mask = intersect(this.wantedMask, this.upstreamMask());
  }

  subscribe(): Layout {
    const { upstreams, algorithm, smallExtranonces } = this.deps;
    this.layout ??= layoutFor(smallExtranonces.get(this.address) ?? upstreams.extranonceSize(algorithm));
    return this.layout;
  }

  /**
   * Suggests to the upstream what the miner asks for. Only its first wish counts: firmware repeats itself, some with
   * every job. `fixed`: the wish of its password, which comes before that of the firmware.
   */
  askDifficulty(difficulty: number, fixed = false): void {
    if (this.asked !== null && !fixed) return;
    this.fixed = fixed;
    this.asked = Math.min(ASKED.max, Math.max(ASKED.min, difficulty));
    this.feed?.suggestDifficulty(this.asked);
  }

  /** Waits for the account's route and for a place at the gate, then connects. Call once, after `subscribe`. */
  async start(account: WorkAccount, software: string | null): Promise<void> {
    const { upstreams, algorithm, gate, last } = this.deps;
    this.miner = account;
    const lease = upstreams.lease(algorithm, account);
    this.lease = lease;
    const remembered = this.asked === null ? last.ready(algorithm, account.subAccountId) : null;
    if (lease.ready) await lease.ready;
    if (remembered) await remembered;
    if (!this.events.isOpen()) return;
    const blocked = lease.blocked();
    if (blocked && SHOWS_MESSAGES.test(software ?? '')) this.events.notify('client.show_message', [blocked]);
    // An own pool may accept anything, so its shares prove the address only for that sub-account.
    const own = lease.isOwn() ? ` ${account.subAccountId}` : '';
    const where = networksOf(this.address).map(({ network, factor }) => ({ network: network + own, factor }));
    this.entry = gate.enter(where, String(account.subAccountId), {
      connect: () => {
        this.feed = this.connect(lease, account, software);
      },
      pause: () => {
        this.feed?.retire();
        this.feed = null;
      },
    });
  }

  /** A share of the miner was accepted. */
  prove(): void {
    this.proven = true;
    this.entry?.prove();
  }

  /** Opens no more upstream connections; pending shares are still answered. */
  drain(): void {
    this.feed?.drain();
  }

  /** Closes the upstream connection and gives up the place at the gate. */
  stop(): void {
    this.feed?.stop();
    this.entry?.leave();
  }

  /** The miner has disconnected. */
  leave(): void {
    this.lease?.release();
    const { last, algorithm } = this.deps;
    if (this.proven && this.miner && this.difficulty !== null)
      last.set(algorithm, this.miner.subAccountId, this.miner.worker, this.difficulty);
  }

  private connect(lease: Lease, { subAccountId }: MiningAccount, software: string | null): WorkFeed {
    const { upstreams, limits } = this.deps;
    return new WorkFeed(
      {
        route: lease.route,
        subAccountId,
        limits,
        outbound: upstreams.outbound,
        software,
        suggested: () => this.suggestion(),
      },
      {
        onConnected: () => {
          this.freshUpstream = true;
        },
        onVersionMask: () => this.sendMask(),
        onJob: (job, connection) => this.onJob(job, connection),
      },
    );
  }

  private onJob(job: UpstreamJob, connection: UpstreamConnection): void {
    if (!this.layout || !connection.extranonce) return;
    const { size, extranonce1 } = connection.extranonce;
    const slot = slotFor(this.layout, size, this.jobs.next) ?? this.shrinkLayout(size);
    if (slot === null) return;
    const clean = job.clean || this.freshUpstream;
    this.freshUpstream = false;
    const coinb1 = rewriteCoinb1(job.coinb1, extranonce1, slot);
    const work = workOf({ ...job, coinb1 });
    // Work that comes again keeps its difficulty: its hashes must not count twice.
    const difficulty = this.jobs.ofWork(work)?.difficulty ?? connection.difficulty;
    if (difficulty !== this.difficulty) this.sendDifficulty(difficulty);
    this.sendMask();
    const added = this.jobs.add(
      {
        upstreamId: job.id,
        work,
        template: templateOf(job),
        coinbaseHead: coinb1 + this.layout.extranonce1,
        connection,
        difficulty,
        asked: connection.difficulty,
        proof: requiredProof(difficulty, this.asked, connection.nominal),
        version: parseInt(job.version, 16),
        versionMask: this.mask,
        upstreamMask: connection.versionMask,
        ntime: parseInt(job.ntime, 16),
        slot,
      },
      clean,
    );
    this.events.notify('mining.notify', [
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

  /**
   * The new upstream leaves fewer bytes than the miner rolls: sends the miner a smaller layout and returns its slot, or
   * disconnects it to subscribe again when it does not understand that.
   */
  private shrinkLayout(upstreamSize: number): string | null {
    const layout = layoutFor(upstreamSize);
    const slot = slotFor(layout, upstreamSize);
    if (!this.takesExtranonce || slot === null) {
      this.deps.smallExtranonces.set(this.address, upstreamSize);
      this.events.end('extranonce too small');
      return null;
    }
    this.layout = layout;
    this.events.notify('mining.set_extranonce', [layout.extranonce1, layout.extranonce2Size]);
    return slot;
  }

  /** Where the next upstream connection should start. */
  private suggestion(): number | null {
    if (this.proven && !this.fixed) return this.difficulty;
    const { last, algorithm } = this.deps;
    return this.asked ?? (this.miner && last.get(algorithm, this.miner.subAccountId, this.miner.worker));
  }

  private sendDifficulty(difficulty: number): void {
    this.difficulty = difficulty;
    this.events.send(setDifficulty(difficulty));
    this.events.onDifficulty(difficulty);
  }

  /** Sends the mask when it changed: the miner must not roll a bit the upstream refuses. */
  private sendMask(): void {
    const mask = intersect(this.wantedMask, this.upstreamMask());
    if (mask === this.mask) return;
    this.mask = mask;
    this.events.notify('mining.set_version_mask', [hex32(mask)]);
  }

  /** The mask of the upstream in use, else the last one it granted, else all bits. */
  private upstreamMask(): number {
    if (this.feed?.connection) return this.feed.connection.versionMask;
    const { upstreams, algorithm } = this.deps;
    return (this.lease ? this.lease.route.current?.versionMask : upstreams.versionMask(algorithm)) ?? ROLLING_MASK;
  }
}
