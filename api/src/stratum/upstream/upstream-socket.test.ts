import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { parseUpstream } from './upstream-target';
import { assertOwn, roundRobin, openSocket } from './upstream-socket';

let server: Server;
const from: (string | undefined)[] = [];
const sockets: Socket[] = [];
beforeAll(async () => {
  server = createServer((socket) => from.push(socket.remoteAddress)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('connections start from the configured addresses in turns, also to a name', async () => {
  const { port } = server.address() as AddressInfo;
  const source = roundRobin(['127.0.0.2', '127.0.0.3']);
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.1']) {
    const target = parseUpstream('SCRYPT', `stratum+tcp://user:x@${host}:${port}`);
    sockets.push(await openSocket(target, target, { source }));
  }
  expect(from).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.2']);
  expect(roundRobin([])()).toBeUndefined();
});

test('a start with an address of another machine says so', async () => {
  await assertOwn(['127.0.0.2']);
  await expect(assertOwn(['127.0.0.2', '203.0.113.1'])).rejects.toThrow('UPSTREAM_SOURCES: 203.0.113.1 cannot be used');
});
