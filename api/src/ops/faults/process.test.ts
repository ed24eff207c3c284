/** Faults of the server's process and of what it has from its machine, each with its alarm (docs/operations.md, faults). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RawClient } from '../../stratum/testing/test-proxy';
import type { Around } from '../../testing/server-process';
import { inNamespace } from './testing/namespace';
import { Product } from './testing/product';

const heavy = process.env.HEAVY ? it : it.skip;
let product: Product;
beforeAll(async () => {
  product = await Product.start();
}, 120_000);
afterAll(() => product.stop());

const kill = (): Promise<void> => product.end();
const restart = async (around?: Around, settings = {}): Promise<void> => {
  await kill();
  await product.run('server', settings, around);
};

heavy('process that is killed: it counts after its start what it has acknowledged', () =>
  product.suffer({
    alarm: 'PoolDown',
    begin: kill,
    end: () => restart(),
    mines: false,
    disconnects: true,
    hindrance: 'no answer',
  }),
);

it('full disk: shares are refused, and again accepted when there is room', async () => {
  const folder = product.dataDir();
  // With what is in the folder: an earlier backup.
  await restart(
    inNamespace('cp -a "$1" "$1.kept" && mount -t tmpfs -o size=4m tmpfs "$1" && cp -a "$1.kept/." "$1"', folder),
  );
  // The server's own view of its folder.
  const fill = join('/proc', String(product.servers.get('server')?.child.pid), 'root', folder, 'fill');
  await product.suffer({
    alarm: 'SharesNotRecorded',
    begin: () => expect(() => writeFileSync(fill, Buffer.alloc(2 ** 23))).toThrow('ENOSPC'),
    end: () => rmSync(fill),
    mines: false,
    hindrance: 'journal',
  });
});

it('no open files left: the miners that are connected go on', async () => {
  await restart({ command: ['prlimit', '--nofile=560:560'] });
  const pages = Number(new URL(product.urls.get('server') ?? '').port);
  const sockets = new Set<Socket>();
  let lasts = true;
  const open = (): void => {
    const socket = connect({ port: pages, host: '127.0.0.1' }).on('error', () => undefined);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (lasts) setTimeout(open, 100);
    });
  };
  const miners: RawClient[] = [];
  await product.suffer({
    alarm: 'ConnectionsNearLimit',
    begin: () => {
      for (let n = 0; n < 700; n += 1) open();
      for (let n = 0; n < 40; n += 1) {
        const miner = new RawClient(product.stratum);
        miners.push(miner);
        void miner.call('mining.authorize', [`alice.more-${n}`, 'x']).catch(() => undefined);
      }
    },
    end: () => {
      lasts = false;
      for (const socket of sockets) socket.destroy();
      for (const miner of miners) miner.destroy();
    },
    mines: true,
  });
});

heavy('names that nobody resolves: miners stay connected, and have work again with the names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  const [hosts, resolv] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  writeFileSync(resolv, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  writeFileSync(hosts, '127.0.0.1 localhost upstream.test\n');
  const settings = { UPSTREAM_SHA256: `stratum+tcp://pool:x@upstream.test:${product.upstream.port}` };
  await restart(
    inNamespace('mount --bind "$1" /etc/hosts && mount --bind "$2" /etc/resolv.conf', hosts, resolv),
    settings,
  );
  await product.suffer({
    alarm: 'NoUpstream',
    begin: async () => {
      writeFileSync(hosts, '127.0.0.1 localhost\n');
      await product.restartUpstream();
    },
    end: () => writeFileSync(hosts, '127.0.0.1 localhost upstream.test\n'),
    mines: false,
  });
  rmSync(folder, { recursive: true });
});

heavy('a thousand miners that connect at once after a crash: all have work within a minute', async () => {
  await restart();
  const connectAll = async (): Promise<RawClient[]> => {
    const clients = Array.from({ length: 1000 }, () => new RawClient(product.stratum));
    await Promise.all(
      clients.map(async (client, n) => {
        await client.call('mining.subscribe', []);
        await client.call('mining.authorize', [`alice.many-${n % 500}`, 'x']);
        await client.notification('mining.notify');
      }),
    );
    return clients;
  };
  let clients: RawClient[] = [];
  await product.suffer({
    alarm: 'PoolDown',
    begin: async () => {
      await connectAll();
      await kill();
    },
    end: async () => {
      await restart();
      const began = performance.now();
      clients = await connectAll();
      expect(performance.now() - began).toBeLessThan(60_000);
    },
    mines: false,
    disconnects: true,
  });
  for (const client of clients) client.destroy();
});

heavy(
  'memory that is used up: the process ends, and counts what it has acknowledged when it is started again',
  async () => {
    await restart({ node: ['--max-old-space-size=64'] });
    const clients: RawClient[] = [];
    await product.suffer({
      alarm: 'PoolDown',
      begin: async () => {
        for (let n = 0; n < 1500; n += 1) clients.push(new RawClient(product.stratum));
        await product.servers.get('server')?.ended;
      },
      end: async () => {
        for (const client of clients) client.destroy();
        await product.run();
      },
      mines: false,
      disconnects: true,
    });
  },
);
