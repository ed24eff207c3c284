/** Addresses in one notation, and the networks that limits count by. */
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How many times as much as a network a site may have. */
const SITE_FACTOR = 4;
/** An address in brackets, or an IPv4 address, with or without a port (RFC 7239, section 6). */
const NODE = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** An address as logs show and limits count it, IPv4-mapped IPv6 as IPv4; null when the text is no address. */
export function addressOf(text: string): string | null {
  if (isIPv4(text)) return text;
  const [, v6, v4] = NODE.exec(text) ?? [];
  const [bare = ''] = (v6 ?? v4 ?? text).split('%', 1);
  return isIP(bare) ? ipaddr.process(bare).toString() : null;
}

/** The address; for IPv6 its /64 network, because a user usually has all addresses of it. */
export function networkOf(ip: string): string {
  return networksOf(ip)[0].network;
}

/** A network, and how many times a limit of one address it may have. */
export type LimitedNetwork = { network: string; factor: number };

/** Networks that share a limit: the address itself, or for IPv6 its /64 and its /48, which has 65,536 of those. */
export function networksOf(ip: string): readonly [LimitedNetwork, ...LimitedNetwork[]] {
  const address = addressOf(ip) ?? ip;
  const groups = groupsOf(address);
  if (!groups) return [{ network: address, factor: 1 }];
  return [
    { network: `${groups.slice(0, 4).join(':')}::/64`, factor: 1 },
    { network: `${groups.slice(0, 3).join(':')}::/48`, factor: SITE_FACTOR },
  ];
}

/** The network that one customer of a provider may have as a whole: the /24 of an IPv4 address, the /48 of an IPv6. */
export function siteOf(ip: string): string {
  const address = addressOf(ip) ?? ip;
  const groups = groupsOf(address);
  return groups ? `${groups.slice(0, 3).join(':')}::/48` : `${address.split('.', 3).join('.')}.0/24`;
}

/** The eight groups of an IPv6 address, in hexadecimal; null for any other text. */
const groupsOf = (address: string): string[] | null =>
  isIP(address) === 6 ? ipaddr.IPv6.parse(address).parts.map((group) => group.toString(16)) : null;
