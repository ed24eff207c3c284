import { readConfig } from './config';
import { factsOf } from './settings/kinds';
import { GROUPS, settings } from './settings/settings';
import { addressOf, networkOf, networksOf, siteOf } from './network-of';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { dial, type Address } from './dial';
import { ConnectionSlots, type Slot } from './limits/connection-slots';
import { RateLimit } from './limits/rate-limit';
import { Busy, Semaphore } from './limits/semaphore';
import { sharedRead } from './db/shared-read';
import { TtlCache } from './ttl-cache';
import { rounded } from './rounded';
import { connectionsAllowed } from './open-files';
import { raw, sql } from './db/querier';

describe('settings', () => {
  it.each([
    ['PUBLIC_HOST', 'https://pool.example', 'expected a host name'],
    ['PUBLIC_HOST', 'pool.example/', 'expected a host name'],
    ['PUBLIC_URL', 'https://example.com/pool/', 'without a path'],
    ['PUBLIC_URL', 'pool.example', 'begins with https://'],
    ['PORT', '70000', 'a whole number from 0 to 65535'],
    ['BACKUP_EVERY', 'daily', 'a number from 0 to 720'],
    ['DEMO', 'yes', 'expected 0 or 1'],
    ['DATABASE_URL', 'mysql://x', 'expected the URL of a PostgreSQL'],
    ['UPSTREAM_SHA256', 'stratum+tcp://pool.example:99999', 'expected stratum+tcp://'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317', 'begins with https://'],
    ['SUPPORT_EMAIL', 'nobody', 'expected a mail address'],
    ['LOG_LEVEL', 'loud', 'expected one of fatal'],
  ])('%s=%s is refused with what is expected, and an example', (name, value, sentence) => {
    let said = '';
    try {
      readConfig({ [name]: value });
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain(`\n  ${name}: `);
    expect(said).toContain(sentence);
    expect(said).toContain(`For example: ${name}=`);
    expect(said.split('\n')).toHaveLength(2);
  });

  it('addresses are written as they are used: IPv6 in brackets, an origin without its slash', () => {
    expect(
      readConfig({ PUBLIC_HOST: '2001:db8::1', HOST: '[::1]', PUBLIC_URL: 'https://pool.example/' }),
    ).toMatchObject({
      PUBLIC_HOST: '[2001:db8::1]',
      HOST: '::1',
      PUBLIC_URL: 'https://pool.example',
    });
    for (const host of ['pool.example', 'пул.рф', '192.0.2.1', 'localhost', 'my_host'])
      expect(readConfig({ PUBLIC_HOST: host }).PUBLIC_HOST).toBe(host);
  });

  it('every example is a value that the server takes, and no setting is of two groups', () => {
    const groups = Object.values(GROUPS).map((group) => Object.entries(group));
    expect(groups.flat()).toHaveLength(Object.keys(settings).length);
    for (const [name, schema] of groups.flat()) {
      const { example } = factsOf(schema);
      if (!example.includes('…')) expect([name, schema.safeParse(example).success]).toEqual([name, true]);
    }
  });

  it('a TLS port needs a certificate and its key', () => {
    expect(() => readConfig({ STRATUM_TLS_PORT_SCRYPT: '3334' })).toThrow(/STRATUM_TLS_CERT[^]*STRATUM_TLS_KEY/);
  });
});

describe('addresses', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7']],
    ['::ffff:192.0.2.7', ['192.0.2.7']],
    ['::ffff:cb00:7105', ['203.0.113.5']],
    ['0:0:0:0:0:ffff:203.0.113.6', ['203.0.113.6']],
    ['0000:0000:0000:0000:0000:FFFF:CB00:7105', ['203.0.113.5']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:0DB8:0001::9%eth0', ['2001:db8:1:0::/64', '2001:db8:1::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['', ['']],
  ])('%s shares limits with %j', (ip, networks) => {
    expect(networksOf(ip).map(({ network }) => network)).toEqual(networks);
    expect(networkOf(ip)).toBe(networks[0]);
  });

  it('a site is the /24 of an IPv4 address, however it is written, and the /48 of an IPv6 address', () => {
    expect(['192.0.2.7', '::ffff:c000:207', '2001:db8:1:2::3'].map(siteOf)).toEqual([
      '192.0.2.0/24',
      '192.0.2.0/24',
      '2001:db8:1::/48',
    ]);
  });

  it.each([
    ['198.51.100.8:50001', '198.51.100.8'],
    ['[2001:db8::17]:4711', '2001:db8::17'],
    ['[2001:DB8:0::17]', '2001:db8::17'],
    ['[::ffff:198.51.100.8]:1', '198.51.100.8'],
    ['unknown', null],
    ['_hidden', null],
    ['198.51.100.8:', null],
    ['198.51.100.800', null],
    ['0x7f.1', null],
    ['', null],
  ])('%s is the address %s', (text, address) => {
    expect(addressOf(text)).toBe(address);
  });
});

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

describe('slots of connections', () => {
  let ended: string[];
  beforeEach(() => (ended = []));
  const open = (slots: ConnectionSlots, address: string, name = address): Slot => {
    const slot = slots.take(address, () => ended.push(name));
    if (typeof slot === 'string') throw new Error(slot);
    return slot;
  };
  const many = (slots: ConnectionSlots, count: number, site: string): Slot[] =>
    Array.from({ length: count }, (_, i) => open(slots, `${site}.${i % 250}`, `${site} ${i}`));

  it('at the limit the longest idle connection of the site with the most idle ones gives way', () => {
    const slots = new ConnectionSlots(2500, 4096);
    open(slots, '198.51.100.1');
    const [first] = many(slots, 2498, '192.0.2');
    open(slots, '2001:db8::1');
    first?.stay();
    first?.rest();
    open(slots, '203.0.113.1');
    open(slots, '203.0.113.2');
    expect(ended).toEqual(['192.0.2 1', '192.0.2 2']);
    // More of the crowd push out each other only.
    many(slots, 2, '192.0.2');
    expect(ended.slice(2)).toEqual(['192.0.2 3', '192.0.2 4']);
  });

  it('a connection at work never gives way: a newcomer is refused when all are', () => {
    const slots = new ConnectionSlots(3, 10);
    const [a, b, c] = many(slots, 3, '192.0.2');
    for (const slot of [a, b, c]) slot?.stay();
    expect(slots.take('203.0.113.1', () => undefined)).toBe('full');
    b?.rest();
    open(slots, '203.0.113.1').stay();
    expect(ended).toEqual(['192.0.2 1']);
    // Closed later, it frees no slot of another, nor does it rest any more.
    b?.leave();
    a?.leave();
    a?.leave();
    a?.rest();
    open(slots, '203.0.113.2').stay();
    expect(slots.take('203.0.113.3', () => undefined)).toBe('full');
    expect(ended).toEqual(['192.0.2 1']);
  });

  it('a network has a share: at its limit its own idle connections give way, and a proxy has no such limit', () => {
    const slots = new ConnectionSlots(100, 2);
    const [, second] = [open(slots, '192.0.2.1', 'a'), open(slots, '::ffff:192.0.2.1', 'b')];
    open(slots, '192.0.2.2', 'other');
    second.stay();
    open(slots, '192.0.2.1', 'c').stay();
    expect(ended).toEqual(['a']);
    expect(slots.take('192.0.2.1', () => undefined)).toBe('network');
    second.leave();
    open(slots, '192.0.2.1', 'd');
    expect(ended).toEqual(['a']);
    // Addresses of one /64 are one network, and a /48 has four times as many.
    for (let n = 0; n < 9; n += 1) open(slots, `2001:db8:0:${n}::1`, `v6 ${n}`);
    expect(ended).toEqual(['a', 'v6 0']);
    for (let n = 0; n < 50; n += 1) expect(slots.take('10.0.0.1', () => undefined, true)).not.toBe('network');
  });
});

test('so many of a key, or of the networks of an address, in a window of time', () => {
  jest.useFakeTimers();
  const limit = new RateLimit(2, 10_000);
  const waits = (times: number, key: string) => Array.from({ length: times }, () => limit.take(key));
  expect([waits(3, 'a'), waits(1, 'b')]).toEqual([[0, 0, 10], [0]]);
  jest.advanceTimersByTime(9001);
  for (const key of ['a', 'b', 'b', 'nobody']) limit.give(key);
  expect([waits(2, 'a'), waits(3, 'b')]).toEqual([
    [0, 1],
    [0, 0, 1],
  ]);
  jest.advanceTimersByTime(999);
  expect(waits(3, 'a')).toEqual([0, 0, 10]);
  const from = (n: number, name?: string, max?: number) =>
    [1, 2, 3].map(() => limit.takeFrom(`2001:db8:0:${n}::1`, name, max));
  for (const n of [1, 2, 3, 4]) expect(from(n)).toEqual([0, 0, 10]);
  expect([from(5), from(5, 'other'), from(6, 'third', 1)]).toEqual([
    [10, 10, 10],
    [0, 0, 10],
    [0, 10, 10],
  ]);
  jest.useRealTimers();
});

test('the share of a key is of those that work and wait: one that is done makes room for one', async () => {
  const semaphore = new Semaphore({ atOnce: 1, waiting: 10 });
  const ends: (() => void)[] = [];
  const enter = () => semaphore.run([['key', 3]], () => new Promise<void>((end) => ends.push(end)));
  const isBusy = () =>
    Promise.race([enter(), new Promise(setImmediate)]).then(
      () => false,
      (error) => error instanceof Busy,
    );
  const [first] = [enter(), enter(), enter()];
  expect(await isBusy()).toBe(true);
  ends[0]!();
  await first;
  expect([await isBusy(), await isBusy()]).toEqual([false, true]);
});

describe('shared reads', () => {
  /** Reads that end when they are told to. */
  function reads() {
    const begun: { end(value: string): void; fail(error: Error): void }[] = [];
    const read = (): Promise<string> =>
      new Promise((end, fail) => {
        begun.push({ end, fail });
      });
    return { begun, read };
  }
  const settled = () => new Promise(setImmediate);

  test('who asks during a read gets the next one, shared by all who wait', async () => {
    const { begun, read } = reads();
    const owner = {};
    const first = sharedRead(owner, 'a', read);
    const second = sharedRead(owner, 'a', read);
    const third = sharedRead(owner, 'a', read);
    expect(begun).toHaveLength(1);
    begun[0]!.end('before');
    expect(await first).toBe('before');
    await settled();
    expect(begun).toHaveLength(2);
    // The second read runs: a fourth caller gets the one after it.
    const fourth = sharedRead(owner, 'a', read);
    begun[1]!.end('after');
    expect(await Promise.all([second, third])).toEqual(['after', 'after']);
    await settled();
    expect(begun).toHaveLength(3);
    begun[2]!.end('last');
    expect(await fourth).toBe('last');
    await settled();
    void sharedRead(owner, 'a', read);
    expect(begun).toHaveLength(4);
  });

  test('a failure is told to its own callers only', async () => {
    const { begun, read } = reads();
    const owner = {};
    const first = sharedRead(owner, 'a', read);
    const second = sharedRead(owner, 'a', read);
    begun[0]!.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await settled();
    begun[1]!.end('back');
    expect(await second).toBe('back');
  });
});

describe('a cache with a time', () => {
  afterEach(() => jest.restoreAllMocks());

  it('concurrent calls share one read; a failure is not cached', async () => {
    const cache = new TtlCache<number>(60_000);
    let reads = 0;
    const read = async (): Promise<number> => {
      reads += 1;
      if (reads === 1) throw new Error('failed');
      return reads;
    };
    await expect(cache.get('a', read)).rejects.toThrow('failed');
    expect(await Promise.all([cache.get('a', read), cache.get('a', read)])).toEqual([2, 2]);
    cache.clear();
    expect(await cache.get('a', read)).toBe(3);
  });
});

it.each([
  [7_527_810_687.653672, 6, 7_527_810_000],
  [91e12, 3, 91e12],
  [999_999, 3, 1_000_000],
  [1_000, 3, 1_000],
  [0.00016830334, 3, 0.000168],
  [9.9999, 3, 10],
  [0, 3, 0],
])('%d with %d digits is %d', (value, digits, expected) => {
  expect(rounded(value, digits)).toBe(expected);
});

describe('open files', () => {
  const limits = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}               1048576              files     \nMax locked memory         8388608              8388608              bytes     \n`;

  it.each([
    [limits('20480'), 16_174, 2560],
    [limits('1048576'), 833_978, 131_072],
    [limits('1024'), 465, 384],
    [limits('64'), 16, 384],
    [limits('unlimited'), Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['', 16_174, 2560],
  ])('%j allows %d miners and %d connections of pages', (text, miners, pages) =>
    expect(connectionsAllowed(text)).toEqual({ miners, pages }),
  );

  it('reads the limit of this process', () => expect(connectionsAllowed().miners).toBeGreaterThanOrEqual(16));
});

it('a value in SQL is a parameter, and SQL in SQL a part of its text', () => {
  const part = sql`b in (${2}, ${3})`;
  const { text, values } = sql`select ${raw('id')} from t where a = ${1} and ${part} limit ${4}`;
  expect([text, values]).toEqual(['select id from t where a = $1 and b in ($2, $3) limit $4', [1, 2, 3, 4]]);
  expect(sql`${raw('select 1')}`).toMatchObject({ text: 'select 1', values: [] });
});
