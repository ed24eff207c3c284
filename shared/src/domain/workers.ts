export const WORKER_STATES = ['online', 'low', 'offline', 'inactive'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

export const OFFLINE_AFTER_S = 10 * 60;
export const INACTIVE_AFTER_S = 24 * 3600;
const DEFAULT_ALERT_LIMIT = 0.7;

/** Sort order of states, problems first. */
export const STATE_ORDER: Record<WorkerState, number> = { offline: 0, low: 1, online: 2, inactive: 3 };

/**
 * State of a worker. `online`: a share within 10 min; `low`: online, but the 1 h hashrate is below
 * `alertLimit` times the 24 h mean; `offline`: no share for more than 10 min, or `offlineAfter` seconds where its shares
 * come seldom; `inactive`: none for more than 24 h.
 * Times in Unix seconds, hashrates in H/s.
 */
export function workerState(
  worker: { lastShareAt: number | null; h1: number; h24: number; alertLimit?: number; offlineAfter?: number },
  now: number,
): WorkerState {
  if (worker.lastShareAt === null) return 'inactive';
  const silence = now - worker.lastShareAt;
  if (silence > INACTIVE_AFTER_S) return 'inactive';
  if (silence > (worker.offlineAfter ?? OFFLINE_AFTER_S)) return 'offline';
  return worker.h1 < worker.h24 * (worker.alertLimit ?? DEFAULT_ALERT_LIMIT) ? 'low' : 'online';
}

/** Name of a sub-account: 3-32 of a-z 0-9 _ -, starting with a letter. */
export const ACCOUNT_NAME = /^[a-z][a-z0-9_-]{2,31}$/;
/** Name of a worker, the part after `account.`. */
export const WORKER_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Text shortened in the middle for display; copy buttons must copy the full text. */
export const shorten = (text: string, head = 8, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
