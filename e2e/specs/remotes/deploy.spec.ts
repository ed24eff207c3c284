import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { RemotePointer } from '../../../shared/src/contract/dist-layout';
import { test as base } from '../../fixtures/own-pool';
import { team as joinTeam, type Team } from '../../fixtures/team';
import { expect, newUser, signUp } from '../../fixtures/test';

/** Serves the pool's folder of remotes at another origin. `change`: what it makes of each file. */
type Cdn = { url: string; change(content: Buffer): Buffer };

const test = base.extend<{ cdn: Cdn }>({
  cdn: async ({ pool }, use) => {
    const cdn: Cdn = { url: '', change: (content) => content };
    const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };
    const server = createServer((asked, answer) => {
      const { pathname } = new URL(asked.url ?? '/', cdn.url);
      void readFile(path.join(pool.dist, pathname)).then(
        (content) =>
          answer
            .writeHead(200, {
              'access-control-allow-origin': '*',
              'content-type': types[path.extname(pathname)] ?? 'application/octet-stream',
            })
            .end(cdn.change(content)),
        () => answer.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cdn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await use(cdn);
    server.closeAllConnections();
    server.close();
  },
  settings: async ({ cdn }, use) => use({ REMOTE_ORIGINS: cdn.url }),
});

const CALL = 'Calls of the API · GET /referral/stats';

/**
 * What it says of three remotes, of which one uses what the shell of the pool at `next` lacks, where a shell is deployed
 * that has another `CALL`. It tries the `canary` of a remote in a browser, with HEAVY=1 what everybody has too.
 */
async function conform(
  team: Team,
  { dist, remotes }: { dist: string; remotes: string },
  next: string,
  canary: string,
): Promise<string> {
  const deployed = path.join(dist, 'deployed');
  const served = async (name: string) =>
    (JSON.parse(await readFile(path.join(remotes, name, 'current.json'), 'utf8')) as RemotePointer).version;
  for (const name of ['payments', 'referral', 'workers'])
    await cp(path.join(remotes, name), path.join(deployed, 'remotes', name), { recursive: true });
  if (!process.env.HEAVY)
    await writeFile(path.join(deployed, 'remotes/referral/current.json'), JSON.stringify({ version: canary }));
  await appendFile(
    path.join(deployed, 'remotes/workers', await served('workers'), 'uses.txt'),
    '\nTexts · common.gone',
  );
  await mkdir(path.join(deployed, 'shell'));
  const surface = await readFile(path.join(dist, 'shell/surface.txt'), 'utf8');
  await writeFile(path.join(deployed, 'shell/surface.txt'), surface.replace(/^GET \/referral\/stats: /m, '$& null | '));
  const said = team.command('remote', ['conform', '--shell', next], { REMOTES_DIR: path.join(deployed, 'remotes') });
  return said.catch((error: { stdout: string }) => error.stdout);
}

test('a team deploys a newer build of its remote to some users, to all, rolls it back, and serves it from elsewhere', async ({
  page,
  product,
  pool,
  cdn,
  watch,
}) => {
  const user = newUser('deploy');
  const env = { POOL_URL: product.url, POOL_USER: user.userName, POOL_PASSWORD: user.password };
  const team = await joinTeam('referral', pool.remotes, { env });
  try {
    await signUp(page, user, '/ready');
    const files = (part: string) =>
      [...new Set(watch.requests.map((url) => new URL(url).pathname).filter((name) => name.startsWith(part)))].sort();
    const opened = async () => {
      watch.requests.length = 0;
      await page.goto(`${product.url}/referral/`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      return {
        heading: await page.getByRole('heading', { level: 1 }).textContent(),
        panel: await page.getByRole('heading', { level: 2 }).first().textContent(),
        shell: files('/assets/shell'),
        versions: [...new Set(files('/remotes/referral/').map((file) => file.split('/')[3]))],
      };
    };
    // The server looks for deploys twice a second, and a page costs a second to open.
    const listed = (version: string) =>
      expect.poll(async () => (await page.request.get(`${product.url}/api/remotes`)).text()).toContain(version);
    const before = await opened();
    expect(before).toMatchObject({ heading: 'Referral Program', versions: [expect.any(String)] });

    // New code, a new text, and another wording of a text that the current version has too.
    await team.edit(
      'mfe-referral/src/pages/referral/referral-page.tsx',
      "title={t('referral.title')}",
      "title={t('referral.titleNew')}",
    );
    await team.edit(
      'mfe-referral/locales/en.json',
      '"referral.title": "Referral Program",',
      '"referral.titleNew": "Bring a friend",',
    );
    await team.edit(
      'mfe-referral/locales/en.json',
      '"referral.invite": "Invite a miner"',
      '"referral.invite": "Invite a friend"',
    );
    await team.build();

    // A canary for 0 % changes nothing; for all users it is the new build.
    // Publishing tries it in the pool's pages first, without which it would not be served.
    const version = await team.publish('--canary', '0');
    expect(version).not.toBe('');
    expect(await opened()).toEqual(before);
    expect(await conform(team, pool, product.url, version)).toMatch(
      new RegExp(
        `^payments: \\S+ uses nothing that has changed
referral: ${process.env.HEAVY ? `\\S+ is good, tried for ${CALL}\n  ` : ''}${version} is good, tried for ${CALL}
workers: workers \\S+ does not fit the shell: its @pool/shared \\S+ lacks common.gone\\. Deploy the shell first\n$`,
      ),
    );
    const start = performance.now();
    // HEAVY=1: to all by a canary first.
    await team.publish('--unseen', ...(process.env.HEAVY ? ['--canary', '100'] : []));
    const published = performance.now();
    const after = { heading: 'Bring a friend', panel: 'Invite a friend', shell: before.shell, versions: [version] };
    await listed(version);
    expect(await opened()).toEqual(after);
    console.log(
      `publish: ${Math.round(published - start)} ms, seen by a user after ${Math.round(performance.now() - published)} ms more`,
    );
    if (process.env.HEAVY) {
      await team.publish('--unseen');
      await expect.poll(opened).toEqual(after);
    }

    // Without a version it is the last that everybody had. A page that is open learns of it at once.
    const list = page.waitForResponse((response) => response.url().endsWith('/api/remotes'));
    await team.rollback();
    await list;
    await expect.poll(opened).toEqual(before);

    // Files at another origin that the pool allows; what is changed there does not run.
    process.env.REMOTE_ORIGIN = cdn.url;
    const elsewhere = await team.publish('--unseen').finally(() => delete process.env.REMOTE_ORIGIN);
    await listed(elsewhere);
    expect(await opened()).toEqual({ ...after, versions: [elsewhere] });
    const scripts = watch.requests.filter((url) => url.includes(`/${elsewhere}/`) && url.endsWith('.js'));
    expect([...new Set(scripts.map((url) => new URL(url).origin))]).toEqual([cdn.url]);
    watch.expectErrors(/integrity|Remote referral/);
    cdn.change = (content) => Buffer.concat([content, Buffer.from(' ')]);
    await page.goto(`${product.url}/referral/`);
    await expect(page.locator('[data-failure=unreachable]')).toBeVisible();
  } finally {
    await team.leave();
  }
});
