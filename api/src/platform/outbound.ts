/** Checks where the proxy may connect for a user (docs/security.md, 49): to these addresses, never to the name. */
import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Address } from './dial';
import { inTime } from './in-time';
import { succeeds } from './succeeds';

/** Every address of a name; rejects when there is none. */
type Resolver = (host: string) => Promise<readonly { address: string }[]>;

export type OutboundPolicy = {
  /** Allows private, loopback, unique local and shared (CGNAT) addresses. */
  allowPrivate: boolean;
  /** Host names, addresses and CIDR ranges the operator allows, on any port. */
  allow?: readonly string[];
  /** Ports that the pool listens on, never connected to here: each miner's connection would cause another. */
  ownPorts?(): readonly number[];
  /** Names and addresses of this machine besides those of its interfaces (public ones behind NAT). */
  ownHosts?: readonly string[];
  resolver?: Resolver;
  timeoutMs?: number;
};

export type OutboundCode = 'invalid_host' | 'unresolvable' | 'internal' | 'own' | 'port';
/** Why an address is refused, for the log only: users could probe internal names by it. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
  constructor(
    readonly code: OutboundCode,
    message: string,
  ) {
    super(message);
  }
}

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

const RESOLVE_MS = 5000;
/** System ports that pools use to pass firewalls; mail's would send spam. */
const LOW_PORTS = new Set([80, 443]);
const PRIVATE = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

const system: Resolver = (host) => lookup(host, { all: true });

/** One spelling for each host: 0x7f000001, 2130706433, 0177.1, １２７.0.0.1 and `127.0.0.1.` become 127.0.0.1. */
export function canonicalHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIPv6(bare) && !bare.includes('%')) return ipaddr.IPv6.parse(bare).toString();
  try {
    const url = new URL(`http://${host}/`);
    // A port would disappear from `href` when it is the default one.
    if (!host.includes(':') && url.href === `http://${url.hostname}/`) {
      const name = url.hostname.replace(/\.+$/, '');
      if (name && name.length <= 253) return name;
    }
  } catch {
    /* The error below says it. */
  }
  throw new OutboundRefused('invalid_host', 'not a host name or an address');
}

/** An address in the form the system would connect to it: ::ffff:10.0.0.1 is 10.0.0.1. */
const parseIp = (text: string): Ip => ipaddr.process(text);
const isIp = (text: string): boolean => isIPv6(text) || ipaddr.IPv4.isValidFourPartDecimal(text);

/** Parses an entry of `allow`. Throws when it is no name, address or range. */
function parseAllowed(entry: string): { name: string } | { range: [Ip, number] } {
  if (entry.includes('/')) return { range: ipaddr.parseCIDR(entry) };
  const host = canonicalHost(entry);
  if (!isIp(host)) return { name: host };
  const ip = parseIp(host);
  return { range: [ip, ip.kind() === 'ipv4' ? 32 : 128] };
}

export const isAllowEntry = (entry: string): boolean => succeeds(() => parseAllowed(entry));

const within = (ip: Ip, [range, bits]: [Ip, number]): boolean => ip.kind() === range.kind() && ip.match(range, bits);
const named = (allow: readonly string[], host: string, ip: Ip): boolean =>
  allow.some((entry) => {
    const known = parseAllowed(entry);
    return 'name' in known ? known.name === host : within(ip, known.range);
  });

async function resolveAll(host: string, { resolver = system, timeoutMs = RESOLVE_MS }: OutboundPolicy): Promise<Ip[]> {
  if (isIp(host)) return [parseIp(host)];
  // Why a name does not resolve is not shown to users.
  const found = await inTime(resolver(host), timeoutMs)
    .then((all) => all.map(({ address }) => parseIp(address)))
    .catch(() => []);
  if (found.length) return found;
  throw new OutboundRefused('unresolvable', 'the name does not resolve');
}

/** Addresses that lead back to this machine. */
async function ownAddresses(policy: OutboundPolicy): Promise<Set<string>> {
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => parseIp(address.replace(/%.*$/, '')).toString()),
  );
  const named = await Promise.all(
    (policy.ownHosts ?? []).map((host) =>
      Promise.resolve()
        .then(() => resolveAll(canonicalHost(host), policy))
        .catch(() => []),
    ),
  );
  return new Set([...own, ...named.flat().map(String)]);
}

function check(host: string, ip: Ip, port: number, own: ReadonlySet<string>, policy: OutboundPolicy): void {
  const range = ip.range();
  const isOwn = range === 'loopback' || range === 'unspecified' || own.has(ip.toString());
  if (isOwn && policy.ownPorts?.().includes(port)) throw new OutboundRefused('own', 'a port of the pool itself');
  if (named(policy.allow ?? [], host, ip)) return;
  if (policy.allowPrivate && PRIVATE.has(range)) return;
  if (isOwn) throw new OutboundRefused('own', 'this machine');
  // No IPv6 address outside 2000::/3 is public, whatever its range is called.
  if (range !== 'unicast' || (ip.kind() === 'ipv6' && !within(ip, GLOBAL_IPV6)))
    throw new OutboundRefused('internal', `an address of the kind ${range}`);
  if (port < 1024 && !LOW_PORTS.has(port)) throw new OutboundRefused('port', 'a port of the system');
}

/** The addresses to connect to for `host`. Throws `OutboundRefused` when any of them is not allowed. */
export async function resolveOutbound(host: string, port: number, policy: OutboundPolicy): Promise<Address[]> {
  const canonical = canonicalHost(host);
  if (!policy.allowPrivate && /(^|\.)localhost$/.test(canonical) && !(policy.allow ?? []).includes(canonical))
    throw new OutboundRefused('internal', 'this machine');
  const addresses = await resolveAll(canonical, policy);
  const own = await ownAddresses(policy);
  for (const ip of addresses) check(canonical, ip, port, own, policy);
  return addresses.map((ip) => ({ address: ip.toString(), family: ip.kind() === 'ipv4' ? 4 : 6 }));
}
