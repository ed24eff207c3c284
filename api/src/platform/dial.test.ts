import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { dial, type Address } from './dial';

const listen = async (host: string): Promise<{ port: number; close(): void }> => {
  const server = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, host);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};
const v4 = (address: string): Address => ({ address, family: 4 });

test('an address that refuses, and one that does not answer, are followed by the next', async () => {
  const { port, close } = await listen('127.0.0.1');
  // Nobody answers at an address for documentation.
  for (const dead of ['127.0.0.9', '203.0.113.1']) {
    const socket = await dial([v4(dead), v4('127.0.0.1')], port);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  }
  close();
});

test('it rejects when all refuse, and ends with its signal', async () => {
  const { port, close } = await listen('127.0.0.1');
  close();
  await expect(dial([v4('127.0.0.8'), v4('127.0.0.9')], port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const aborted = new AbortController();
  const waiting = dial([v4('203.0.113.1')], 9, { signal: aborted.signal });
  aborted.abort();
  await expect(waiting).rejects.toThrow(/aborted|ENETUNREACH|EHOSTUNREACH/);
});
