/** The head of a request, written by hand into a real connection; what answers say of TLS. */
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { testApp, type TestApp } from '../testing/test-app';

let test: TestApp;
let port: number;
beforeAll(async () => {
  test = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1', HSTS_SECONDS: '86400' } });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = (test.app.server.address() as AddressInfo).port;
});
afterAll(() => test.close());

const ask = (...lines: string[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  return text(socket);
};

it.each([
  ['two Host headers', ['GET /health HTTP/1.1', 'Host: pool.test', 'Host: evil.example']],
  ['two Host headers, spelled differently', ['GET /health HTTP/1.1', 'host: pool.test', 'HOST: pool.test']],
  ['an absolute address', ['GET http://pool.test/health HTTP/1.1', 'Host: pool.test']],
  ['an absolute address of another host', ['GET http://evil.example/api/prices HTTP/1.1', 'Host: pool.test']],
  ['an address without a slash', ['GET health HTTP/1.1', 'Host: pool.test']],
  ['an asterisk', ['OPTIONS * HTTP/1.1', 'Host: pool.test']],
  ['no Host header', ['GET /health HTTP/1.1']],
])('%s: refused', async (_, lines) => {
  expect(await ask(...lines)).toMatch(/^HTTP\/1\.1 400 /);
});

it('one Host header and a path: answered', async () => {
  expect(await ask('GET /health HTTP/1.1', 'Host: pool.test')).toMatch(/^HTTP\/1\.1 200 [^]*alive/);
});

it('browsers are told to come over TLS only where TLS is in front', async () => {
  const plain = await ask('GET /health HTTP/1.1', 'Host: pool.test');
  expect(plain.toLowerCase()).not.toContain('strict-transport-security');
  for (const path of ['/health', '/api/nothing', '/nothing'])
    expect(await ask(`GET ${path} HTTP/1.1`, 'Host: pool.test', 'X-Forwarded-Proto: https')).toMatch(
      /^strict-transport-security: max-age=86400\r$/im,
    );
});
