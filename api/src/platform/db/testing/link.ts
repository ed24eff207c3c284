/**
 * A link to a PostgreSQL that can go silent, as a failover or a firewall does it: connections stay open, and nothing
 * gets through.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export type Link = {
  /** URL of the same database over the link. */
  url: string;
  /** Nothing gets through the connections that there are; they stay open. With `new` it is so for new ones too. */
  cut(also?: 'new'): void;
  /** Each answer takes so many milliseconds longer. */
  slow(ms: number): void;
  /** New connections work again; those that were cut stay so. */
  mend(): void;
  /** New connections are led to another PostgreSQL, as by an operator's virtual address. */
  lead(to: string): void;
  close(): Promise<void>;
};

const socketOf = ({ searchParams, port }: URL): string =>
  `${searchParams.get('host') ?? ''}/.s.PGSQL.${port || '5432'}`;

/** `url`: of a cluster on a unix socket (`startCluster`). */
export async function startLink(url: string): Promise<Link> {
  const target = new URL(url);
  let path = socketOf(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  const all = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  const delayed = (): Transform =>
    new Transform({
      transform: (data, _, done) => {
        if (delayMs === 0) done(null, data);
        else setTimeout(done, delayMs, null, data);
      },
    });
  const keep = (socket: Socket): void => {
    all.add(socket.on('error', () => undefined));
    socket.once('close', () => all.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return;
    const far = connect(path);
    keep(far);
    near.pipe(far);
    far.pipe(delayed()).pipe(near);
    pairs.add([near, far]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  target.searchParams.delete('host');
  target.hostname = '127.0.0.1';
  target.port = String((server.address() as AddressInfo).port);
  return {
    url: target.href,
    cut: (also) => {
      isCut = also === 'new';
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe().pause();
      }
      pairs.clear();
    },
    slow: (ms) => {
      delayMs = ms;
    },
    mend: () => {
      isCut = false;
    },
    lead: (to) => {
      path = socketOf(new URL(to));
    },
    close: async () => {
      for (const socket of all) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
