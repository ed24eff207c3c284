/** A team's day, as README says it: a page in five steps, a remote of its own, deployed into a pool that people use. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { selfSigned } from '../../../api/src/stratum/testing/certificate';
import { LANGUAGES } from '../../../shared/src/i18n/languages';
import { test as base } from '../../fixtures/own-pool';
import { team as joinTeam } from '../../fixtures/team';
import { expect, newUser, signUp, submitSignUp } from '../../fixtures/test';

/** Serves the pool's folder of remotes at another origin. `change`: what it makes of each file. */
type Cdn = { url: string; change(content: Buffer): Buffer };

/** A server of the team's own, which says what its machines draw to who brings a token of the pool for it. */
type OwnApi = { url: string; close(): void };

async function startOwnApi(pool: string): Promise<OwnApi> {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', pool));
  const server = createSecureServer(selfSigned('localhost'), (asked, answer) => {
    answer.setHeader('access-control-allow-origin', pool);
    answer.setHeader('access-control-allow-headers', 'authorization');
    if (asked.method === 'OPTIONS') return void answer.end();
    const token = asked.headers.authorization?.replace('Bearer ', '') ?? '';
    jwtVerify(token, keys, { issuer: pool, audience: url, algorithms: ['RS256'] }).then(
      ({ payload }) => answer.end(JSON.stringify(`${String(payload.account)} draws 42 kW`)),
      (error: Error) => answer.writeHead(401).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const test = base.extend<{ cdn: Cdn; ownApi: OwnApi }>({
  ignoreHTTPSErrors: true,
  ownApi: async ({ product }, use) => {
    const ownApi = await startOwnApi(product.url);
    await use(ownApi);
    ownApi.close();
  },
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

/** The code of docs/teams.md that asks an API of the team's own at `origin`. */
async function ownApiCode(origin: string): Promise<string> {
  const docs = await readFile(path.resolve(__dirname, '../../../docs/teams.md'), 'utf8');
  const [, section = ''] = docs.split('## An API of your own');
  const code = /^const ORIGIN = (?:.|\n)*?(?=\n```)/m.exec(section)?.[0] ?? '';
  return code.replace('https://api.power.example', origin);
}

const PAGE = `
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { PageHeader } from '@pool/shared/ui/core';

export function EnergyPage() {
  const { t } = useTranslation();
  const { session } = useServices();
  return (
    <>
      <PageHeader title={t('workers.energy.title')} />
      <p>{session.account}</p>
    </>
  );
}
`;

/** What the pool's own parts lack: the picker's panel is open. */
const ANTD = `
<DatePicker open />
<Tree defaultExpandAll treeData={[{ key: 'hall', title: 'Hall', children: [{ key: 'rack', title: 'Rack' }] }]} />
<Upload.Dragger><InboxOutlined /> Rack</Upload.Dragger>
<Transfer dataSource={[{ key: 'one', title: 'One' }]} render={({ title }) => title} />
<Button type="primary">Rack</Button>
`;

test('a team adds a page and a remote in README’s steps, and deploys them while others use the pool: published, rolled back, served from elsewhere', async ({
  page,
  product,
  server,
  pool,
  cdn,
  ownApi,
  browser,
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
      await team.edit(routesFile, 'import', "import { EnergyPage } from './pages/energy/energy-page';\nimport");
      // The route of the list, `:id?`, would match too.
      await team.edit(routesFile, '<Routes>', '<Routes><Route path="energy" element={<EnergyPage />} />');
      for (const language of LANGUAGES) {
        const texts = `"${label}": "Energy (${language})", "workers.energy.title": "Energy of the farm",`;
        await team.edit(`${localesFolder}${language}.json`, '{', `{ ${texts}`);
      }
      // Another wording of a text that the current version has too.
      await team.edit('mfe-workers/locales/en.json', '"workers.nav": "Workers"', '"workers.nav": "Machines"');
    });
    let elsewhere = '';
    await team.command('new-remote', ['power']);
    await team.edit(
      'mfe-power/src/pages/power/power-page.tsx',
      'import',
      `import { Button, DatePicker, Transfer, Tree, Upload } from '@pool/shared/antd';
       import { InboxOutlined } from '@pool/shared/antd/icons';
       import { useQuery } from '@pool/shared/query';
       import { useApi } from '@pool/shared/remote';
       import`,
    );
    await team.edit('mfe-power/src/pages/power/power-page.tsx', 'return', `${await ownApiCode(ownApi.url)} return`);
    await team.edit(
      'mfe-power/src/pages/power/power-page.tsx',
      '<Empty',
      `<p>{own.isError ? 'not allowed' : draw.data}</p>${ANTD}<Empty`,
    );
    await team.edit('mfe-power/remote.json', '{', `{ "connect": ["${ownApi.url}"],`);
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
      // The version that is open does not have this page.
      await navigation.getByRole('link', { name: /^Energy/ }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Energy of the farm' })).toBeVisible();
      await expect(page.getByText(user.userName).last()).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${address}(\\?|$)`));
      await opens(/Workers|Machines/, 'Machines');
      await open('Power');
      await expect(page.getByText('Nothing here yet')).toBeVisible();
    });

    await test.step('rolled back: the page of before, beside the other remotes', async () => {
      await team.rollback();
      await opens(/Workers|Machines/, 'Workers');
      await expect(navigation.getByRole('link', { name: 'Energy (en)' })).toHaveCount(0);
      // It was the same document all the time.
      expect(await page.evaluate(() => (window as { opened?: string }).opened)).toBe('once');
    });

    await test.step('from another origin that the pool allows', async () => {
      watch.requests.length = 0;
      await page.goto('/power');
      await expect(page.getByRole('heading', { level: 1, name: 'Power' })).toBeVisible();
      const scripts = watch.requests.filter((url) => url.includes(`/${elsewhere}/`) && url.endsWith('.js'));
      expect([...new Set(scripts.map((url) => new URL(url).origin))]).toEqual([cdn.url]);
    });

    await test.step('asks an API of its team once an admin allows that', async () => {
      watch.expectErrors(/status of 403/);
      await expect(page.getByText('not allowed')).toBeVisible();
      const admin = await (await browser.newContext()).newPage();
      await admin.goto(await server.adminLink());
      await submitSignUp(admin, newUser('operator'));
      await admin.waitForURL(/\/(dashboard|admin)\//);
      await admin.goto(`${product.url}/admin/system`);
      const allowed = admin.getByRole('switch', { name: `power: ${ownApi.url}` });
      await allowed.click();
      await expect(allowed).toBeChecked();
      await admin.context().close();
      await page.reload();
      await expect(page.getByText(`${user.userName} draws 42 kW`)).toBeVisible();
    });

    await test.step('antd’s own controls, dark and in Arabic, as the pool’s', async () => {
      await page.evaluate(() => localStorage.setItem('i18nextLng', 'ar'));
      await page.reload();
      const main = page.getByRole('main');
      await expect(main.getByPlaceholder('اختيار التاريخ')).toBeVisible();
      const panel = page.locator('.ant-picker-panel-container');
      for (const part of [panel, main.locator('.ant-tree'), main.locator('.ant-transfer')])
        await expect(part).toHaveCSS('direction', 'rtl');
      await expect(panel, 'names of months and days').not.toContainText(/[a-z]/i);
      const colour = (name: string) =>
        page.evaluate((of) => {
          const probe = document.body.appendChild(document.createElement('i'));
          probe.style.color = `var(--${of})`;
          const { color } = getComputedStyle(probe);
          probe.remove();
          return color;
        }, name);
      await expect(panel).toHaveCSS('background-color', await colour('raised'));
      await expect(main.locator('.ant-tree')).toHaveCSS('color', await colour('ink'));
      await expect(main.getByRole('button', { name: 'Rack' }).last()).toHaveCSS(
        'background-color',
        await colour('brand-fill'),
      );
      await expect(main.locator('.anticon-inbox')).toHaveCSS('display', 'inline-flex');
    });

    await test.step('what is changed there does not run', async () => {
      watch.expectErrors(/integrity|Remote power/);
      cdn.change = (content) => Buffer.concat([content, Buffer.from(' ')]);
      await page.goto('/power');
      await expect(page.locator('[data-failure=unreachable]')).toBeVisible();
    });
  } finally {
    await team.leave();
  }
});
