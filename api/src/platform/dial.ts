/** Connects to the first of a name's addresses that answers; Node lets the families take turns (RFC 8305). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Address = { address: string; family: 4 | 6 };

/** Milliseconds that each address but the last has to answer. */
const ATTEMPT_MS = 1000;

/** Connects to no other address than these. Rejects when none can be connected to, and at the signal. */
export async function dial(
  addresses: readonly Address[],
  port: number,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Socket> {
  const socket = connect({
    signal,
    host: 'one of these addresses',
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    lookup: (_name, _options, found) => found(null, [...addresses]),
  });
  await once(socket, 'connect');
  return socket;
}
