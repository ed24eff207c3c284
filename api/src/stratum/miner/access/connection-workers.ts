/**
 * The workers of one connection. A farm's proxy authorises many of one account on one connection; each share counts for
 * the worker that it names (docs/adr/0005-stratum.md).
 */
import type { AlgorithmName } from '@pool/shared/domain';
import { networkOf } from '../../../network-of';
import type { ShareSink } from '../../ports';
import type { Authorised, Refused } from './authorise';
import type { Bans } from './bans';
import type { Place, WorkerSlots } from './worker-slots';

/** `text`: the name as sent; `banKey`: network and name. */
export type Miner = Authorised & { banKey: string; place: Place };

export type WorkersDeps = { algorithm: AlgorithmName; slots: WorkerSlots; bans: Bans; sink: ShareSink; now(): number };

/** Length from which on firmware cuts a name that it submits with (Avalon: 63, Whatsminer: 127). */
const CUT_NAME = 63;

export class ConnectionWorkers {
  software: string | null = null;
  /** Of the connection. */
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
    const banKey = `${networkOf(this.address)} ${found.account}.${worker}`;
    if (bans.banned(banKey))
      return { refused: 'Banned for a while: too many bad shares', reason: 'banned', subAccountId };
    const { address } = this;
    const evict = (): void => this.remove(text, 'gives way');
    const place = slots.claim({ subAccountId, algorithm, worker, address, own, evict });
    if (!place) return { refused: 'Too many workers', reason: 'too_many_workers', subAccountId };
    const miner = { ...found, banKey, place };
    this.byName.set(text, miner);
    if (this.size === 2 && !this.isFarm) {
      this.isFarm = true;
      this.tell(this.difficulty);
    } else this.report(miner);
    return miner;
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

  /** The connection has another difficulty. */
  tell(difficulty: number | null): void {
    this.difficulty = difficulty;
    for (const miner of this.byName.values()) this.report(miner);
  }

  /** The connection has ended. */
  leave(): void {
    for (const miner of this.byName.values()) this.release(miner);
    this.byName.clear();
  }

  private release(miner: Miner): void {
    if (miner.place.release() === 0) this.report(miner, false);
  }

  private report({ subAccountId, worker }: Miner, connected = true): void {
    const { sink, algorithm, now } = this.deps;
    sink.presence({
      subAccountId,
      algorithm,
      worker,
      connected,
      // That of many machines together says nothing of one of them.
      difficulty: connected && !this.isFarm ? this.difficulty : null,
      software: this.software,
      remote: this.address,
      at: now(),
    });
  }
}
