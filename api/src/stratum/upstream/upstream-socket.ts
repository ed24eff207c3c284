/** Sockets to upstream pools: to the operator's own as named, to a user's only by the address that was checked. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address } from './outbound';
import type { UpstreamTarget } from './upstream-target';

export type Outbound = {
  /** Resolves a name, checks every address it has, gives the one to connect to (outbound.ts). Rejects when it must not be connected to. */
  resolve(host: string, port: number): Promise<Address>;
  /** Certificates trusted instead of the system's (tests). */
  ca?: string;
};

/** A thousand miners that come back at once ask once. What was asked before is never used again. */
export function together({ resolve, ca }: Outbound): Outbound {
  const asked = new Map<string, Promise<Address>>();
  return {
    ca,
    resolve: (host, port) => {
      const key = `${host} ${port}`;
      const known = asked.get(key);
      if (known) return known;
      const answer = resolve(host, port).finally(() => asked.delete(key));
      asked.set(key, answer);
      return answer;
    },
  };
}

/** Where to connect to. Asked again for each connection: a name may have another address by now. */
export function addressOf(
  { id, host, port }: UpstreamTarget,
  outbound: Outbound | undefined,
): Promise<string> | string {
  if (id === undefined) return host;
  if (!outbound) throw new Error('a pool of a user, and nobody who checks its address');
  return outbound.resolve(host, port).then(({ address }) => address);
}

/** The certificate is checked against the name as it was given, wherever that led. */
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
