/** An upstream pool as the operator configures it: `stratum+tcp://user:password@host:port`, or without a user. */
import { unescape } from 'node:querystring';
import type { AlgorithmName } from '@pool/shared/domain';
import type { PoolTarget } from '../ports';
import { OperatorError } from '../../platform/operator-error';

/** DEMO ONLY. From difficulty `from` on, hashes need only difficulty / `scale`: software rigs count like a farm. */
export type Nominal = { scale: number; from: number };

/** `id`: a user's own, whose address is checked each time. */
export type UpstreamTarget = Omit<PoolTarget, 'id'> & Partial<Pick<PoolTarget, 'id'>> & { nominal?: Nominal };

/** What its work is recorded under: `host:port user`, or the name of the built-in pool, whose port changes. */
export const recordName = ({ name, host, url, user }: Pick<UpstreamTarget, 'name' | 'host' | 'url' | 'user'>): string =>
  name === host ? `${url.replace(/^stratum\+\w+:\/\//, '')} ${user}` : name;

/** The account and the worker that mine to an upstream; a look has no worker, that of a pool's own upstream no account. */
export type Names = { account?: string; worker?: string };

/** The user to send, with the account and the worker in their places: pools that set the difficulty by user need it. */
export const userOf = ({ user }: Pick<UpstreamTarget, 'user'>, { account, worker }: Names = {}): string =>
  user.replaceAll('{account}', account ?? NO_NAME).replaceAll('{worker}', worker ?? NO_NAME);
const NO_NAME = 'default';

/** What a hash must reach for a share of `difficulty` when the miner suggested `suggested`. */
export const requiredProof = (difficulty: number, suggested: number | null, nominal?: Nominal): number =>
  nominal && suggested !== null && Math.min(suggested, difficulty) >= nominal.from
    ? difficulty / nominal.scale
    : difficulty;

export class BadUpstreamUrl extends OperatorError {
  override readonly name = 'BadUpstreamUrl';
}

/** Throws `BadUpstreamUrl` without repeating the password. */
export function parseUpstream(algorithm: AlgorithmName, copied: string, name?: string): UpstreamTarget {
  const text = copied.trim();
  let url: URL;
  try {
    // URL normalises the host only for special schemes such as http.
    url = new URL(
      text.replace(/^stratum\+(tcp|ssl):\/\//, (_, scheme: string) => (scheme === 'ssl' ? 'https://' : 'http://')),
    );
  } catch {
    throw new BadUpstreamUrl(`upstream of ${algorithm} is not stratum+tcp://user:password@host:port`);
  }
  const tls = text.startsWith('stratum+ssl://');
  if (!tls && !text.startsWith('stratum+tcp://'))
    throw new BadUpstreamUrl(`upstream of ${algorithm} must start with stratum+tcp:// or stratum+ssl://`);
  const port = Number(url.port || (tls ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A password with a `%` that encodes nothing is taken as it is.
  const user = unescape(url.username) || 'pool';
  if (!host) throw new BadUpstreamUrl(`upstream of ${algorithm} needs a host`);
  const shown = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return {
    algorithm,
    name: name ?? host,
    url: `stratum+${tls ? 'ssl' : 'tcp'}://${shown}`,
    host,
    port,
    tls,
    user,
    password: unescape(url.password) || 'x',
  };
}
