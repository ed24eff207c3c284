/** `npm run dev -- workers` in a copy of the checkout: what is edited is seen in the open page, which keeps its state. */
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../shared/src/i18n/languages';
import { startDev, type Dev } from '../../fixtures/dev';
import { expect, newUser, signUp, test as base } from '../../fixtures/test';

/** HEAVY=1: more, for the figures of docs/performance.md. */
const EDITS = process.env.HEAVY ? 10 : 1;
const PAGE = 'mfe-workers/src/pages/probe/probe-page.tsx';
const STYLES = 'mfe-workers/src/pages/probe/probe-page.module.css';
const NAV = '{ "path": "/workers/probe?link=0", "label": "workers.probe.nav", "icon": "workers", "order": 31 }';

const SOURCES = {
  [PAGE]: `
import { useTranslation } from '@pool/shared/i18n';
import { Button, PageHeader } from '@pool/shared/ui/core';
import { useState } from 'react';
import styles from './probe-page.module.css';

export function ProbePage() {
  const { t } = useTranslation();
  const [count, setCount] = useState(0);
  return (
    <div style={{ minHeight: 3000 }}>
      <PageHeader title={t('workers.probe.title')} />
      <p data-probe="page" className={styles.mark}>page 0</p>
      <Button onClick={() => setCount(count + 1)}>count {count}</Button>
    </div>
  );
}
`,
  [STYLES]: '.mark { padding-inline-start: 0px; }\n',
};

const test = base.extend<{ dev: Dev }>({
  dev: async ({}, use, testInfo) => {
    testInfo.setTimeout(6 * 60_000);
    const dev = await startDev('workers', {
      prepare: async (team) => {
        // Types are checked in against.spec.ts, of fewer sources.
        await team.edit('scripts/dev.ts', 'watcher.types(checked);', '');
        for (const [file, source] of Object.entries(SOURCES)) await team.write(file, source);
        await team.edit('mfe-workers/remote.json', '"nav": [', `"nav": [${NAV}, `);
        await team.edit(
          'mfe-workers/src/routes.tsx',
          '<Routes>',
          '<Routes><Route path="probe" element={<ProbePage />} />',
        );
        await team.edit(
          'mfe-workers/src/routes.tsx',
          'import',
          "import { ProbePage } from './pages/probe/probe-page';\nimport",
        );
        for (const language of LANGUAGES)
          await team.edit(
            `mfe-workers/locales/${language}.json`,
            '{',
            '{ "workers.probe.nav": "Probe 0", "workers.probe.title": "Title 0",',
          );
      },
    });
    await use(dev);
    await dev.leave();
  },
  product: async ({ dev }, use) => {
    await use({ url: dev.url, stratum: { sha256: 0, scrypt: 0 } });
  },
});

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('edits of a page, its styles, texts and remote.json are seen without a reload', async ({ page, dev }) => {
  const pointers = await dev.pointers();
  await signUp(page, newUser('dev'), '/workers/probe');
  await page.getByRole('button', { name: 'count 0' }).click();
  await page.getByRole('button', { name: 'count 1' }).click();
  await page.evaluate(() => Object.assign(window, { stillHere: true }));
  const isKept = async (): Promise<void> => {
    await expect(page.getByRole('button', { name: 'count 2' })).toBeVisible();
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
  };

  const seen = (text: string) => (each: Page) => each.getByText(text, { exact: true }).first().waitFor();
  const edits: [string, string, (n: number) => string, (n: number) => (page: Page) => Promise<unknown>][] = [
    ['page', PAGE, (n) => `page ${n}`, (n) => seen(`page ${n}`)],
    [
      'styles',
      STYLES,
      (n) => `start: ${n}px`,
      (n) => (each) =>
        each.waitForFunction(
          (width) =>
            getComputedStyle(document.querySelector('[data-probe=page]') ?? document.body).paddingLeft === width,
          `${n}px`,
        ),
    ],
    ['text', 'mfe-workers/locales/en.json', (n) => `Title ${n}`, (n) => seen(`Title ${n}`)],
    [
      'remote.json',
      'mfe-workers/remote.json',
      (n) => `?link=${n}"`,
      (n) => (each) => each.locator(`a[href*="link=${n}"]`).waitFor(),
    ],
  ];
  for (const [what, file, text, isSeen] of edits) {
    const times: number[] = [];
    for (let n = 1; n <= EDITS; n += 1) {
      const start = performance.now();
      await dev.edit(file, text(n - 1), text(n));
      await isSeen(n)(page);
      times.push(performance.now() - start);
    }
    await isKept();
    console.log(`${what}: seen after ${Math.round(median(times))} ms, median of ${EDITS}`);
  }

  await test.step('a change of the remote itself mounts it again in its place', async () => {
    await page.evaluate(() => scrollTo(0, 500));
    await dev.edit(
      'mfe-workers/src/app.ts',
      'export const contract',
      'console.info("mounted again");\nexport const contract',
    );
    await expect(page.getByRole('button', { name: 'count 0' })).toBeVisible();
    expect(await page.evaluate(() => [scrollY, 'stillHere' in window])).toEqual([500, true]);
    await expect(page).toHaveURL(/\/workers\/probe/);
  });

  await test.step('texts of the shell are seen without a reload; the page itself, with one', async () => {
    await dev.edit('shell/locales/en.json', '"account.nav": "Account"', '"account.nav": "My account"');
    await page.getByRole('navigation').getByRole('link', { name: 'My account' }).waitFor();
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
    await dev.edit(
      'shell/src/boot-inline.ts',
      'root.dataset.shape =',
      "root.dataset.probe = '1';\nroot.dataset.shape =",
    );
    await page.waitForFunction(() => document.documentElement.dataset.probe === '1');
    // An edit while the page loads would be an error of that load.
    await expect(page.getByRole('button', { name: 'count 0' })).toBeVisible();
  });

  await test.step('an error of syntax is over the page until it is mended', async () => {
    const problems = page.locator('#pool-dev-problems');
    await dev.edit(PAGE, 'export function', 'export functoin');
    await expect(problems).toContainText('probe-page.tsx');
    await dev.edit(PAGE, 'export functoin', 'export function');
    await expect(problems).toHaveCount(0);
  });

  expect(await dev.pointers(), 'nothing is deployed').toEqual(pointers);
  expect(dev.output()).not.toContain('incoming request');
});
