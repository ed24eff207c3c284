import type { IncomingMessage } from 'node:http';
import { readForwarded } from './forwarded';

const read = (headers: Record<string, string>): Record<string, string | undefined> => {
  const request = { headers, socket: { remoteAddress: '10.0.0.1' } };
  readForwarded(request as unknown as IncomingMessage);
  return headers;
};

// express-rate-limit/express-rate-limit#234, goauthentik/authentik#25679, haproxy/haproxy#2963
it.each([
  ['198.51.100.8:50001', '198.51.100.8'],
  ['192.0.2.1, [2001:db8::17]:443', '192.0.2.1, 2001:db8::17'],
  ['::ffff:cb00:7105', '203.0.113.5'],
  ['192.0.2.1,unknown,198.51.100.8', '198.51.100.8'],
  ['unknown', '10.0.0.1'],
  ['', '10.0.0.1'],
])('of X-Forwarded-For %j are left the addresses %j', (given, left) => {
  expect(read({ 'x-forwarded-for': given })).toEqual({ 'x-forwarded-for': left });
});

it('of several protocols the browser came by the first', () => {
  expect(read({ 'x-forwarded-proto': 'HTTPS, http' })).toEqual({ 'x-forwarded-proto': 'https' });
  expect(read({})).toEqual({});
});
