/** Test helper: upstream pools, proxies and miners of one test, which end with it. */
import type { Socket } from 'node:net';
import { RawClient, testProxy, type TestProxy } from './test-proxy';
import { StubUpstream, type StubOptions } from './upstream';

/** Call it where the file's tests are. */
export function stratumForEach() {
  const clients = new Set<RawClient>();
  const proxies: TestProxy[] = [];
  const upstreams: StubUpstream[] = [];
  afterEach(async () => {
    for (const c of clients) c.destroy();
    for (const { proxy } of proxies.splice(0)) await proxy.stop();
    for (const upstream of upstreams.splice(0)) await upstream.kill();
  });
  /** `to`: a port of this machine, or an open socket. */
  const connect = (to: number | Socket): RawClient => {
    const c = new RawClient(to);
    clients.add(c);
    c.socket.once('close', () => clients.delete(c));
    return c;
  };
  const join = async (to: number | Socket, user?: string, ...software: string[]): Promise<RawClient> => {
    const c = connect(to);
    await c.call('mining.subscribe', software);
    await c.authorise(user ?? 'alice.rig');
    return c;
  };
  const proxyOf = async (...given: Parameters<typeof testProxy>): Promise<TestProxy> => {
    const made = await testProxy(...given);
    proxies.push(made);
    return made;
  };
  return {
    upstreams,
    connect,
    /** A miner that has subscribed and asked to be authorised, at a port of this machine. */
    join,
    /** The same with its first job. */
    mine: async (...given: Parameters<typeof join>): Promise<RawClient> => {
      const c = await join(...given);
      await c.job();
      return c;
    },
    proxyOf,
    stub: async (options: StubOptions = {}): Promise<StubUpstream> => {
      const made = await new StubUpstream(options).start();
      upstreams.push(made);
      return made;
    },
  };
}
