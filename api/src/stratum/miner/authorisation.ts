/** The names that one connection authorises with: looked up one after the other, and refused after a few wrong ones. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import { networkOf } from '../../platform/network-of';
import type { CachedDirectory } from './directory';
import { ERROR, type ErrorCode, type Id, type Request } from '../wire/protocol';
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

type Connection = {
  isOpen(): boolean;
  answer(id: Id, result: unknown): void;
  error(id: Id, code: ErrorCode, message: string): void;
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
    private readonly connection: Connection,
  ) {}

  /** Whether no name was taken, and none refused last. */
  get isNameless(): boolean {
    return !this.first && this.refused === 0;
  }

  take(request: Request): void {
    this.turn = this.turn.then(() => this.authorise(request));
  }

  /** The connection has ended. */
  leave(): void {
    if (this.isNameless) this.note('no_name', this.deps.owner, null);
    this.first = null;
  }

  private async authorise({ id, params }: Request): Promise<void> {
    const { directory, log, owner, slots, algorithm } = this.deps;
    const { connection, workers } = this;
    const [text, password] = params;
    if (!connection.isOpen()) return;
    if (workers.has(text)) return connection.answer(id, true);
    if (this.refused >= MAX_REFUSED) return connection.end('too many authorisations');
    let found: Awaited<ReturnType<typeof authoriseMiner>>;
    try {
      found = await authoriseMiner(text, password, directory, owner);
    } catch (error) {
      log.error({ err: error }, 'accounts cannot be read');
      connection.error(id, ERROR.other, 'Try again in a moment');
      return this.first ? undefined : connection.end('accounts cannot be read');
    }
    if (!connection.isOpen()) return;
    if ('refused' in found) return this.turnAway(id, text, found);
    if (this.first && this.first.subAccountId !== found.subAccountId) {
      this.refused += 1;
      return connection.error(id, ERROR.unauthorised, 'Another account needs a connection of its own');
    }
    const account = { subAccountId: found.subAccountId, algorithm };
    const own = slots.isFull(account) ? await directory.ownWorkers(account) : NO_NAMES;
    if (!connection.isOpen()) return;
    const miner = workers.add(found, own);
    if ('refused' in miner) {
      this.turnAway(id, text, miner);
      return this.first || miner.reason !== 'banned' ? undefined : connection.end('banned');
    }
    this.refused = 0;
    this.first ??= found;
    connection.answer(id, true);
    connection.added(password);
  }

  private turnAway(id: Id, name: unknown, { refused, reason, subAccountId }: Refused): void {
    this.refused += 1;
    this.note(reason, subAccountId, name);
    this.connection.error(id, ERROR.unauthorised, refused);
  }

  private note(reason: Refused['reason'], subAccountId: number | null, name: unknown): void {
    const { refusals, algorithm, now } = this.deps;
    const at = Math.floor(now() / 1000);
    refusals.note(networkOf(this.address), { at, algorithm, reason, subAccountId, name });
  }
}
