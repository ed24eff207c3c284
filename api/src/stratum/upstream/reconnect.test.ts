import { parseReconnect } from './reconnect';

const from = { host: 'eu.pool.co.uk', port: 3333 };

test.each<[what: string, params: unknown[], to: ReturnType<typeof parseReconnect>]>([
  ['MiningRigRentals: another port', ['eu.pool.co.uk', 3344, 0], { ...from, port: 3344, waitMs: 0 }],
  ['a port and a wait as text', ['EU.pool.co.uk', '3344', '5'], { host: 'EU.pool.co.uk', port: 3344, waitMs: 5000 }],
  ['no parameters', [], { ...from, waitMs: 0 }],
  ['no host', ['', 3344], { ...from, port: 3344, waitMs: 0 }],
  ['nothing but a wait', [null, null, 2], { ...from, waitMs: 2000 }],
  ['an endless wait', ['', '', 1e9], { ...from, waitMs: 60_000 }],
  ['another host of the same domain', ['us.pool.co.uk', 3333], { host: 'us.pool.co.uk', port: 3333, waitMs: 0 }],
  ['a host of somebody else', ['other.co.uk', 3333], null],
  ['a host at the same landlord', ['eu.pool.co.uk.evil.example', 3333], null],
  ['an address', ['10.0.0.1', 3333], null],
  ['a port that is none', ['eu.pool.co.uk', 0], null],
  ['a port above all', ['eu.pool.co.uk', 65_536], null],
  ['a port as words', ['eu.pool.co.uk', '22; rm'], null],
  ['an object', [{}, 3333], null],
])('%s', (_, params, to) => expect(parseReconnect(params, from)).toEqual(to));

test('of an address only the same one, of a shared suffix only the same name', () => {
  expect(parseReconnect(['198.51.100.8', 1], { host: '198.51.100.7', port: 1 })).toBeNull();
  expect(parseReconnect(['b.github.io', 1], { host: 'a.github.io', port: 1 })).toBeNull();
  expect(parseReconnect(['localhost', 2], { host: 'localhost', port: 1 })?.port).toBe(2);
});
