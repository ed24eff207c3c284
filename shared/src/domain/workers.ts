export const WORKER_STATES = ['online', 'low', 'offline', 'inactive'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

export const OFFLINE_AFTER_S = 10 * 60;
export const INACTIVE_AFTER_S = 24 * 3600;
const DEFAULT_ALERT_LIMIT = 0.7;

/** What a worker's hour and day need before the hour is judged: else chance alone looks like a fault. */
export const STEADY = { steps: 5, shares: 480 };

/** Sort order of states, problems first. */
export const STATE_ORDER: Record<WorkerState, number> = { offline: 0, low: 1, online: 2, inactive: 3 };

/** `disconnectedAt`: Unix seconds; only of workers that are online or low, and have no connection any more. */
type Stated = { state: WorkerState; disconnectedAt?: number | undefined };
type Troubled = Stated & { h1: number; h24: number; lastShareAt: number | null };

/** How many are in each state; `total` without inactive ones. `disconnectedAt`: of the last. */
export function countWorkers(workers: Iterable<Stated>) {
  const counts = { online: 0, low: 0, offline: 0, inactive: 0 };
  const gone: number[] = [];
  for (const { state, disconnectedAt } of workers) {
    counts[state] += 1;
    if (disconnectedAt !== undefined) gone.push(disconnectedAt);
  }
  return {
    ...counts,
    total: counts.online + counts.low + counts.offline,
    ...(gone.length > 0 && { disconnected: gone.length, disconnectedAt: gone.reduce((a, b) => Math.max(a, b)) }),
  };
}

const troubleOf = ({ state, disconnectedAt }: Stated) =>
  disconnectedAt === undefined ? STATE_ORDER[state] : STATE_ORDER.low - 0.5;

/** Problems first: by state, then offline workers from the one that stopped last, low workers by what is left of them. */
export function byTrouble(a: Troubled, b: Troubled): number {
  const states = troubleOf(a) - troubleOf(b);
  if (states !== 0) return states;
  if (a.state === 'low') return hourOfDay(a) - hourOfDay(b);
  if (a.state === 'offline') return (b.lastShareAt ?? 0) - (a.lastShareAt ?? 0);
  return 0;
}

/** The 1 h hashrate as a part of the 24 h mean. */
const hourOfDay = ({ h1, h24 }: Troubled) => (h24 > 0 ? h1 / h24 : 0);

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

const SECONDS: Record<string, number> = { m: 60, h: 3600, d: 86_400 };

/**
 * Tests for all words of a search, in any order and case; `*` stands for anything within a line, `-word` for what has
 * no such line, `>2h` (`m`, `h`, `d`) for longer silence. `now`, `lastShareAt`: Unix seconds.
 */
export function searchTest(search: string, now = Date.now() / 1000) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const tests = words.map((word) => {
    const [, count, unit = ''] = /^>(\d+)([mhd])$/.exec(word) ?? [];
    const isNot = /^-./.test(word);
    const parts = word.slice(Number(isNot)).split('*');
    return (lines: readonly string[], silence: number): boolean =>
      count ? silence > Number(count) * SECONDS[unit]! : lines.some((line) => hasInOrder(line, parts)) !== isNot;
  });
  return (text: string, lastShareAt: number | null = null): boolean =>
    tests.every((test) => test(text.split('\n'), now - (lastShareAt ?? 0)));
}

/** Not a regular expression: one of many stars would take a server minutes. */
function hasInOrder(line: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = line.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** What a search for workers looks at: name, account, group, address, model, port (`:3333`, `tls`) and state, in small letters. */
export const searchedText = (
  worker: Readonly<{
    name: string;
    account?: string | undefined;
    group: string | null;
    address?: string | null | undefined;
    software: string | null;
    port?: number | undefined;
    tls?: boolean | undefined;
    state: string;
  }>,
  words = '',
): string =>
  [
    ...[worker.name, worker.account, worker.group, worker.address, worker.software, worker.state, words],
    worker.port && `:${worker.port}`,
    worker.tls && 'tls',
  ]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();

/** Name of a sub-account: 3-32 of a-z 0-9 _ -, starting with a letter. */
export const ACCOUNT_NAME = /^[a-z][a-z0-9_-]{2,31}$/;
/** All sub-accounts that the caller may read together, in place of the name of one. No sub-account has this name. */
export const ALL_ACCOUNTS = 'ALL';
/** Name of a worker, the part after `account.`. */
export const WORKER_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Text shortened in the middle for display; copy buttons must copy the full text. */
export const shorten = (text: string, head = 8, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
