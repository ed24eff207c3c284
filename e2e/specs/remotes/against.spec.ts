/** `npm run dev -- referral --against <url>`: a deployed pool's page, signed in, with this one remote of a checkout. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CERTIFICATE, startHttp2Front } from '../../../scripts/bench/http2-front';
import { LANGUAGES } from '../../../shared/src/i18n/languages';
import { startDev, COMPILED_MS } from '../../fixtures/dev';
import { test } from '../../fixtures/own-pool';
import { expect, newUser, signUp } from '../../fixtures/test';

/** HEAVY=1: more, for the figures of docs/performance.md. */
const EDITS = process.env.HEAVY ? 10 : 1;
const PAGE = 'mfe-referral/src/pages/referral/referral-page.tsx';
const HEADER = "<PageHeader title={t('referral.nav')}";

test.use({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });

test('a pool behind TLS and another host name: signed in, edits are seen without a reload, errors too, the pool does not change', async ({
  page,
  server,
  pool,
}) => {
  const tls = await startHttp2Front(new URL(server.url));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pool-tls-'));
  const trusted = path.join(folder, 'cert.pem');
  await writeFile(trusted, CERTIFICATE.cert);
  const dev = await startDev('referral', {
    against: tls.url,
    env: { NODE_EXTRA_CA_CERTS: trusted },
    prepare: async (team) => {
      await team.edit(
        'mfe-referral/remote.json',
        '"nav": [',
        '"nav": [{ "path": "/referral/new", "label": "referral.new", "icon": "referral", "order": 41 }, ',
      );
      await team.edit(
        'mfe-referral/src/routes.tsx',
        '<Routes>',
        '<Routes><Route path="new" element={<p>A new page</p>} />',
      );
      for (const language of LANGUAGES)
        await team.edit(`mfe-referral/locales/${language}.json`, '{', '{ "referral.new": "New of mine",');
      await team.edit(PAGE, HEADER, '<p>edit 0</p>' + HEADER);
    },
  });
  try {
    const pointer = () => readFile(path.join(pool.remotes, 'referral/current.json'), 'utf8');
    const before = await pointer();
    const form = await page.goto(`${dev.url}/sign-up`);
    const policy = form?.headers()['content-security-policy'];
    expect(policy).toContain("script-src 'self' 'nonce-");
    expect(policy).not.toContain('upgrade-insecure-requests');
    await signUp(page, newUser('against'), '/dashboard/', dev.url);
    await page.getByRole('navigation').getByRole('link', { name: 'Referral Program' }).click();
    await expect(page.getByText('edit 0')).toBeVisible();
    await page.evaluate(() => Object.assign(window, { stillHere: true }));

    const times: number[] = [];
    for (let n = 1; n <= EDITS; n += 1) {
      const start = performance.now();
      await dev.edit(PAGE, `edit ${n - 1}`, `edit ${n}`);
      await page.getByText(`edit ${n}`, { exact: true }).waitFor();
      times.push(performance.now() - start);
    }
    console.log(
      `against a pool: seen after ${Math.round(times.sort((a, b) => a - b)[EDITS >> 1] ?? 0)} ms, median of ${EDITS}`,
    );
    await dev.edit('mfe-referral/locales/en.json', '"referral.new": "New of mine"', '"referral.new": "Newer of mine"');
    await page.getByRole('navigation').getByRole('link', { name: 'Newer of mine' }).click();
    await expect(page.getByText('A new page')).toBeVisible();
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);

    const problems = page.frameLocator('#webpack-dev-middleware-hot-overlay').locator('body');
    const back = await dev.edit(
      PAGE,
      'const { t } =',
      "const ofNumber: number = 'text';\n  void ofNumber;\n  const { t } =",
    );
    await expect(problems).toContainText('TS2322', { timeout: COMPILED_MS });
    await back();
    await expect(problems).toBeHidden({ timeout: COMPILED_MS });

    // A page that the pool does not have, opened by its address.
    await page.goto(`${dev.url}/referral/new`);
    await expect(page.getByText('A new page')).toBeVisible();
    expect(await pointer()).toBe(before);
    const own = await (await page.request.get(`${server.url}/api/remotes`)).text();
    expect(own).not.toContain('/__dev/');
    // Its streams end with it.
    await page.goto('about:blank');
  } finally {
    await dev.leave();
    tls.stop();
    await rm(folder, { recursive: true });
  }
});
