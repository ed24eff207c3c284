/**
 * One of several processes does what must be done by one: it holds a lock of the database's session. Who follows it
 * asks every two seconds, and takes over when its connection ends. Its work may overlap with that of one that has lost
 * the lock and does not know yet: closing days and sending messages are safe then, each by its own keys.
 */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { DatabaseInUse, serverLock } from '../platform/db/server-lock';
import type { Logger } from '../platform/log';

const ASK_MS = 2000;

/** `lead`: starts the work, and returns how it is stopped; so does this. */
export function followLeader(url: string, log: Logger, lead: () => Promise<() => Promise<void>>): () => Promise<void> {
  const stopped = new AbortController();

  /** Leads until the lock is another's, or this process stops. */
  const term = async (): Promise<void> => {
    const lost = new AbortController();
    const ended = AbortSignal.any([stopped.signal, lost.signal]);
    const lock = serverLock({ url, of: 'leader', patienceMs: 0, log, lost: () => lost.abort() });
    await lock.take();
    try {
      if (ended.aborted) return;
      log.info('this process does the jobs of the pool now');
      const finish = await lead();
      if (!ended.aborted) await once(ended, 'abort');
      await finish();
    } finally {
      await lock.release();
    }
  };
  const follow = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await term().catch((error: unknown) => {
        if (!(error instanceof DatabaseInUse))
          log.warn({ err: error }, 'the jobs of the pool cannot be taken over yet');
      });
      await setTimeout(ASK_MS, null, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const following = follow();
  return async () => {
    stopped.abort();
    await following;
  };
}
