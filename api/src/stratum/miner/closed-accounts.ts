/**
 * Ends the connections of sub-accounts that were deleted, or whose user was disabled: at once when this process is told,
 * within `EVERY_MS` when another one did it. What they mined until then is counted.
 */
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
    this.unsubscribe = options.directory.onChange(() => {
      options.cache.forget(new Set());
      void this.look();
    });
    this.timer = setInterval(() => void this.look(), options.everyMs ?? EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.unsubscribe();
  }

  private async look(): Promise<void> {
    const { directory, cache, sessions, log } = this.options;
    const mining = new Set([...sessions].flatMap(({ subAccountId }) => subAccountId ?? []));
    if (mining.size === 0) return;
    try {
      const closed = new Set(await directory.closed([...mining]));
      if (closed.size === 0) return;
      cache.forget(closed);
      log.info({ subAccountIds: [...closed] }, 'accounts closed: their miners are sent away');
      for (const session of sessions)
        if (session.subAccountId !== null && closed.has(session.subAccountId)) session.leave('account closed');
    } catch (error) {
      log.warn({ err: error }, 'closed accounts cannot be looked for; tried again');
    }
  }
}
