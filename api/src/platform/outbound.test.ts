import { networkInterfaces } from 'node:os';
import { canonicalHost, isAllowEntry, OutboundRefused, type OutboundPolicy, resolveOutbound } from './outbound';

const NAMES: Record<string, string[]> = {
  'pool.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'six.example': ['2606:2800:220:1::1'],
  'half.example': ['93.184.216.34', '10.0.0.1'],
  'inside.example': ['192.168.1.1'],
  'me.example': ['93.184.216.99'],
};
const resolver = (host: string) => {
  const found = NAMES[host];
  return found ? Promise.resolve(found.map((address) => ({ address }))) : Promise.reject(new Error('ENOTFOUND'));
};
const strict: OutboundPolicy = {
  allowPrivate: false,
  resolver,
  ownPorts: () => [3311],
  ownHosts: ['me.example', 'gone.example'],
};
const codeOf = (host: string, port = 3333, policy = strict): Promise<string> =>
  resolveOutbound(host, port, policy).then(
    ([first]) => first?.address ?? 'nothing',
    (error: unknown) => (error instanceof OutboundRefused ? error.code : 'another error'),
  );

test.each([
  ['127.0.0.1', 'own'],
  ['0x7f000001', 'own'],
  ['１２７.0.0.1', 'own'],
  ['::1', 'own'],
  ['::ffff:127.0.0.1', 'own'],
  ['localhost', 'internal'],
  ['10.0.0.1', 'internal'],
  ['169.254.169.254', 'internal'],
  ['100.64.0.1', 'internal'],
  ['fc00::1', 'internal'],
  ['::ffff:0:127.0.0.1', 'internal'],
  ['4000::1', 'internal'],
  ['half.example', 'internal'],
  ['me.example', 'own'],
  ['nowhere.example', 'unresolvable'],
  ['fe80::1%eth0', 'invalid_host'],
  ['a b', 'invalid_host'],
  ['pool.example:80', 'invalid_host'],
  ['', 'invalid_host'],
])('%s is refused (%s)', async (host, code) => {
  expect(await codeOf(host)).toBe(code);
});

test('a public host gives all its addresses, in the order to connect to them', async () => {
  const [four, six] = ['93.184.216.34', '2606:2800:220:1::1'].map((address, i) => ({ address, family: i ? 6 : 4 }));
  expect(await resolveOutbound('Pool.Example.', 3333, strict)).toEqual([four, six]);
  expect(await resolveOutbound('six.example', 443, strict)).toEqual([six]);
  expect(await codeOf('8.8.8.8')).toBe('8.8.8.8');
  expect(await codeOf('::ffff:8.8.8.8')).toBe('8.8.8.8');
});

test('a name that changes its address is resolved once, and the checked address is returned', async () => {
  const answers = ['93.184.216.34', '127.0.0.1'];
  let asked = 0;
  const rebinding: OutboundPolicy = {
    allowPrivate: false,
    resolver: () => Promise.resolve([{ address: answers[asked++] ?? '127.0.0.1' }]),
  };
  expect(await codeOf('rebind.example', 3333, rebinding)).toBe('93.184.216.34');
  expect(asked).toBe(1);
  expect(await codeOf('rebind.example', 3333, rebinding)).toBe('own');
});

test('refuses a lookup without an address or without a result in time', async () => {
  expect(
    await codeOf('odd.example', 3333, { allowPrivate: false, resolver: () => Promise.resolve([{ address: 'x' }]) }),
  ).toBe('unresolvable');
  expect(
    await codeOf('slow.example', 3333, {
      allowPrivate: false,
      timeoutMs: 5,
      resolver: () => new Promise(() => undefined),
    }),
  ).toBe('unresolvable');
});

test("of the system's ports only 80 and 443", async () => {
  expect(await codeOf('pool.example', 22)).toBe('port');
  expect(await codeOf('pool.example', 587)).toBe('port');
  expect(await codeOf('pool.example', 80)).toBe('93.184.216.34');
  expect(await codeOf('pool.example', 443)).toBe('93.184.216.34');
});

test("the operator may allow private addresses, but not reserved ones, and never the pool's own ports", async () => {
  const policy = { ...strict, allowPrivate: true };
  expect(await codeOf('127.0.0.1', 25, policy)).toBe('127.0.0.1');
  expect(await codeOf('inside.example', 3333, policy)).toBe('192.168.1.1');
  expect(await codeOf('169.254.169.254', 80, policy)).toBe('internal');
  expect(await codeOf('224.0.0.1', 3333, policy)).toBe('internal');
  expect(await codeOf('127.0.0.1', 3311, policy)).toBe('own');
  expect(await codeOf('me.example', 3311, policy)).toBe('own');
});

test("refuses every address of this machine's interfaces", async () => {
  const outward = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.includes('%'));
  expect(outward.length).toBeGreaterThan(0);
  for (const address of outward) expect(['own', 'internal']).toContain(await codeOf(address));
  for (const address of outward) expect(await codeOf(address, 3311, { ...strict, allowPrivate: true })).toBe('own');
});

test('the operator may name hosts, addresses and ranges', async () => {
  const policy = { ...strict, allow: ['10.0.0.0/8', 'INSIDE.example', 'fd00::/8', '169.254.1.1'] };
  expect(await codeOf('10.1.2.3', 25, policy)).toBe('10.1.2.3');
  expect(await codeOf('::ffff:10.1.2.3', 3333, policy)).toBe('10.1.2.3');
  expect(await codeOf('half.example', 3333, policy)).toBe('93.184.216.34');
  expect(await codeOf('inside.example', 3333, policy)).toBe('192.168.1.1');
  expect(await codeOf('fd00::5', 3333, policy)).toBe('fd00::5');
  expect(await codeOf('169.254.1.1', 3333, policy)).toBe('169.254.1.1');
  expect(await codeOf('192.168.1.1', 3333, policy)).toBe('internal');
  expect(await codeOf('127.0.0.1', 3311, { ...strict, allow: ['127.0.0.1'] })).toBe('own');
  expect(['10.0.0.0/8', 'pool.lan', '::1', 'fd00::/8', '10.0.0.0/33', 'a b', '10.0.0/x', ''].map(isAllowEntry)).toEqual(
    [true, true, true, true, false, false, false, false],
  );
});

test('one spelling of a host', () => {
  expect(['POOL.example.', '0x7f.1', '[::0001]', 'bücher.example'].map(canonicalHost)).toEqual([
    'pool.example',
    '127.0.0.1',
    '::1',
    'xn--bcher-kva.example',
  ]);
});
