/** Ports of sub-accounts, opened and closed while the proxy runs. */
import { createServer, type Server } from 'node:net';
import type { OwnPort, PortList } from '../ports';
import { eventually } from '../../testing/eventually';
import { freePort } from '../../testing/free-port';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

const { stub, proxyOf, connect } = stratumForEach();
class MemoryPorts implements PortList {
  list: OwnPort[] = [];
  private readonly listeners = new Set<() => void>();
  async all(): Promise<OwnPort[]> {
    return this.list;
  }
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  set(...list: OwnPort[]): void {
    this.list = list;
    for (const listener of this.listeners) listener();
  }
}

const ALGORITHM = 'SHA256_ASICBOOST' as const;
let upstream: StubUpstream;
let test: TestProxy;
let ports: MemoryPorts;
const servers: Server[] = [];

const taken = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
    servers.push(server);
  });
const own = (port: number, subAccountId = 1): OwnPort => ({ subAccountId, algorithm: ALGORITHM, port });
const isOpen = (port: number): boolean => test.proxy.ownPorts().some((opened) => opened.port === port);
const client = async (port: number): Promise<RawClient> => {
  const c = connect(port);
  await c.call('mining.subscribe', []);
  return c;
};
const authorise = async (port: number, name: string): Promise<RawClient> => {
  const c = await client(port);
  expect(await c.authorise(name)).toBe(true);
  return c;
};

beforeEach(async () => {
  upstream = await stub();
  ports = new MemoryPorts();
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
});

it('a worker name is enough, the account may be included, another account is refused with 24', async () => {
  const port = await freePort();
  ports.list = [own(port)];
  test = await proxyOf([upstream.target], { ownPorts: ports });
  await eventually(() => isOpen(port), 'open');
  await authorise(port, 'rig-7');
  await authorise(port, 'alice.rig-8');
  await authorise(port, 'Alice');
  expect(test.sink.presences.map(({ subAccountId, worker }) => `${subAccountId} ${worker}`)).toEqual(
    expect.arrayContaining(['1 rig-7', '1 rig-8', '1 default']),
  );
  const stranger = await client(port);
  for (const name of ['bob.rig', 'bob', 'carol.rig', '<img>']) expect(await stranger.authorise(name)).toBe(24);
  const c = await authorise(port, 'rig-7');
  await c.job();
  expect(await c.submit()).toBe(true);
  expect(test.sink.shares).toMatchObject([{ subAccountId: 1, worker: 'rig-7', outcome: 'accepted' }]);
  // On the pool's own port the worker alone is not a name.
  expect(await (await client(test.port)).authorise('rig-7')).toBe(24);
});

it('ports open and close as the list changes; their miners leave after pending shares, others stay', async () => {
  const [first, second] = [await freePort(), await freePort()];
  upstream.options.submit = () => undefined;
  test = await proxyOf([upstream.target], { ownPorts: ports });
  expect(test.proxy.ownPorts()).toEqual([]);
  ports.set(own(first), own(second, 2));
  await eventually(() => isOpen(first) && isOpen(second), 'both open');
  const [idle, busy, other, pool] = [
    await authorise(first, 'idle'),
    await authorise(first, 'busy'),
    await authorise(second, 'rig'),
    await authorise(test.port, 'alice.rig'),
  ];
  await busy.job();
  const verdict = busy.submit();
  await eventually(() => upstream.submits.length === 1, 'the share at the upstream');
  ports.set(own(second, 2));
  await idle.ended();
  expect(busy.closed).toBe(false);
  expect(isOpen(first)).toBe(false);
  const { id } = JSON.parse(upstream.lines.find((line) => line.includes('mining.submit')) ?? '{}') as { id: number };
  upstream.send({ id, result: true, error: null });
  expect(await verdict).toBe(true);
  await busy.ended();
  expect(test.sink.count('accepted')).toBe(1);
  const late = connect(first);
  await late.ended();
  expect([other.closed, pool.closed]).toEqual([false, false]);
  // The port now belongs to another account.
  ports.set(own(first, 2), own(second, 2));
  await eventually(() => isOpen(first), 'open again');
  expect(await (await client(first)).authorise('alice.rig')).toBe(24);
  await authorise(first, 'rig-9');
});

it('a taken port does not delay others, and opens when it is free', async () => {
  const [busy, free] = [await freePort(), await freePort()];
  const holder = await taken(busy);
  ports.list = [own(busy), own(free)];
  test = await proxyOf([upstream.target], { ownPorts: ports, portRetryMs: 30 });
  await eventually(() => isOpen(free), 'the other one');
  expect(isOpen(busy)).toBe(false);
  await authorise(test.port, 'alice.rig');
  await new Promise((resolve) => {
    holder.close(resolve);
  });
  await eventually(() => isOpen(busy), 'the one that was taken');
  await authorise(busy, 'rig-1');
});

it('a list that cannot be read does not stop the proxy, and is retried', async () => {
  const port = await freePort();
  let down = true;
  const flaky: PortList = {
    all: async () => {
      if (down) throw new Error('down');
      return [own(port)];
    },
    onChange: () => () => undefined,
  };
  test = await proxyOf([upstream.target], { ownPorts: flaky, portRetryMs: 20 });
  await authorise(test.port, 'alice.rig');
  down = false;
  await eventually(() => isOpen(port), 'open');
});
