import { isIPv6 } from 'node:net';

/** How many times as much as a network a site may have. */
const SITE_FACTOR = 4;

/** The address; for IPv6 its /64 network, because a user usually has all addresses of it. */
export function networkOf(ip: string): string {
  return networksOf(ip)[0].network;
}

/** A network, and how many times a limit of one address it may have. */
type LimitedNetwork = { network: string; factor: number };

/**
 * Networks that share a limit: the address itself, or for IPv6 its /64 and its /48 (a site, for which a provider gives
 * 65,536 of the former).
 */
export function networksOf(ip: string): readonly [LimitedNetwork, ...LimitedNetwork[]] {
  if (!isIPv6(ip)) return [{ network: ip, factor: 1 }];
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return [{ network: mapped, factor: 1 }];
  const [head = '', tail] = ip.split('%', 1).join('').split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  const first = (count: number): string =>
    groups
      .slice(0, count)
      .map((group) => parseInt(group, 16).toString(16))
      .join(':');
  return [
    { network: `${first(4)}::/64`, factor: 1 },
    { network: `${first(3)}::/48`, factor: SITE_FACTOR },
  ];
}
