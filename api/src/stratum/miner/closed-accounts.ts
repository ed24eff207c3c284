/** Disconnects the miners of closed accounts: at once, or within `EVERY_MS` when another process closed them. */
import type { Logger } from 'pino';
import type { AccountDirectory } from '../ports';
import type { CachedDirectory } from './directory';
import type { MinerSession } from './session';

const EVERY_MS = 5000;

export type ClosedAccountsOptions = {
  directory: AccountDirectory;
  cache: CachedDirectory;
  sessions: Iterable<MinerSession>;
  log: Logger;
  everyMs?: number;
};

export class ClosedAccounts {
  private readonly timer: NodeJS.Timeout;
  private readonly unsubscribe: () => void;

  constructor(private readonly options: ClosedAccountsOptions) {
    this.unsubscribe = options.directory.onChange((reconnect) => {
      options.cache.forget();
      this.sendAway(new Set(reconnect), 'password changed');
      void this.check();
    });
    this.timer = setInterval(() => void this.check(), options.everyMs ?? EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.unsubscribe();
  }

  private sendAway(subAccountIds: ReadonlySet<number>, reason: string): void {
    for (const session of this.options.sessions)
      if (session.subAccountId !== null && subAccountIds.has(session.subAccountId)) session.leave(reason);
  }

  private async check(): Promise<void> {
    const { directory, cache, sessions, log } = this.options;
    const mining = new Set([...sessions].flatMap(({ subAccountId }) => subAccountId ?? []));
    if (mining.size === 0) return;
    try {
      const closed = new Set(await directory.closed([...mining]));
      if (closed.size === 0) return;
      cache.forget();
      log.info({ subAccountIds: [...closed] }, 'accounts closed: their miners are disconnected');
      this.sendAway(closed, 'account closed');
    } catch (error) {
      log.warn({ err: error }, 'closed accounts cannot be read; it is retried');
    }
  }
}
