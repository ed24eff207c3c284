import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { dial, inFamilyTurns, type Address } from './dial';

const listen = async (host: string): Promise<{ port: number; close(): void }> => {
  const server = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, host);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};
const v4 = (address: string): Address => ({ address, family: 4 });

test('the families take turns, beginning with that of the first address', () => {
  const of = (...addresses: string[]): string[] =>
    inFamilyTurns(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))).map(
      ({ address }) => address,
    );
  expect(of('::1', '::2', '::3', '1.1.1.1')).toEqual(['::1', '1.1.1.1', '::2', '::3']);
  expect(of('1.1.1.1', '1.1.1.2', '::1')).toEqual(['1.1.1.1', '::1', '1.1.1.2']);
});

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

test('when all refuse, the error is of the last', async () => {
  const { port, close } = await listen('127.0.0.1');
  close();
  await expect(dial([v4('127.0.0.8'), v4('127.0.0.9')], port)).rejects.toMatchObject({ address: '127.0.0.9' });
  await expect(dial([], port)).rejects.toThrow('no address');
});

test('it ends with its signal', async () => {
  const aborted = new AbortController();
  const waiting = dial([v4('203.0.113.1')], 9, { signal: aborted.signal });
  aborted.abort(new Error('no longer needed'));
  await expect(waiting).rejects.toThrow(/no longer needed|ENETUNREACH|EHOSTUNREACH/);
});
