/** Connects to the first of a name's addresses that answers; Node lets the families take turns (RFC 8305). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Address = { address: string; family: 4 | 6 };

/** Milliseconds that each address but the last has to answer. */
const ATTEMPT_MS = 1000;

export type DialOptions = {
  /** The own address that the connection starts from; undefined: the system chooses. */
  localAddress?: string;
  signal?: AbortSignal;
};

/** Connects to no other address than these. Rejects when none can be connected to, and at the signal. */
export async function dial(addresses: readonly Address[], port: number, options: DialOptions = {}): Promise<Socket> {
  // Node tries only one address when a local address is given.
  const any = addresses[Math.floor(Math.random() * addresses.length)]!;
  const socket = connect({
    ...options,
    host: 'one of these addresses',
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    lookup: (_name, { all }, found) => (all ? found(null, [...addresses]) : found(null, any.address, any.family)),
  });
  await once(socket, 'connect');
  return socket;
}
