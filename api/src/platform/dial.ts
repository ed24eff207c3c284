/** Connects to a name with several addresses as RFC 8305 says: to the first that answers, in an order that mixes families. */
import { connect, type Socket } from 'node:net';

export type Address = { address: string; family: 4 | 6 };

/** Milliseconds until the next address is tried beside one that has not answered yet. */
const ATTEMPT_MS = 500;

/** The families in turn, beginning with that of the first address; else in the order given. */
export function inFamilyTurns(addresses: readonly Address[]): Address[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const rest = addresses.filter(({ family }) => family !== addresses[0]?.family);
  return Array.from({ length: Math.max(first.length, rest.length) }, (_, i) => [first[i], rest[i]])
    .flat()
    .filter((address) => address !== undefined);
}

export type DialOptions = {
  /** The own IPv4 address that the connection starts from; undefined: the system chooses. */
  localAddress?: string;
  signal?: AbortSignal;
};

/** Rejects with the last error when no address can be connected to, and with the signal's reason. */
export function dial(
  addresses: readonly Address[],
  port: number,
  { localAddress, signal }: DialOptions = {},
): Promise<Socket> {
  const left = [...addresses];
  const trying = new Set<Socket>();
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      for (const socket of trying) socket.destroy();
    };
    const abort = (): void => {
      end();
      reject(signal?.reason as Error);
    };
    const next = (error = new Error('no address')): void => {
      clearTimeout(timer);
      const to = left.shift();
      if (!to) {
        if (trying.size > 0) return;
        end();
        return reject(error);
      }
      const socket = connect({ host: to.address, family: to.family, port, ...(to.family === 4 && { localAddress }) });
      trying.add(socket);
      const failed = (why: Error): void => {
        trying.delete(socket);
        next(why);
      };
      socket.once('error', failed);
      socket.once('connect', () => {
        socket.off('error', failed);
        trying.delete(socket);
        end();
        resolve(socket);
      });
      if (left.length > 0) timer = setTimeout(next, ATTEMPT_MS);
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    next();
  });
}
