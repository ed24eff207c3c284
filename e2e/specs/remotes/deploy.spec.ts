/** A team's day, as README says it: a page in five steps, a remote of its own, deployed into a pool that people use. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { LANGUAGES } from '../../../shared/src/i18n/languages';
import { test as base } from '../../fixtures/own-pool';
import { team as joinTeam } from '../../fixtures/team';
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

/** The code spans of each of the five steps. */
async function readSteps(): Promise<string[][]> {
  const readme = await readFile(path.resolve(__dirname, '../../../README.md'), 'utf8');
  const [, section = ''] = readme.split('## Add a page in five steps');
  const steps = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d\. ((?:.|\n {3})*)/gm)];
  return steps.map(([, step = '']) => [...step.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

const PAGE = `
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { PageHeader } from '@pool/shared/ui/core';

export function MapPage() {
  const { t } = useTranslation();
  const { session } = useServices();
  return (
    <>
      <PageHeader title={t('workers.map.title')} />
      <p>{session.account}</p>
    </>
  );
}
`;

test('a team adds a page and a remote in README’s steps, and deploys them while others use the pool: published, rolled back, served from elsewhere', async ({
  page,
  product,
  pool,
  cdn,
  watch,
}) => {
  const steps = await readSteps();
  expect(steps).toHaveLength(5);
  const isSource = (word: string) => /^mfe-[\w/-]+\.tsx$/.test(word);
  const nav = steps[0]?.find((word) => word.startsWith('{')) ?? '';
  const pageFile = steps[1]?.find(isSource) ?? '';
  const routesFile = steps[2]?.find(isSource) ?? '';
  const [localesFolder = ''] = steps[4]?.find((word) => word.includes('/locales/'))?.split('{') ?? [];
  const { path: address, label } = JSON.parse(nav) as { path: string; label: string };

  const user = newUser('deploy');
  const env = { POOL_URL: product.url, POOL_USER: user.userName, POOL_PASSWORD: user.password };
  const team = await joinTeam('workers', pool.remotes, { env });
  try {
    await signUp(page, user, '/account/');
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    const open = async (link: string, heading = link) => {
      await navigation.getByRole('link', { name: link }).click();
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    };
    await open('Workers');
    await page.evaluate(() => Object.assign(window, { opened: 'once' }));

    await test.step('README’s five steps', async () => {
      await team.edit('mfe-workers/remote.json', '"nav": [', `"nav": [${nav}, `);
      await team.write(pageFile, PAGE);
      await team.edit(routesFile, 'import', "import { MapPage } from './pages/map/map-page';\nimport");
      // The route of the list, `:id?`, would match too.
      await team.edit(routesFile, '<Routes>', '<Routes><Route path="map" element={<MapPage />} />');
      for (const language of LANGUAGES) {
        const texts = `"${label}": "Map (${language})", "workers.map.title": "Map of the farm",`;
        await team.edit(`${localesFolder}${language}.json`, '{', `{ ${texts}`);
      }
      // Another wording of a text that the current version has too.
      await team.edit('mfe-workers/locales/en.json', '"workers.nav": "Workers"', '"workers.nav": "Machines"');
    });
    let elsewhere = '';
    await team.command('new-remote', ['power']);
    await team.command('build', ['workers', 'power']);

    /** An open page learns of a move from an event: until then it opens what was there. */
    const opens = (link: RegExp, heading: string) =>
      expect(async () => {
        await open('Referral Program');
        await navigation.getByRole('link', { name: link }).click();
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible({ timeout: 3000 });
      }).toPass();
    await test.step('published, after a try in a browser: an open tab keeps its page, and opens the new one', async () => {
      const said = await team.command('remote', ['publish', 'power', '--unseen'], { REMOTE_ORIGIN: cdn.url });
      elsewhere = /\d+\.\d+\.\d+-[0-9a-f]{8}/.exec(said)?.[0] ?? '';
      const start = performance.now();
      await team.publish();
      console.log(`publish: ${Math.round(performance.now() - start)} ms`);
      await opens(/Workers|Machines/, 'Machines');
      await open('Map (en)', 'Map of the farm');
      await expect(page.getByText(user.userName).last()).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${address}(\\?|$)`));
      await open('Power');
      await expect(page.getByText('Nothing here yet')).toBeVisible();
    });

    await test.step('rolled back: the page of before, beside the other remotes', async () => {
      await team.rollback();
      await opens(/Workers|Machines/, 'Workers');
      await expect(navigation.getByRole('link', { name: 'Map (en)' })).toHaveCount(0);
      // It was the same document all the time.
      expect(await page.evaluate(() => (window as { opened?: string }).opened)).toBe('once');
    });

    await test.step('from another origin that the pool allows; what is changed there does not run', async () => {
      watch.requests.length = 0;
      await page.goto('/power');
      await expect(page.getByRole('heading', { level: 1, name: 'Power' })).toBeVisible();
      const scripts = watch.requests.filter((url) => url.includes(`/${elsewhere}/`) && url.endsWith('.js'));
      expect([...new Set(scripts.map((url) => new URL(url).origin))]).toEqual([cdn.url]);
      watch.expectErrors(/integrity|Remote power/);
      cdn.change = (content) => Buffer.concat([content, Buffer.from(' ')]);
      await page.goto('/power');
      await expect(page.locator('[data-failure=unreachable]')).toBeVisible();
    });
  } finally {
    await team.leave();
  }
});
