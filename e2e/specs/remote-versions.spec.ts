import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { openWith, test } from '../fixtures/own-pool';
import { team as joinTeam } from '../fixtures/team';
import { expect, newUser, signUp } from '../fixtures/test';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });
const failure = (page: Page) => page.locator('[data-failure]');

/** Simulates a tab that gets the focus after its list is older than ten minutes. */
async function comeBackLater(page: Page) {
  const list = page.waitForResponse((response) => response.url().endsWith('/api/remotes'));
  await page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 11 * 60_000;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await list;
}

/** Changes a JSON file at once: the server may read it at any time, and keeps what it has read of a version. */
async function changeJson(file: string, change: (value: object) => object): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as object)));
  await rename(`${file}.new`, file);
}

async function deployedFolder(remotes: string, name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(remotes, name, 'current.json'), 'utf8')) as {
    version: string;
  };
  return path.join(remotes, name, version);
}

/** Waits until the server knows the version that is deployed: it looks twice a second. */
async function untilServed(page: Page, remotes: string, name: string): Promise<void> {
  const version = path.basename(await deployedFolder(remotes, name));
  const url = new URL('/account/', page.url()).href;
  await expect
    .poll(async () => (await page.request.get(url, { headers: { accept: 'text/html' } })).text())
    .toContain(`/remotes/${name}/${version}/`);
}

/** Changes the manifest of a version that is deployed: as somebody may by hand. Returns the version's folder. */
async function changeManifest(remotes: string, name: string, change: (manifest: object) => object): Promise<string> {
  const folder = await deployedFolder(remotes, name);
  await changeJson(path.join(folder, 'manifest.json'), change);
  return folder;
}

test('a remote is deployed while its page is open in a tab: the tab gets the new code with its texts', async ({
  page,
  pool,
}) => {
  const team = await joinTeam('referral', pool.remotes);
  try {
    // The first page of this document: its remote is the first that loads the shared chart.
    await signUp(page, newUser('tab'), '/referral/');
    await expect(page.getByRole('heading', { level: 1, name: 'Referral Program' })).toBeVisible();
    await expect(page.getByLabel('Referral code')).toBeVisible();

    /** The open page stays the old version; opened again it is the new one. */
    const expectNext = async (heading: string) => {
      await team.build();
      await team.publish();
      await untilServed(page, pool.remotes, 'referral');
      await page.getByLabel('Referral code').fill('K7PQ');
      await comeBackLater(page);
      await expect(page.getByLabel('Referral code')).toHaveValue('K7PQ');
      // The list may still be on its way when the page is opened again.
      await expect(async () => {
        await navigation(page).getByRole('link', { name: 'Workers' }).click();
        await expect(page.getByRole('heading', { level: 1, name: 'Workers' })).toBeVisible();
        await navigation(page).getByRole('link', { name: 'Referral Program' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading, { timeout: 3000 });
      }).toPass();
      await expect(page.getByLabel('Referral code')).toHaveValue('');
    };
    const at = 'mfe-referral/src/pages/referral/referral-page.tsx';
    const texts = 'mfe-referral/locales/en.json';

    // Both versions have the same chunks.
    await team.edit(at, "t('referral.title')", "t('referral.titleNew')");
    await team.edit(texts, '"referral.title": "Referral Program"', '"referral.titleNew": "Bring a friend"');
    await expectNext('Bring a friend');

    // The new version has no chunk for the form.
    await team.edit(texts, '"Bring a friend"', '"Bring a crowd"');
    await team.edit(at, /^const ActivateForm = .*$/m, '');
    await team.edit(
      at,
      'import { InvitePanel }',
      "import { ActivateForm } from './activate-form';\nimport { InvitePanel }",
    );
    await expectNext('Bring a crowd');
    await expect(failure(page)).toHaveCount(0);
  } finally {
    await team.leave();
  }
});

/** A miner's remotes: the link to each, its heading for a user without workers, and where its code has it. */
const REMOTES = [
  ['dashboard', 'Dashboard', 'Connect your first worker', 'first-run/first-run-page.tsx', 'dashboard.firstRun.title'],
  ['workers', 'Workers', 'Workers', 'workers/workers-page.tsx', 'workers.title'],
  ['payments', 'Payments', 'Payments', 'payments/payments-page.tsx', 'payments.title'],
  ['referral', 'Referral Program', 'Referral Program', 'referral/referral-page.tsx', 'referral.title'],
] as const;
/** HEAVY=1: all of them. */
const DEPLOYED = process.env.HEAVY ? REMOTES : REMOTES.slice(2, 3);

test('each remote of a miner is built, deployed and rolled back alone while the others are used in an open tab', async ({
  page,
  pool,
}) => {
  // One of the others has a text of theirs, and is as built before there were requirements.
  const texts = path.join(await deployedFolder(pool.remotes, 'referral'), 'locales/en.json');
  await changeJson(texts, (own) => ({ ...own, 'workers.title': 'Taken' }));
  await changeManifest(pool.remotes, 'referral', (manifest) => ({ ...manifest, requires: undefined }));
  await signUp(page, newUser('alone'));
  await page.evaluate(() => Object.assign(window, { opened: 'once' }));
  const open = async (link: string, heading: string) => {
    await navigation(page).getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  };
  const served = async (name: string) =>
    (JSON.parse(await readFile(path.join(pool.remotes, name, 'current.json'), 'utf8')) as { version: string }).version;
  for (const [at, [name, link, heading, file, key]] of DEPLOYED.entries()) {
    const others = REMOTES.filter((remote) => remote[0] !== name);
    const [, nextLink, nextHeading] = others[at % others.length]!;
    const before = await served(name);
    const team = await joinTeam(name, pool.remotes);
    try {
      // The tab's title has it too.
      await team.edit(`mfe-${name}/src/pages/${file}`, new RegExp(`t\\('${key}'\\)`, 'g'), `\`\${t('${key}')} 2\``);
      await team.build();
      await open(nextLink, nextHeading);
      for (const [deploy, wanted] of [
        [() => team.publish(), `${heading} 2`],
        [() => team.rollback('--to', before), heading],
      ] as const) {
        await deploy();
        await untilServed(page, pool.remotes, name);
        await comeBackLater(page);
        for (const [, otherLink, otherHeading] of others) await open(otherLink, otherHeading);
        await open(link, wanted);
        await open(nextLink, nextHeading);
      }
    } finally {
      await team.leave();
    }
    expect(await served(name)).toBe(before);
  }
  await expect(failure(page)).toHaveCount(0);
  // It was the same document all the time.
  expect(await page.evaluate(() => (window as { opened?: string }).opened)).toBe('once');
});

test('a remote with the path of another is left out; one that needs another contract or a newer shared is not mounted', async ({
  page,
  pool,
  watch,
}) => {
  watch.expectErrors(/Remote (referral|workers): shellBehind/);
  // What a build against a newer shared writes.
  const newer = await changeManifest(pool.remotes, 'workers', (manifest) => ({ ...manifest, shared: '^2.999.0' }));
  const taken = { basePath: '/workers', nav: [] };
  await changeManifest(pool.remotes, 'payments', (manifest) => ({ ...manifest, ...taken }));
  const team = await joinTeam('referral', pool.remotes, { edited: true });
  try {
    await team.edit('node_modules/@pool/shared/src/contract/index.ts', 'CONTRACT = 1', 'CONTRACT = 2');
    await team.edit('mfe-referral/remote.json', '"contract": 1', '"contract": 2');
    await team.build();
    await expect(team.publish()).rejects.toThrow('contract 2, the shell has 1');
    // A shell that says more than it has, then nothing.
    const surface = path.join(pool.dist, 'shell/surface.txt');
    await writeFile(
      surface,
      (await readFile(surface, 'utf8')).replace('CONTRACT: CONTRACT = 1', 'CONTRACT: CONTRACT = 2'),
    );
    await team.publish();
    await rm(surface);
    // The contract that its code was built for counts, whatever its manifest says.
    const built = await changeManifest(pool.remotes, 'referral', (manifest) => ({ ...manifest, contract: 1 }));
    await openWith(page, newUser('contract'), path.basename(built));
    await expect(navigation(page).getByRole('listitem')).toHaveText([
      'Dashboard',
      'Workers',
      'Referral Program',
      'Account',
    ]);
    await navigation(page).getByRole('link', { name: 'Referral Program' }).click();
    await expect(failure(page)).toHaveAttribute('data-failure', 'shellBehind');

    await navigation(page).getByRole('link', { name: 'Workers' }).click();
    await expect(failure(page)).toContainText('shared ^2.999.0');
    await expect(failure(page)).toContainText('the shell has to be deployed');
    // Its code did not run: at most its files were prefetched.
    const files = path.relative(pool.dist, newer);
    expect(await page.locator(`script[src*="${files}"], link[rel=stylesheet][href*="${files}"]`).count()).toBe(0);
  } finally {
    await team.leave();
  }
});
