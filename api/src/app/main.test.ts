/** The server as a process: its output, refusals and shutdown. */
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { killServers, runServer as run } from '../testing/server-process';
import { newFolder } from '../testing/folder';

describe('the server', () => {
  /** Takes connections and never answers. */
  const silent = createServer(() => undefined);
  let silentPort = 0;
  beforeAll(async () => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    silentPort = (silent.address() as AddressInfo).port;
  });
  afterAll(async () => {
    silent.close();
    await killServers();
  });

  it('prints its address, locks its folder, responds under half-open requests, and stops on signals', async () => {
    const folder = join(newFolder(), 'data');
    // A collector of traces that does not answer hinders nothing.
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${silentPort}`, OTEL_TRACES_SAMPLER_ARG: '1' };
    const first = run({ DATA_DIR: folder, ...traces });
    await first.until('embedded (');
    expect(first.output()).toContain('Sign in     create an account on the page');
    expect(first.output()).toMatch(/Admin +http:\/\/localhost:\d+\/sign-up\?operator=[\w-]{20}\n/);
    expect(first.output()).toMatch(/Missing +no upstream pool: .*\n +no price: .* PRICE_URL\n/);
    const url = /http:\/\/localhost:(\d+)/.exec(first.output());
    const port = Number(url?.[1]);

    const second = run({ DATA_DIR: folder });
    const thirdFolder = newFolder();
    const third = run({ DATA_DIR: thirdFolder, PORT: String(port) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(
      `${folder} is in use by another process (pid ${first.child.pid} on ${hostname()}). ` +
        'Stop it first, or give this one a DATA_DIR of its own.\n',
    );
    expect(await third.ended).toBe(1);
    expect(third.output()).toContain('Another program uses that port');
    // The demo would have taken minutes.
    expect(existsSync(join(thirdFolder, 'db'))).toBe(false);

    const halves = Array.from({ length: 300 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => undefined));
    for (const half of halves) half.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    for (const path of ['/health', '/ready', '/api/algorithms/'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    for (const half of halves) half.destroy();

    // Nobody else of the machine reads a key, a share or a name.
    const files = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
    expect(files.length).toBeGreaterThan(100);
    // The embedded database sets modes of its own files, in a folder that is closed.
    const open = files.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
    expect(open.filter((name) => !name.startsWith('db/data/'))).toEqual([]);

    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    chmodSync(folder, 0o755);
    // The folder can be opened again at once.
    const again = run({ DATA_DIR: folder, POOL_FEE_PERCENT: '9' });
    await again.until('embedded (');
    expect(again.output()).toMatch(
      /POOL_FEE_PERCENT was changed to 9: it counts from \d{4}-\d\d-\d\d UTC on, until then/,
    );
    expect(again.output()).toContain('other users of this machine may read DATA_DIR');
    again.child.kill('SIGINT');
    expect(await again.ended).toBe(0);
  });

  it.each([
    ['a data folder that cannot be made', () => ({ DATA_DIR: '/dev/null/data' }), 'Set DATA_DIR to a folder'],
    [
      'a database that is silent',
      () => ({ DATA_DIR: newFolder(), DATABASE_URL: `postgresql://pool:secret@127.0.0.1:${silentPort}/pool` }),
      'cannot be used',
    ],
  ])(
    '%s: says at once what to do, in one sentence',
    async (_, env, sentence) => {
      const failed = run(env());
      expect(await failed.ended).toBe(1);
      expect(failed.output()).toContain(sentence);
      // Lines of the log apart: without a build there are no pages yet.
      expect(
        failed
          .output()
          .trim()
          .split('\n')
          .filter((line) => !line.startsWith('{')),
      ).toHaveLength(1);
      expect(failed.output()).not.toContain('secret');
    },
    60_000,
  );
});
