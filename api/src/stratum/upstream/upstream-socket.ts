/** Opens sockets to upstream pools: to the operator's by name, to a user's only by the addresses that were checked. */
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Address, dial } from '../../platform/dial';
import { OutboundRefused } from '../../platform/outbound';
import type { UpstreamTarget } from './upstream-target';

export type Outbound = {
  /** Resolves a name and checks its addresses (outbound.ts). Rejects when one is not allowed. */
  resolve(host: string, port: number): Promise<readonly Address[]>;
  /** Certificates trusted instead of the system's (tests). */
  ca?: string;
};

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
  const { ca } = outbound;
  const socket = await dial(await addressesOf(target, place, outbound), place.port, { signal });
  const { host } = place;
  return target.tls ? connectTls({ socket, ca, host, ...(isIP(host) ? {} : { servername: host }) }) : socket;
}
