/** Opens sockets to upstream pools: to the operator's by name, to a user's only by the address that was checked. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
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
};

/** Concurrent lookups of one host share a result; a finished one is never reused. */
export function shareLookups({ resolve, ca }: Outbound): Outbound {
  const pending = new Map<string, Promise<Address>>();
  return {
    ca,
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
  ca?: string,
): { socket: Socket; opened: 'connect' | 'secureConnect' } {
  if (!tls) return { socket: connectTcp({ host: address, port }), opened: 'connect' };
  return {
    socket: connectTls({ host: address, port, ca, ...(isIP(host) ? {} : { servername: host }) }),
    opened: 'secureConnect',
  };
}
