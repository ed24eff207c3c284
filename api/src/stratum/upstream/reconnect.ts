/** Where `client.reconnect` of an upstream leads. */
import { getDomain } from 'tldts';
import { numberOf } from '../wire/protocol';
import type { Place } from './upstream-socket';

export type Reconnect = Place & { waitMs: number };

const MAX_WAIT_MS = 60_000;

const isNone = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Whether one owner has both: equal, or of the same registrable domain. */
function sameOwner(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  const domain = getDomain(one, { allowPrivateDomains: true });
  return one === other || (domain !== null && domain === getDomain(other, { allowPrivateDomains: true }));
}

/** Reads `[host, port, seconds]`, each optional. Null: it leads to another owner than `from`, or makes no sense. */
export function parseReconnect(params: unknown[], from: Place): Reconnect | null {
  const host = isNone(params[0]) ? from.host : params[0];
  const port = isNone(params[1]) ? from.port : numberOf(params[1]);
  if (typeof host !== 'string' || !sameOwner(host, from.host)) return null;
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const waitMs = Math.min(numberOf(params[2]) * 1000, MAX_WAIT_MS);
  return { host, port, waitMs: waitMs > 0 ? waitMs : 0 };
}
