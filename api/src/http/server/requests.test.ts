/** Parts of the HTTP server without a server: errors, the address of a caller, turns. */
import { problemOf } from './errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readForwarded } from './forwarded';
import { setImmediate as turnOver } from 'node:timers/promises';
import { BEGUN_AT_ONCE, RoundRobin } from './round-robin';

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });

describe('errors as problems', () => {
  it.each([
    ['a refused connection', coded('connect ECONNREFUSED', 'ECONNREFUSED'), 503, 'database_unavailable'],
    ['a database that shuts down', coded('terminating connection', '57P01'), 503, 'database_unavailable'],
    ['a connection that is cut', new Error('Query read timeout'), 503, 'database_unavailable'],
    ['no room on its disk', coded('could not extend file', '53100'), 503, 'database_unavailable'],
    [
      'no open files left',
      Object.assign(coded('connect', 'EMFILE'), { syscall: 'connect' }),
      503,
      'database_unavailable',
    ],
    ['a password that changed', coded('password authentication failed', '28P01'), 503, 'database_unavailable'],
    ['a file that is not there', Object.assign(coded('open', 'ENOENT'), { syscall: 'open' }), 500, 'server_error'],
    ['a query that took too long', coded('canceling statement due to statement timeout', '57014'), 503, 'timeout'],
    ['a deadlock', coded('deadlock detected', '40P01'), 503, 'timeout'],
    [
      'the same inside another error',
      new Error('Failed query', { cause: coded('canceling statement', '57014') }),
      503,
      'timeout',
    ],
    ['half a surrogate pair in a text', coded('invalid input syntax for type json', '22P02'), 400, 'invalid_request'],
    ['anything else', new Error('secret detail'), 500, 'server_error'],
  ])('%s', (_, error, status, code) => {
    const problem = problemOf(error as never);
    expect([problem.status, problem.code]).toEqual([status, code]);
    expect(JSON.stringify(problem.extra)).not.toContain('secret');
  });
});

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

it('of one network few requests are begun at once, in their order; others are begun between them', async () => {
  const begun: string[] = [];
  const handle = new RoundRobin(({ socket }) => socket.remoteAddress).guard(({ url }) => begun.push(url ?? ''));
  const send = (url: string, remoteAddress: string) =>
    handle({ url, socket: { remoteAddress } } as unknown as IncomingMessage, {} as ServerResponse);
  const flood = Array.from({ length: 20 }, (_, i) => `/flood/${i}`);
  for (const url of flood) send(url, '192.0.2.1');
  send('/first', '192.0.2.2');
  expect(begun).toEqual([...flood.slice(0, BEGUN_AT_ONCE), '/first']);
  await turnOver();
  send('/second', '192.0.2.2');
  expect(begun.length).toBeLessThanOrEqual(2 * BEGUN_AT_ONCE + 2);
  expect(begun.at(-1)).toBe('/second');
  for (let turn = 0; begun.length < flood.length + 2 && turn < flood.length; turn += 1) await turnOver();
  expect(begun.filter((url) => url.startsWith('/flood'))).toEqual(flood);
});
