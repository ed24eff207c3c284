/** The workers of one connection: a farm's proxy authorises many of one account (docs/adr/0005-stratum.md). */
import { ALGORITHMS, type AlgorithmName, OFFLINE_AFTER_S } from '@pool/shared/domain';
import { networkOf } from '../../platform/network-of';
import type { ShareSink } from '../ports';
import type { Authorised, Refused } from './access/authorise';
import { typicalHashrate } from './machines';
import { Pace } from './pace';
import type { Bans } from './access/bans';
import type { Place, WorkerSlots } from './access/worker-slots';

/** `text`: the name as sent; `banKey`: network and name. `told`: the silence that was reported. */
export type Miner = Authorised & { network: string; banKey: string; place: Place; pace: Pace; told: number | null };

export type WorkersDeps = {
  algorithm: AlgorithmName;
  slots: WorkerSlots;
  bans: Bans;
  sink: ShareSink;
  /** The port that the connection came in at. */
  port: number;
  tls: boolean;
  now(): number;
};

/** Length from which on firmware cuts a name that it submits with (Avalon: 63, Whatsminer: 127). */
const CUT_NAME = 63;
/** Part by which a silence changes before it is reported again. */
const RETOLD = 0.25;

export class ConnectionWorkers {
  software: string | null = null;
  difficulty: number | null = null;
  private readonly byName = new Map<string, Miner>();
  /** It has named more than one: no machine's own connection. */
  private isFarm = false;

  /** `onLast`: its last worker had to go. */
  constructor(
    private readonly address: string,
    private readonly deps: WorkersDeps,
    private readonly onLast: (reason: string) => void,
  ) {}

  get size(): number {
    return this.byName.size;
  }
  /** The worker of a machine's own connection. */
  get only(): Miner | undefined {
    return this.isFarm ? undefined : this.byName.values().next().value;
  }
  has(text: unknown): boolean {
    return typeof text === 'string' && this.byName.has(text);
  }

  /** Takes a place of the account for the worker and reports it as connected. `own`: names that the owner knows. */
  add(found: Authorised, own: ReadonlySet<string>): Miner | Refused {
    const { slots, bans, algorithm } = this.deps;
    const { subAccountId, worker, text } = found;
    const network = networkOf(this.address);
    const banKey = `${network} ${found.account}.${worker}`;
    if (bans.banned(banKey))
      return { refused: 'Banned for a while: too many bad shares', reason: 'banned', subAccountId };
    const { address } = this;
    const evict = (): void => this.remove(text, 'gives way');
    const place = slots.claim({ subAccountId, algorithm, worker, address, own, evict });
    if (!place) return { refused: 'Too many workers', reason: 'too_many_workers', subAccountId };
    const miner: Miner = { ...found, network, banKey, place, pace: new Pace(this.expected), told: null };
    this.byName.set(text, miner);
    if (this.size === 2 && !this.isFarm) {
      this.isFarm = true;
      this.tell(this.difficulty);
    } else this.report(miner);
    return miner;
  }

  mined(miner: Miner, difficulty: number): void {
    miner.pace.note(difficulty);
    const silence = silenceOf(miner, this.difficulty);
    if (silence !== null && Math.abs(silence - (miner.told ?? OFFLINE_AFTER_S)) > RETOLD * silence) this.report(miner);
  }

  /** Seconds in which none of its workers may have a share by chance; 0: unknown. */
  get silence(): number {
    let least = Infinity;
    for (const { pace } of this.byName.values()) least = Math.min(least, pace.silence(this.difficulty) ?? 0);
    return Number.isFinite(least) ? least : 0;
  }

  /** The worker that a share names; undefined when it was not authorised on this connection. */
  ofShare(name: unknown): Miner | undefined {
    if (typeof name !== 'string') return undefined;
    const exact = this.byName.get(name);
    if (exact || name.length < CUT_NAME) return exact;
    return [...this.byName.values()].find(({ text }) => text.startsWith(name));
  }

  /** Takes no more shares of this worker; reports the last one to `onLast` instead, which ends the connection. */
  remove(text: string, reason: string): void {
    const miner = this.byName.get(text);
    if (!miner) return;
    if (this.size === 1) return this.onLast(reason);
    this.byName.delete(text);
    this.release(miner);
  }

  tell(difficulty: number | null): void {
    this.difficulty = difficulty;
    for (const miner of this.byName.values()) this.report(miner);
  }

  leave(): void {
    for (const miner of this.byName.values()) this.release(miner);
    this.byName.clear();
  }

  private release(miner: Miner): void {
    if (miner.place.release() === 0) this.report(miner, false);
  }

  /** Difficulty a second that is expected of a worker: what machines with its software do. */
  private get expected(): number | null {
    const { algorithm } = this.deps;
    const hashrate = typicalHashrate(algorithm, this.software);
    return hashrate && hashrate / ALGORITHMS[algorithm].hashesPerDifficulty;
  }

  private report(miner: Miner, connected = true): void {
    const { subAccountId, worker } = miner;
    const { sink, algorithm, port, tls, now } = this.deps;
    miner.told = silenceOf(miner, this.difficulty);
    sink.presence({
      subAccountId,
      algorithm,
      worker,
      connected,
      // That of many machines together says nothing of one of them.
      difficulty: connected && !this.isFarm ? this.difficulty : null,
      software: this.software,
      silence: miner.told,
      remote: this.address,
      port,
      tls,
      at: now(),
    });
  }
}

/** Seconds of silence of a worker that chance explains, never less than those of every worker. */
function silenceOf({ pace }: Miner, difficulty: number | null): number | null {
  const silence = pace.silence(difficulty);
  return silence && Math.round(Math.max(OFFLINE_AFTER_S, silence));
}
