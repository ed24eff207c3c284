/** The names that one connection authorises with: looked up one after the other, and refused after a few wrong ones. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import { networkOf } from '../../platform/network-of';
import type { CachedDirectory } from './directory';
import { ERROR, type Id, type Request } from '../wire/protocol';
import type { Wire } from '../wire/wire';
import { type Authorised, authoriseMiner, type Refused } from './access/authorise';
import type { ConnectionWorkers } from './connection-workers';
import type { Refusals } from './access/refusals';
import type { WorkerSlots } from './access/worker-slots';

export type AuthorisationDeps = {
  algorithm: AlgorithmName;
  directory: CachedDirectory;
  slots: WorkerSlots;
  refusals: Refusals;
  /** Sub-account the port is assigned to; null: everybody's. */
  owner: number | null;
  log: Logger;
  now(): number;
};

type Events = {
  end(reason: string): void;
  /** A worker was authorised, and told so. */
  added(password: unknown): void;
};

const NO_NAMES: ReadonlySet<string> = new Set();
/** Names refused one after the other. */
const MAX_REFUSED = 5;

export class Authorisation {
  /** The first worker: all others are of its account, whose upstream gives the work. */
  first: Authorised | null = null;
  private turn = Promise.resolve();
  private refused = 0;

  constructor(
    private readonly address: string,
    private readonly deps: AuthorisationDeps,
    private readonly workers: ConnectionWorkers,
    private readonly wire: Wire,
    private readonly events: Events,
  ) {}

  /** Whether no name was taken, and none refused last. */
  get isNameless(): boolean {
    return !this.first && this.refused === 0;
  }

  take(request: Request): void {
    this.turn = this.turn.then(() => this.authorise(request));
  }

  leave(): void {
    if (this.isNameless) this.note('no_name', this.deps.owner, null);
    this.first = null;
  }

  private async authorise({ id, params }: Request): Promise<void> {
    const { directory, log, owner, slots, algorithm } = this.deps;
    const { wire, events, workers } = this;
    const [text, password] = params;
    if (!wire.open) return;
    if (workers.has(text)) return wire.answer(id, true);
    if (this.refused >= MAX_REFUSED) return events.end('too many authorisations');
    let found: Awaited<ReturnType<typeof authoriseMiner>>;
    try {
      found = await authoriseMiner(text, password, directory, owner);
    } catch (error) {
      log.error({ err: error }, 'accounts cannot be read');
      wire.error(id, ERROR.other, 'Try again in a moment');
      return this.first ? undefined : events.end('accounts cannot be read');
    }
    if (!wire.open) return;
    if ('refused' in found) return this.turnAway(id, text, found);
    if (this.first && this.first.subAccountId !== found.subAccountId) {
      this.refused += 1;
      return wire.error(id, ERROR.unauthorised, 'Another account needs a connection of its own');
    }
    const account = { subAccountId: found.subAccountId, algorithm };
    const own = slots.isFull(account) ? await directory.ownWorkers(account) : NO_NAMES;
    if (!wire.open) return;
    const miner = workers.add(found, own);
    if ('refused' in miner) {
      this.turnAway(id, text, miner);
      return this.first || miner.reason !== 'banned' ? undefined : events.end('banned');
    }
    this.refused = 0;
    this.first ??= found;
    wire.answer(id, true);
    events.added(password);
  }

  private turnAway(id: Id, name: unknown, { refused, reason, subAccountId }: Refused): void {
    this.refused += 1;
    this.note(reason, subAccountId, name);
    this.wire.error(id, ERROR.unauthorised, refused);
  }

  private note(reason: Refused['reason'], subAccountId: number | null, name: unknown): void {
    const { refusals, algorithm, now } = this.deps;
    const at = Math.floor(now() / 1000);
    refusals.note(networkOf(this.address), { at, algorithm, reason, subAccountId, name });
  }
}
