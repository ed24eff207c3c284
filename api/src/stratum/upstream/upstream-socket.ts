/** Opens sockets to upstream pools: to the operator's by name, to a user's only by the addresses that were checked. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Address, dial } from '../../platform/dial';
import { OutboundRefused } from '../../platform/outbound';
import type { UpstreamTarget } from './upstream-target';

export type Outbound = {
  /** Resolves a name and checks its addresses (outbound.ts). Rejects when one is not allowed. */
  resolve(host: string, port: number): Promise<readonly Address[]>;
  /** Certificates trusted instead of the system's (tests). */
  ca?: string;
  /** The own IPv4 address that the next connection starts from; undefined: the system chooses. */
  source?(): string | undefined;
};

/** Throws when one of the addresses is not one of this machine. */
export const assertOwn = async (addresses: readonly string[]): Promise<void> => {
  for (const host of addresses) {
    const server = createServer();
    await once(server.listen({ host, port: 0 }), 'listening').catch(({ message }: Error) => {
      throw new Error(`UPSTREAM_SOURCES: ${host} cannot be used: ${message}`);
    });
    server.close();
  }
};

/** Round robin: gives one address after the other. */
export function roundRobin(addresses: readonly string[]): () => string | undefined {
  let next = 0;
  return () => addresses[next++ % addresses.length];
}

/** Concurrent lookups of one host share a result; a finished one is never reused. */
export function shareLookups({ resolve, ca, source }: Outbound): Outbound {
  const pending = new Map<string, Promise<readonly Address[]>>();
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

/** Where a connection goes: as configured, or where `client.reconnect` leads. */
export type Place = Pick<UpstreamTarget, 'host' | 'port'>;

/** Resolved for each connection, because a name's addresses may change. The operator's own host needs no check. */
async function addressesOf({ id, host: own }: UpstreamTarget, { host, port }: Place, outbound: Partial<Outbound>) {
  if (id === undefined && host === own) return (await lookup(host, { all: true })) as Address[];
  if (!outbound.resolve) throw new OutboundRefused('invalid_host', 'an address that somebody else names needs a check');
  try {
    return await outbound.resolve(host, port);
  } catch {
    // Why an address is refused is not shown to users.
    throw new OutboundRefused('invalid_host', 'the address cannot be connected to');
  }
}

/** Rejects with `OutboundRefused`. With TLS `secureConnect` follows, which checks the host's name. */
export async function openSocket(
  target: UpstreamTarget,
  place: Place,
  outbound: Partial<Outbound> = {},
  signal?: AbortSignal,
): Promise<Socket> {
  const { ca, source } = outbound;
  const addresses = await addressesOf(target, place, outbound);
  const localAddress = source?.();
  const ipv4 = localAddress === undefined ? [] : addresses.filter(({ family }) => family === 4);
  const socket = await (ipv4.length > 0
    ? dial(ipv4, place.port, { localAddress, signal })
    : dial(addresses, place.port, { signal }));
  const { host } = place;
  return target.tls ? connectTls({ socket, ca, host, ...(isIP(host) ? {} : { servername: host }) }) : socket;
}
