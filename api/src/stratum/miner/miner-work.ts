/** One miner's work: its route and upstream connection, and the jobs as the miner gets them. */
import type { AlgorithmName } from '@pool/shared/domain';
import { networksOf } from '../../platform/network-of';
import type { AccountRoute, MiningAccount } from '../failover/account-routes';
import type { Upstreams } from '../failover/upstreams';
import { type FeedEvents, WorkFeed } from '../failover/work-feed';
import type { UpstreamConnection } from '../upstream/upstream-connection';
import { templateOf, type UpstreamJob, workOf } from '../upstream/upstream-job';
import { requiredProof, type UpstreamTarget } from '../upstream/upstream-target';
import { type Extranonce, FIRST_LAYOUT, type Layout, layoutFor, type Place, placeFor } from '../wire/extranonce';
import type { Limits } from '../wire/limits';
import { hex32, setDifficulty } from '../wire/protocol';
import { intersect, NO_MASK, numbered, ROLLING_MASK } from '../wire/version-rolling';
import { JobBook } from './job-book';
import type { LastDifficulties } from './last-difficulties';
import type { Wire } from '../wire/wire';
import type { Entry, ProofGate } from './proof-gate';
import type { Returning } from './returning';

export type WorkDeps = {
  algorithm: AlgorithmName;
  limits: Limits;
  upstreams: Upstreams;
  gate: ProofGate;
  returning: Returning;
  last: LastDifficulties;
};

/** Difficulties that a miner asks for are kept within these bounds. */
const ASKED = { min: 1e-7, max: 1e12 };

/** The account that the work is for, and the worker whose last difficulty it starts from. */
type WorkAccount = MiningAccount & { worker: string };

/** What the work needs of the miner's connection. */
type WorkEvents = {
  onDifficulty(difficulty: number): void;
  end(reason: string): void;
  /** Difficulty a second of its first worker; null: unknown. */
  rate(): number | null;
};

/** Shares refused one after the other that end a trial. */
const TRIAL_REFUSALS = 5;

/** Software known to show `client.show_message`; how other software reacts is unknown. */
const SHOWS_MESSAGES = /^(cgminer|bfgminer|sgminer|bmminer|btminer|cpuminer|ccminer)\b/i;

const nothing = (): void => undefined;

export class MinerWork {
  readonly jobs = new JobBook();
  /** Null before the miner subscribed. */
  layout: Layout | null = null;
  /** The miner understands `mining.set_extranonce`. */
  takesExtranonce = false;
  mask = NO_MASK;
  private wantedMask = NO_MASK;
  private asked: number | null = null;
  /** Difficulty of the last job; null before the first. */
  private difficulty: number | null = null;
  /** The miner found a share at that difficulty. */
  private proven = false;
  /** A suggestion that nobody asked for, until a share was accepted. */
  private trial: { refused: number; timer: NodeJS.Timeout; fail(): void } | null = null;
  private miner: WorkAccount | null = null;
  private software: string | null = null;
  private route: AccountRoute | null = null;
  private entry: Entry | null = null;
  private feed: WorkFeed | null = null;
  /** No job of the current upstream connection was sent yet. */
  private freshUpstream = false;

  private readonly feedEvents: FeedEvents = {
    onConnected: () => {
      this.freshUpstream = true;
    },
    onVersionMask: () => this.sendMask(),
    onJob: (job, connection) => this.onJob(job, connection),
    onDifficulty: (difficulty, connection) => this.jobs.lower(connection, difficulty),
    suggested: (target) => this.suggestion(target),
  };

  constructor(
    private readonly address: string,
    private readonly deps: WorkDeps,
    private readonly wire: Wire,
    private readonly events: WorkEvents,
  ) {}

  get started(): boolean {
    return this.route !== null;
  }

  /** Sets `mask` to what the upstream grants of the bits the miner wants to roll. */
  requestMask(wanted: number): void {
    this.wantedMask = intersect(wanted, ROLLING_MASK);
    this.mask = intersect(this.wantedMask, this.upstreamMask());
  }

  subscribe(): Layout {
    const { returning, algorithm } = this.deps;
    this.layout ??= returning.next(algorithm, this.address) ?? FIRST_LAYOUT;
    return this.layout;
  }

  /** Suggests the miner's first wish to the upstream; firmware repeats itself. `fixed`: of its password, which wins. */
  askDifficulty(difficulty: number, fixed = false): void {
    if (this.asked !== null && !fixed) return;
    this.asked = Math.min(ASKED.max, Math.max(ASKED.min, difficulty));
    this.feed?.suggestDifficulty(this.asked);
  }

  /** Waits for the account's route and for a place at the gate, then connects. Call once, after `subscribe`. */
  async start(account: WorkAccount, software: string | null): Promise<void> {
    const { upstreams, algorithm, gate, last, returning } = this.deps;
    this.miner = account;
    this.software = software;
    const route = upstreams.take(algorithm, account);
    this.route = route;
    const remembered = this.asked === null ? last.ready(algorithm, account.subAccountId) : null;
    await route.ready;
    if (remembered) await remembered;
    if (!this.wire.open) return;
    const { blocked } = route;
    if (blocked && SHOWS_MESSAGES.test(software ?? '')) this.wire.notify('client.show_message', [blocked]);
    // An own pool may accept anything, so its shares prove the address only for that sub-account.
    const own = route.own ? ` ${account.subAccountId}` : '';
    const returned = this.layout && returning.take(algorithm, this.address, account.subAccountId, this.layout);
    returned?.leave();
    this.feed = returned?.feed ?? null;
    const where = networksOf(this.address).map(({ network, factor }) => ({ network: network + own, factor }));
    this.entry = gate.enter(where, String(account.subAccountId), {
      connect: () => {
        if (this.feed) this.feed.passTo(this.feedEvents);
        else this.feed = this.connect(route, account, software);
      },
      pause: () => {
        this.feed?.retire();
        this.feed = null;
      },
    });
  }

  prove(): void {
    this.proven = true;
    this.endTrial();
    this.entry?.prove();
  }

  refused(): void {
    if (!this.trial) return;
    this.trial.refused += 1;
    if (this.trial.refused === TRIAL_REFUSALS) this.trial.fail();
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

  leave(): void {
    this.route?.release();
    this.endTrial();
    const { last, algorithm } = this.deps;
    const { miner, software, difficulty } = this;
    if (this.proven && miner && difficulty !== null)
      last.set({ ...miner, algorithm }, { difficulty, software, rate: this.events.rate() });
  }

  private connect(route: AccountRoute, names: WorkAccount, software: string | null): WorkFeed {
    const { upstreams, limits } = this.deps;
    return new WorkFeed(
      { route, subAccountId: names.subAccountId, names, limits, outbound: upstreams.outbound, software },
      this.feedEvents,
    );
  }

  private onJob(job: UpstreamJob, connection: UpstreamConnection): void {
    if (!this.layout || !connection.extranonce) return;
    const place = this.place(connection.extranonce);
    if (!place) return;
    const clean = job.clean || this.freshUpstream;
    this.freshUpstream = false;
    this.sendMask();
    const coinb1 = job.coinb1 + place.head;
    const { version, work } = this.distinct({ ...job, coinb1 }, connection);
    const known = this.jobs.ofWork(work);
    // Work that comes again gets no easier and is worth no more: its hashes must not count twice.
    const difficulty = Math.max(known?.difficulty ?? 0, connection.difficulty);
    if (difficulty !== this.difficulty) this.sendDifficulty(difficulty);
    const added = this.jobs.add(
      {
        upstreamId: job.id,
        work,
        template: templateOf(job),
        coinbaseHead: coinb1 + this.layout.extranonce1,
        connection,
        difficulty,
        credit: Math.min(known?.credit ?? Infinity, connection.counted),
        proof: requiredProof(difficulty, this.asked, connection.nominal),
        version: parseInt(version, 16),
        versionMask: this.mask,
        upstreamMask: connection.versionMask,
        ntime: parseInt(job.ntime, 16),
        fixed: place.fixed,
        extranonce2Size: this.layout.extranonce2Size,
      },
      clean,
    );
    this.wire.notify('mining.notify', [
      added.id,
      job.prevHash,
      coinb1,
      job.coinb2,
      job.branches,
      version,
      job.nbits,
      job.ntime,
      clean,
    ]);
  }

  /** The version and the work of a job. Spare bits tell apart what comes again where the coinbase has no room. */
  private distinct(job: UpstreamJob, { versionMask }: UpstreamConnection): { version: string; work: string } {
    const work = workOf(job);
    const spare = versionMask & ~this.mask;
    if (spare === NO_MASK || !this.jobs.ofWork(work)) return { version: job.version, work };
    const version = hex32(numbered(parseInt(job.version, 16), spare, this.jobs.next));
    return { version, work: workOf({ ...job, version }) };
  }

  /** Where the miner's extranonce lies; null: its software takes no other one, and it has to subscribe again. */
  private place(extranonce: Extranonce): Place | null {
    const { layout, route, feed, entry, miner, takesExtranonce } = this;
    const best = layoutFor(extranonce);
    const fits = layout && placeFor(layout, extranonce, this.jobs.next);
    const grows = takesExtranonce && layout && layout.extranonce2Size < best.extranonce2Size;
    if (fits && !grows) return fits;
    if (takesExtranonce) {
      this.layout = best;
      this.wire.notify('mining.set_extranonce', [best.extranonce1, best.extranonce2Size]);
      return placeFor(best, extranonce, this.jobs.next);
    }
    if (!feed || !miner) return null;
    const { returning, algorithm } = this.deps;
    const leave = (): void => {
      entry?.leave();
      route?.release();
    };
    feed.passTo({ ...this.feedEvents, onConnected: nothing, onJob: nothing, onVersionMask: nothing });
    returning.wait(algorithm, this.address, { feed, layout: best, subAccountId: miner.subAccountId, leave });
    this.feed = this.entry = this.route = null;
    this.events.end('other extranonce');
    return null;
  }

  /** Where the next upstream connection should start. What the miner did not ask for is on trial. */
  private suggestion({ url }: UpstreamTarget): number | null {
    this.endTrial();
    const { miner, software, asked } = this;
    if (asked !== null || !miner) return asked;
    const { last, algorithm } = this.deps;
    const { subAccountId } = miner;
    const reached = this.proven ? this.difficulty : last.get({ ...miner, algorithm }, software)?.difficulty;
    const suggested = reached ? last.suggestion(reached, subAccountId, url) : null;
    if (suggested === null) return null;
    const fail = (): void => {
      this.endTrial();
      last.hurts(subAccountId, url);
      this.feed?.renew();
    };
    this.trial = { refused: 0, fail, timer: setTimeout(fail, this.deps.limits.trialMs) };
    return suggested;
  }

  private endTrial(): void {
    if (this.trial) clearTimeout(this.trial.timer);
    this.trial = null;
  }

  private sendDifficulty(difficulty: number): void {
    this.difficulty = difficulty;
    this.wire.send(setDifficulty(difficulty));
    this.events.onDifficulty(difficulty);
  }

  /** Sends the mask when it changed: the miner must not roll a bit the upstream refuses. */
  private sendMask(): void {
    const mask = intersect(this.wantedMask, this.upstreamMask());
    if (mask === this.mask) return;
    this.mask = mask;
    this.wire.notify('mining.set_version_mask', [hex32(mask)]);
  }

  /** The mask of the upstream in use, else the last one it granted, else all bits. */
  private upstreamMask(): number {
    if (this.feed?.connection) return this.feed.connection.versionMask;
    const { upstreams, algorithm } = this.deps;
    return (this.route ? this.route.current?.versionMask : upstreams.versionMask(algorithm)) ?? ROLLING_MASK;
  }
}
