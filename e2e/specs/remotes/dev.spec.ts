/**
 * `npm run dev -- workers` in a copy of the checkout: what is edited is seen in the open page, which keeps its state.
 * Only with HEAVY=1: it builds the shell, and `against.spec.ts` sees edits of a remote each time.
 */
import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../../shared/src/i18n/languages';
import { startDev, COMPILED_MS, type Dev } from '../../fixtures/dev';
import { expect, newUser, signUp, test as base } from '../../fixtures/test';

/** Edits of each kind, whose median stands in docs/performance.md. */
const EDITS = 10;
const PAGE = 'mfe-workers/src/pages/probe/probe-page.tsx';
const STYLES = 'mfe-workers/src/pages/probe/probe-page.module.css';
const LAZY = 'mfe-workers/src/pages/probe/probe-details.tsx';
const QUERY = 'mfe-workers/src/pages/probe/figure.ts';
const NAV = '{ "path": "/workers/probe?link=0", "label": "workers.probe.nav", "icon": "workers", "order": 31 }';

const SOURCES = {
  [PAGE]: `
import { useTranslation } from '@pool/shared/i18n';
import { Button, PageHeader } from '@pool/shared/ui/core';
import { lazy, Suspense, useState } from 'react';
import styles from './probe-page.module.css';

const Details = lazy(async () => ({ default: (await import('./probe-details')).ProbeDetails }));

export function ProbePage() {
  const { t } = useTranslation();
  const [count, setCount] = useState(0);
  return (
    <div style={{ minHeight: 3000 }}>
      <PageHeader title={t('workers.probe.title')} />
      <p data-probe="page" className={styles.mark}>page 0</p>
      <Button onClick={() => setCount(count + 1)}>count {count}</Button>
      {count > 0 && <Suspense><Details /></Suspense>}
    </div>
  );
}
`,
  [STYLES]: '.mark { padding-inline-start: 0px; }\n',
  [LAZY]: `
import { figure } from './figure';

export function ProbeDetails() {
  return <p data-probe="details">details 0, figure {figure}</p>;
}
`,
  [QUERY]: 'export const figure = 0;\n',
};

const test = base.extend<{ dev: Dev }>({
  dev: async ({}, use) => {
    const dev = await startDev('workers', {
      prepare: async (team) => {
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

test.skip(!process.env.HEAVY);

test('edits of a page, its styles, texts, remote.json and what is loaded later are seen without a reload', async ({
  page,
  dev,
  watch,
}) => {
  const pointers = await dev.pointers();
  await signUp(page, newUser('dev'), '/workers/probe');
  await page.getByRole('button', { name: 'count 0' }).click();
  await page.getByRole('button', { name: 'count 1' }).click();
  await expect(page.locator('[data-probe=details]')).toHaveText('details 0, figure 0');
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
    ['lazy', LAZY, (n) => `details ${n}`, (n) => seen(`details ${n}, figure 0`)],
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

  await test.step('a module that no component is made of refreshes those that use it', async () => {
    await dev.edit(QUERY, 'figure = 0', 'figure = 7');
    await seen(`details ${EDITS}, figure 7`)(page);
    await isKept();
  });

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

  await test.step('a page that throws is loaded anew with the edit that mends it', async () => {
    watch.expectErrors(/broken by an edit/);
    await dev.edit(PAGE, 'return (', "if (count < 9) throw new Error('broken by an edit');\n  return (");
    const panel = page.locator('[data-failure=crashed]');
    await panel.getByRole('button', { name: 'Retry' }).click();
    await expect(panel.getByRole('button', { name: 'Reload' })).toBeVisible();
    await dev.edit(PAGE, "if (count < 9) throw new Error('broken by an edit');", '');
    await expect(page.getByRole('button', { name: 'count 0' })).toBeVisible();
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
  });

  await test.step('texts of the shell are seen without a reload; the page itself, with one', async () => {
    await dev.edit('shell/locales/en.json', '"account.nav": "Account"', '"account.nav": "My account"');
    await page.getByRole('navigation').getByRole('link', { name: 'My account' }).waitFor();
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
    const edits: Parameters<Dev['edit']>[] = [
      ['shell/src/app.html', '<head>', '<head><meta name="probe" content="1" />'],
      ['shell/src/boot-inline.ts', 'root.dataset.shape =', "root.dataset.probe = '1';\nroot.dataset.shape ="],
      ['shell/src/skeleton/base.css', /^/, ':root { --probe: 1; }\n'],
    ];
    const seen = [
      () => document.querySelector('meta[name=probe]') !== null,
      () => document.documentElement.dataset.probe === '1',
      () => getComputedStyle(document.documentElement).getPropertyValue('--probe') === '1',
    ];
    for (const [at, edit] of edits.entries()) {
      await dev.edit(...edit);
      await page.waitForFunction(seen[at]!);
      // An edit while the page loads would be an error of that load.
      await expect(page.getByRole('button', { name: 'count 0' })).toBeVisible();
    }
  });

  await test.step('errors of types and syntax are over the page until they are mended', async () => {
    const problems = page.frameLocator('#webpack-dev-middleware-hot-overlay').locator('body');
    await dev.edit(PAGE, 'useState(0)', "useState<number>('0')");
    // The compiler has the whole tree to check, beside the browser.
    await expect(problems).toContainText('TS2345', { timeout: COMPILED_MS });
    await expect(problems).toContainText('probe-page.tsx');
    await dev.edit(PAGE, "useState<number>('0')", 'useState(0)');
    await expect(problems).toHaveCount(0);
    await dev.edit(PAGE, 'export function', 'export functoin');
    await expect(problems).toContainText('probe-page.tsx');
    await dev.edit(PAGE, 'export functoin', 'export function');
    await expect(problems).toHaveCount(0);
  });

  expect(await dev.pointers(), 'nothing is deployed').toEqual(pointers);
  expect(dev.output()).not.toContain('incoming request');
});
