/** One miner's work: its place on an upstream connection, its own difficulty, and the jobs as the miner gets them. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { AccountRoute, MiningAccount } from '../failover/account-routes';
import type { Upstreams } from '../failover/upstreams';
import type { Seat, Tenant } from '../upstream/shared-connection';
import type { SharedJob } from '../upstream/shared-job';
import { notifyLine } from '../upstream/upstream-job';
import type { UpstreamConnections } from '../upstream/upstream-connections';
import { type Names, requiredProof } from '../upstream/upstream-target';
import { type Layout, placeOf, ROLLED_BYTES, rolledAt } from '../wire/extranonce';
import { hex32, setDifficulty } from '../wire/protocol';
import { intersect, NO_MASK, numbered, ROLLING_MASK } from '../wire/version-rolling';
import type { Wire } from '../wire/wire';
import { JobBook } from './job-book';
import type { Layouts } from './layouts';
import { machineOf, rollsFour } from './machines';
import { FAR_TOO_FAST, Vardiff, VARDIFF, type VardiffSettings } from './vardiff';

export type WorkDeps = {
  algorithm: AlgorithmName;
  upstreams: Upstreams;
  layouts: Layouts;
  vardiff?: Partial<VardiffSettings>;
};

/** Difficulties that a miner asks for are kept within these bounds. */
const ASKED = { min: 1e-7, max: 1e12 };

/** The account that the work is for, and the worker that some upstreams are told. */
type WorkAccount = MiningAccount & { worker: string };

type WorkEvents = {
  onDifficulty(difficulty: number): void;
  end(reason: string): void;
};

/** Software known to show `client.show_message`; how other software reacts is unknown. */
const SHOWS_MESSAGES = /^(cgminer|bfgminer|sgminer|bmminer|btminer|cpuminer|ccminer)\b/i;

export class MinerWork implements Tenant {
  readonly jobs = new JobBook();
  /** Of no use before `subscribe`. */
  layout: Layout = { extranonce1: '', extranonce2Size: 0 };
  subscribed = false;
  needsAll = false;
  takesExtranonce = false;
  mask = NO_MASK;
  private wantedMask = NO_MASK;
  asked: number | null = null;
  private readonly vardiff: Vardiff;
  private kind = '';
  private miner: WorkAccount | null = null;
  private route: AccountRoute | null = null;
  private unsubscribe = (): void => undefined;
  private place: Seat | null = null;
  /** Connections that have no place for it yet. */
  private next: UpstreamConnections | null = null;

  constructor(
    private readonly address: string,
    private readonly deps: WorkDeps,
    private readonly wire: Wire,
    private readonly events: WorkEvents,
  ) {
    this.vardiff = new Vardiff({ ...VARDIFF, ...deps.vardiff }, machineOf(deps.algorithm, null));
  }

  get started(): boolean {
    return this.route !== null;
  }
  get subAccountId(): number {
    return this.miner?.subAccountId ?? 0;
  }
  get names(): Names {
    return this.miner ?? {};
  }
  get wanted(): number {
    return this.vardiff.isKnown ? this.vardiff.wanted : 0;
  }

  /** Sets `mask` to what the upstream grants of the bits the miner wants to roll. */
  requestMask(wanted: number): void {
    this.wantedMask = intersect(wanted, ROLLING_MASK);
    this.mask = intersect(this.wantedMask, this.upstreamMask());
  }

  subscribe(software: string | null): Layout {
    if (this.subscribed) return this.layout;
    const { algorithm, layouts, upstreams } = this.deps;
    this.subscribed = true;
    this.needsAll = rollsFour(software);
    this.vardiff.setMachine(machineOf(algorithm, software));
    this.kind = `${algorithm} ${this.address} ${software}`;
    const usual = upstreams.usual(algorithm)?.extranonce;
    this.layout = layouts.next(this.kind, usual ? rolledAt(usual.size, this.needsAll) : ROLLED_BYTES);
    return this.layout;
  }

  /** Takes the first difficulty that the miner asks for; firmware repeats itself. `fixed`: of its password, which wins. */
  askDifficulty(difficulty: number, fixed = false): void {
    if (this.asked !== null && !fixed) return;
    this.asked = Math.min(ASKED.max, Math.max(ASKED.min, difficulty));
    if (this.vardiff.ask(this.asked)) this.renew();
  }

  /** Waits for the account's route, then follows it. Call once, after `subscribe`. */
  async start(account: WorkAccount, software: string | null): Promise<void> {
    this.miner = account;
    const route = this.deps.upstreams.take(this.deps.algorithm, account);
    this.route = route;
    await route.ready;
    if (!this.wire.open) return;
    const { blocked } = route;
    if (blocked && SHOWS_MESSAGES.test(software ?? '')) this.wire.notify('client.show_message', [blocked]);
    this.unsubscribe = route.subscribe(() => this.follow());
    this.follow();
  }

  /** A share of a job of this difficulty was found. */
  found(difficulty: number): void {
    if (this.vardiff.share(difficulty)) this.renew();
  }

  /** Called at intervals. */
  tick(): void {
    if (this.place?.shared.job && this.jobs.last && this.vardiff.tick()) this.renew();
  }

  /** Gives up its place; pending shares are still answered. */
  stop(): void {
    this.unsubscribe();
    this.next?.leave(this);
    this.leavePlace();
    this.route?.release();
    this.route = null;
  }

  seated(seat: Seat): void {
    this.next = null;
    this.leavePlace();
    this.place = seat;
    this.vardiff.rest();
    this.deps.layouts.uses(this.kind, this.subAccountId, this.layout);
  }

  onJob(job: SharedJob, clean: boolean): void {
    const { nominal } = job.connection.target;
    this.vardiff.fixed = nominal !== undefined && this.asked !== null && this.asked >= nominal.from;
    this.vardiff.limit(job.lowest);
    // The first job of a place makes all work before it void.
    this.notify(job, clean || this.jobs.last?.seat !== this.place);
  }

  onVersionMask(): void {
    this.sendMask();
  }

  lost(seat: Seat | null): void {
    if (seat && seat !== this.place) return;
    if (seat) this.place = null;
    this.follow();
  }

  failed(): void {
    // A place at an upstream that was removed from the list waits for the first attempt of its successor, not for ever.
    const upstream = this.place?.shared.upstream;
    if (!this.route?.states.some((state) => state === upstream)) this.leavePlace();
  }

  relayout(layout: Layout): void {
    this.layout = layout;
    if (this.takesExtranonce) {
      this.wire.notify('mining.set_extranonce', [layout.extranonce1, layout.extranonce2Size]);
      return;
    }
    this.deps.layouts.uses(this.kind, this.subAccountId, layout);
    this.deps.layouts.await(this.kind, layout);
    this.events.end('other extranonce');
  }

  /** The route's upstream changed, or its place is lost. */
  private follow(): void {
    const { route, miner } = this;
    if (!route || !miner) return;
    const { current } = route;
    this.next?.leave(this);
    this.next = null;
    if (!current || current.state === 'unreadable') return this.leavePlace();
    if (this.place?.shared.upstream === current) return;
    this.next = current.connectionsFor(miner);
    this.next.join(this);
  }

  private leavePlace(): void {
    const { place } = this;
    this.place = null;
    place?.leave();
  }

  /** Sends the present job again, as clean and other work, at another difficulty: without that some finish a scan first. */
  private renew(): void {
    const job = this.place?.shared.job;
    if (job) this.notify(job, true, true);
  }

  private notify(job: SharedJob, clean: boolean, onlyChange = false): void {
    const { place, layout, vardiff, jobs } = this;
    if (!place) return;
    this.sendMask();
    const { head, fixed } = placeOf(place.slot, job.extranonce.extranonce1, jobs.next);
    const { version, work } = this.distinct(job, fixed);
    // Hashes of work that comes again must not count twice: it is worth no more than before, and no easier once a share
    // was sent. So its difficulty stays, but for a flood and while the right one is searched.
    const before = jobs.ofWork(work);
    if (!before) vardiff.release();
    const isFree = !before || vardiff.difficulty >= FAR_TOO_FAST * before.difficulty;
    const isEasier = before?.seen.size === 0 && vardiff.difficulty < before.difficulty;
    const difficulty = isFree || isEasier ? vardiff.difficulty : before.difficulty;
    const worth = before?.worth ?? { most: difficulty };
    worth.most = Math.min(worth.most, difficulty);
    const isNew = difficulty !== jobs.last?.difficulty;
    if (onlyChange && !isNew) return;
    if (isNew) this.wire.send(setDifficulty(difficulty));
    if (isNew) this.events.onDifficulty(difficulty);
    const { sent } = job;
    const { last } = jobs;
    // The time moves on with work that comes again: cpuminer stays at the old difficulty where the header is the same,
    // cpuminer-multi where only its version is another.
    const earliest = last?.shared.work === job.work && last.fixed === fixed ? last.ntime + 1 : 0;
    const ntime = Math.max(parseInt(sent.ntime, 16), earliest);
    const coinb1 = sent.coinb1 + head;
    const added = jobs.add({
      shared: job,
      seat: place,
      work,
      coinbaseHead: coinb1 + layout.extranonce1,
      difficulty,
      worth,
      proof: requiredProof(difficulty, this.asked, job.connection.target.nominal),
      version,
      versionMask: this.mask,
      ntime,
      fixed,
      extranonce2Size: layout.extranonce2Size,
    });
    this.wire.send(notifyLine(sent, { id: added.id, coinb1, version: hex32(version), ntime: hex32(ntime), clean }));
    vardiff.held = place.slot.numberBytes === 0 && this.spareBits(job) === NO_MASK;
  }

  /** The version and the work of a job. Spare bits tell apart what comes again where the coinbase has no room. */
  private distinct(job: SharedJob, fixed: string): { version: number; work: string } {
    const { version } = job;
    const same = `${job.work} ${fixed} `;
    const other = this.jobs.ofWork(same + version) ? numbered(version, this.spareBits(job), this.jobs.next) : version;
    return { version: other, work: same + other };
  }

  /** Bits of the version that the upstream lets roll and the miner does not. */
  private spareBits({ versionMask }: SharedJob): number {
    return versionMask & ~this.mask;
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
    if (this.place) return this.place.shared.connection.versionMask;
    const { upstreams, algorithm } = this.deps;
    return (this.route ? this.route.current?.versionMask : upstreams.usual(algorithm)?.versionMask) ?? ROLLING_MASK;
  }
}
