/** What a team is told where POOL_URL, its clock or its key is wrong. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poolAt, surfaceAt } from './pool';
import { signingKey } from './signing';

const SURFACE = '@pool/shared 1.0.0\n';

/** Asks a server that answers so. */
async function asked(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await surfaceAt(poolAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const at =
  (hours: number): RequestListener =>
  (_, answer) =>
    answer.setHeader('date', new Date(Date.now() + hours * 3_600_000).toUTCString()).end(SURFACE);

test('an address that is none, at which nothing answers, or no pool', async () => {
  expect(() => poolAt('pool.example')).toThrow("'pool.example' is no address of a pool: https://pool.example");
  await expect(surfaceAt(poolAt('http://127.0.0.1:65534'))).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:65534 does not answer: /,
  );
  await expect(asked((_, answer) => answer.writeHead(404).end('<h1>Not here</h1>'))).rejects.toThrow(
    '(/surface.txt: 404): is it a pool?',
  );
});

test('a clock that is a day off either way', async () => {
  expect(await asked(at(0))).toBe(SURFACE);
  await expect(asked(at(-24))).rejects.toThrow("is 1440 min ahead of the pool's: set it first");
  await expect(asked(at(24))).rejects.toThrow("is 1440 min behind the pool's: set it first");
});

test('a key that is not there', () => {
  process.env.REMOTE_SIGNING_KEY = '/nowhere/key.pem';
  try {
    expect(signingKey).toThrow('REMOTE_SIGNING_KEY: /nowhere/key.pem is no private key in PEM');
  } finally {
    delete process.env.REMOTE_SIGNING_KEY;
  }
});
