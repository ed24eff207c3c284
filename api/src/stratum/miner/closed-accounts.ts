/** Disconnects the miners of closed accounts: at once, or within `everyMs` when another process closed them. */
import type { Logger } from 'pino';
import type { AccountDirectory } from '../ports';
import type { CachedDirectory } from './directory';
import type { MinerSession } from './session';

export type ClosedAccountsOptions = {
  directory: AccountDirectory;
  cache: CachedDirectory;
  sessions: Iterable<MinerSession>;
  log: Logger;
  everyMs: number;
};

/** Returns how it is stopped. Shares until the disconnection are counted. */
export function watchClosedAccounts({ directory, cache, sessions, log, everyMs }: ClosedAccountsOptions): () => void {
  const sendAway = (subAccountIds: readonly number[], reason: string): void => {
    cache.forget();
    for (const session of sessions)
      if (session.subAccountId !== null && subAccountIds.includes(session.subAccountId)) session.leave(reason);
  };
  const check = async (): Promise<void> => {
    const mining = new Set([...sessions].flatMap(({ subAccountId }) => subAccountId ?? []));
    if (mining.size === 0) return;
    try {
      const closed = await directory.closed([...mining]);
      if (closed.length === 0) return;
      log.info({ subAccountIds: closed }, 'accounts closed: their miners are disconnected');
      sendAway(closed, 'account closed');
    } catch (error) {
      log.warn({ err: error }, 'closed accounts cannot be read; it is retried');
    }
  };
  const unsubscribe = directory.onChange((reconnect) => {
    sendAway(reconnect, 'password changed');
    void check();
  });
  const timer = setInterval(() => void check(), everyMs);
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}
