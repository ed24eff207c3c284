/** Faults of the server's process and of what it has from its machine, each with its alarm (docs/monitoring.md, faults). */
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { selfSignedFor } from '../../stratum/testing/certificate';
import { RawClient } from '../../stratum/testing/test-proxy';
import { freePort } from '../../testing/free-port';
import type { Around } from '../../testing/server-process';
import { noteBackup } from '../last-backup';
import { inNamespace } from './testing/namespace';
import { heavy, Product } from './testing/product';
import { newFolder } from '../../testing/folder';

let product: Product;
beforeAll(async () => {
  product = await Product.start();
}, 120_000);
afterAll(() => product.stop());

const DAY_MS = 86_400_000;
/** Seconds, where an alarm needs no longer. */
const SOON_S = 20;

/** Node's options for a process whose disk fails to sync while there is a file. */
const failingSyncs = (file: string): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs';
    for (const call of ['fsync', 'fdatasync']) {
      const real = fs[call];
      fs[call] = (fd, done) => fs.existsSync(${JSON.stringify(file)})
        ? setImmediate(done, Object.assign(new Error('EIO: made for a test'), { code: 'EIO' }))
        : real(fd, done);
    }`)}`,
];

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

heavy('full disk: shares are refused, and again accepted when there is room', async () => {
  const folder = product.dataDir();
  // The folder has an earlier backup.
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

heavy('disk that fails to sync: shares are refused until it takes them', async () => {
  const fails = join(product.folder, 'fails');
  await restart({ node: failingSyncs(fails) });
  await product.suffer({
    alarm: 'JournalDiskFails',
    begin: () => writeFileSync(fails, ''),
    end: () => rmSync(fails),
    mines: false,
    countsRefused: true,
    hindrance: 'journal',
  });
});

heavy('backups that nobody makes any more', async () => {
  await restart();
  await product.suffer({
    alarm: 'BackupOld',
    begin: () => noteBackup(product.dataDir(), new Date(Date.now() - 3 * DAY_MS)),
    end: () => noteBackup(product.dataDir(), new Date()),
    mines: true,
    seconds: SOON_S,
  });
});

heavy('certificate of the TLS ports that expires: it is read again when it is renewed', async () => {
  const [cert, key] = [join(product.folder, 'cert.pem'), join(product.folder, 'key.pem')];
  const renew = (days: number): void => {
    const pair = selfSignedFor(days, '127.0.0.1');
    writeFileSync(cert, pair.cert);
    writeFileSync(key, pair.key);
    product.servers.get('server')?.child.kill('SIGHUP');
  };
  renew(90);
  const port = String(await freePort());
  await restart({}, { STRATUM_TLS_PORT_SHA256: port, STRATUM_TLS_CERT: cert, STRATUM_TLS_KEY: key });
  await product.suffer({
    alarm: 'CertificateExpires',
    begin: () => renew(10),
    end: () => renew(90),
    mines: true,
    seconds: SOON_S,
  });
});

heavy('no open files left: the miners that are connected go on', async () => {
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
  const folder = newFolder();
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
    await restart({ node: ['--max-old-space-size=80'] });
    const clients: RawClient[] = [];
    await product.suffer({
      alarm: 'PoolDown',
      begin: async () => {
        const { child, ended } = product.servers.get('server') ?? {};
        // All at once, until there is no memory: what one connection takes may change.
        while (child?.exitCode === null && child.signalCode === null && clients.length < 4000) {
          for (let n = 0; n < 500; n += 1) clients.push(new RawClient(product.stratum));
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
        await ended;
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
