/** Miners that were not let in, for their owner: of the account, or of near names (docs/security.md). */
import type { Refusal } from '@pool/shared/api/contract';
import { LRUCache } from 'lru-cache';

const KEEP_MS = 15 * 60_000;
const MAX_NETWORKS = 2000;
/** One network cannot push out the refusals of others. */
const MAX_OF_NETWORK = 10;

/** `subAccountId`: the account that was named, or whose port it was; null when there is no such account. */
export type Refused = Refusal & { subAccountId: number | null };
/** Account that asks, and the network of its user. */
export type Asker = { subAccountId: number; account: string; network: string | null };

export class Refusals {
  private readonly networks = new LRUCache<string, Refused[]>({ max: MAX_NETWORKS, ttl: KEEP_MS });

  /** `name`: as the miner sent it. */
  note(network: string, { name, ...rest }: Omit<Refused, 'name'> & { name: unknown }): void {
    const text = typeof name === 'string' && /^[\x21-\x7e]{1,97}$/.test(name) ? name : null;
    const others = (this.networks.get(network) ?? []).filter(
      (other) => other.name !== text || other.algorithm !== rest.algorithm,
    );
    this.networks.set(network, [{ ...rest, name: text }, ...others].slice(0, MAX_OF_NETWORK));
  }

  /** Newest first. `now`: Unix seconds. */
  of({ subAccountId, account, network }: Asker, now: number): Refusal[] {
    const found: Refusal[] = [];
    for (const [from, refusals] of this.networks.entries())
      for (const { subAccountId: owner, name, ...rest } of refusals) {
        if (rest.at < now - KEEP_MS / 1000) continue;
        const typed = name?.split('.', 1)[0]?.toLowerCase() ?? null;
        if (owner === subAccountId) found.push({ ...rest, name });
        else if (owner !== null) continue;
        else if (typed !== null && isNear(account, typed)) found.push({ ...rest, name: typed });
        else if (from === network) found.push({ ...rest, name: typed && masked(typed) });
      }
    return found.sort((a, b) => b.at - a.at).slice(0, MAX_OF_NETWORK);
  }
}

const masked = (name: string): string => (name.length > 6 ? `${name.slice(0, 3)}…${name.slice(-2)}` : `${name[0]}…`);

/** Whether `typed` is probably meant to be `account`: one or two typing errors, or another mark in place of the dot. */
export function isNear(account: string, typed: string): boolean {
  if (typed.startsWith(account) && /^[^a-z0-9]/.test(typed.slice(account.length))) return true;
  const most = account.length < 6 ? 1 : 2;
  return Math.abs(account.length - typed.length) <= most && editDistance(account, typed) <= most;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
