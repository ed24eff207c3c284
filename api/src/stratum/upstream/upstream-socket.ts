/** Opens sockets to upstream pools: to the operator's by name, to a user's only by the address that was checked. */
import { connect as connectTcp, createServer, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address } from './outbound';
import type { UpstreamTarget } from './upstream-target';

export type Outbound = {
  /**
   * Resolves a name, checks its addresses and returns the one to connect to (outbound.ts). Rejects when not allowed.
   */
  resolve(host: string, port: number): Promise<Address>;
  /** Certificates trusted instead of the system's (tests). */
  ca?: string;
  /** The own IPv4 address that the next connection starts from; undefined: the system chooses. */
  source?(): string | undefined;
};

/** Throws when one of the addresses is not one of this machine. */
export const assertOwn = async (addresses: readonly string[]): Promise<void> => {
  for (const host of addresses)
    await new Promise<void>((resolve, reject) => {
      const server = createServer();
      server.once('error', ({ message }) => reject(new Error(`UPSTREAM_SOURCES: ${host} cannot be used: ${message}`)));
      server.listen({ host, port: 0 }, () => server.close(() => resolve()));
    });
};

/** Round robin: gives one address after the other. */
export function roundRobin(addresses: readonly string[]): () => string | undefined {
  let next = 0;
  return () => addresses[next++ % addresses.length];
}

/** Concurrent lookups of one host share a result; a finished one is never reused. */
export function shareLookups({ resolve, ca, source }: Outbound): Outbound {
  const pending = new Map<string, Promise<Address>>();
  return {
    ca,
    source,
    resolve: (host, port) => {
      const key = `${host} ${port}`;
      const known = pending.get(key);
      if (known) return known;
      const answer = resolve(host, port).finally(() => pending.delete(key));
      pending.set(key, answer);
      return answer;
    },
  };
}

/** The address to connect to. Resolved for each connection, because a name's address may change. */
export function addressOf(
  { id, host, port }: UpstreamTarget,
  outbound: Outbound | undefined,
): Promise<string> | string {
  if (id === undefined) return host;
  if (!outbound) throw new Error("a user's pool needs an address check");
  return outbound.resolve(host, port).then(({ address }) => address);
}

/** The certificate is checked against the host name as configured, whatever address it has. */
export function openSocket(
  { host, port, tls }: UpstreamTarget,
  address: string,
  { ca, source }: Pick<Outbound, 'ca' | 'source'> = {},
): { socket: Socket; opened: 'connect' | 'secureConnect' } {
  const localAddress = isIPv6(address) ? undefined : source?.();
  // A name may have addresses of both families.
  const to = { host: address, port, ...(localAddress && { localAddress, family: 4 }) };
  if (!tls) return { socket: connectTcp(to), opened: 'connect' };
  return {
    socket: connectTls({ ...to, ca, ...(isIP(host) ? {} : { servername: host }) }),
    opened: 'secureConnect',
  };
}
