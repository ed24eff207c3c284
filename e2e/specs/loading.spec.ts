import type { Page } from '@playwright/test';
import type { SentView } from '../../shared/src/page-start/page';
import { startMiner } from '../../api/src/testing/miner';
import { asUser, expect, hold, newUser, signUp, test } from '../fixtures/test';

const bar = (page: Page) => page.locator('[data-progress]');
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

/** All that stands in the first view: it is in a tree of its own, which scripts do not reach. */
async function textOfFirstView(page: Page): Promise<string> {
  const cdp = await page.context().newCDPSession(page);
  type Node = { nodeType: number; nodeName: string; nodeValue: string; children?: Node[]; shadowRoots?: Node[] };
  const { root } = (await cdp.send('DOM.getDocument', { depth: -1, pierce: true })) as { root: Node };
  await cdp.detach();
  const texts = ({ nodeType, nodeName, nodeValue, children = [] }: Node): string[] =>
    nodeName === 'STYLE' ? [] : nodeType === 3 ? [nodeValue] : children.flatMap(texts);
  const trees = ({ shadowRoots = [], children = [] }: Node): Node[] => [...shadowRoots, ...children.flatMap(trees)];
  return trees(root).flatMap(texts).join(' ');
}

/** Pages sum up what moves. */
const countShifts = (page: Page) =>
  page.addInitScript(`
    window.moved = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.moved += value;
    }).observe({ type: 'layout-shift', buffered: true });`);

/** A busy server leaves the view out. */
const gotoFirstView = (page: Page, path: string) =>
  expect(async () => {
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.locator('.sk-view')).toBeVisible({ timeout: 1000 });
  }).toPass();

/** A part of the page that its first view has too. */
const FIRST_VIEWS = [
  { path: '/dashboard/', title: 'Dashboard', width: 1366, language: 'en' },
  { path: '/workers/', title: 'Workers', width: 1366, language: 'en', text: 'a-s19-001' },
  { path: '/dashboard/', title: 'لوحة التحكم', width: 390, language: 'ar' },
  { path: '/payments/', title: 'المدفوعات', width: 390, language: 'ar', text: 'SHA256 + SCRYPT' },
];
const SCRIPTS = /\/(assets|remotes)\/.*\.js$/;

test('figures, chart, rows and the sign-in form are seen before any script has come, and nothing moves when the page takes their place', async ({
  page,
}) => {
  await countShifts(page);
  for (const [language, title] of Object.entries({ en: 'Sign in', ru: 'Вход' })) {
    await page.goto('/ready');
    await page.evaluate((lng) => localStorage.setItem('i18nextLng', lng), language);
    const scripts = await hold(page, SCRIPTS);
    await page.goto('/sign-in', { waitUntil: 'commit' });
    const first = page.locator('.sk-form b').filter({ visible: true });
    await expect(first).toHaveText(title);
    const y = (await first.boundingBox())?.y ?? NaN;
    scripts();
    const heading = page.getByRole('heading', { name: title, exact: true });
    await expect(heading).toBeVisible();
    expect(Math.abs(((await heading.boundingBox())?.y ?? NaN) - y)).toBeLessThan(4);
    await expect(page.locator('main [aria-hidden] b')).toBeHidden();
  }
  for (const { path, title, width, language, text } of FIRST_VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((lng) => localStorage.setItem('i18nextLng', lng), language);
    await asUser(page, 'demo');
    // The next page's view is made for a chart as wide as this one.
    await expect(page.locator('main [data-ready~=chart]')).toBeVisible();
    const scripts = await hold(page, SCRIPTS);
    await gotoFirstView(page, path);
    const { queries } = JSON.parse((await page.locator('#pool-view').textContent()) ?? '') as SentView;
    const live = queries.find(({ queryKey: [word, what] }) => word === 'hashrate' && what === 'live')?.data as
      | { current: { h24: number } }
      | undefined;
    // The document may still be on its way.
    const figure = text ?? (live!.current.h24 / 1e15).toFixed(2);
    const missing = async () => {
      const seen = await textOfFirstView(page);
      return [title, figure].filter((word) => !seen.includes(word));
    };
    await expect.poll(missing).toEqual([]);
    scripts();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(
      page
        .locator('main')
        .getByText(text ?? title)
        .first(),
    ).toBeVisible();
    await expect(page.locator('.sk-view')).toHaveCount(0);
    expect(await page.evaluate<number>('window.moved'), path).toBeLessThan(0.05);
  }
});

test('from page to page no frame is blank, one that was opened before needs no placeholder; a bar shows while code or first figures load', async ({
  page,
}) => {
  await asUser(page, 'demo');
  await expect(page.locator('main [data-ready~=chart]')).toBeVisible();
  // Held earlier, they could stop the page's load for ever: the dashboard's slot may ask for them too.
  const code = await hold(page, /\/remotes\/referral\/.*\.js/);
  await page.evaluate(() => {
    const seen = new Set<string>();
    const look = () => {
      const main = document.querySelector('main');
      seen.add(
        main?.querySelector('[data-skeleton]')
          ? 'placeholder'
          : (main?.querySelector('h1')?.textContent ?? (main?.innerText.trim() ? 'text' : 'blank')),
      );
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { seen });
  });
  const seen = () =>
    page.evaluate(() => {
      const { seen: frames } = window as never as { seen: Set<string> };
      const all = [...frames];
      frames.clear();
      return all;
    });
  const visit = async (link: string, title: string) => {
    await navigation(page).getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  };
  await visit('Workers', 'Workers');
  await expect(page.getByRole('table', { name: 'Workers' })).toBeVisible();
  expect(await seen()).not.toContain('blank');
  await visit('Dashboard', 'Dashboard');
  await seen();
  await visit('Workers', 'Workers');
  await expect(page.getByRole('table', { name: 'Workers' })).toBeVisible();
  expect(await seen()).toEqual(['Dashboard', 'Workers']);

  await expect(bar(page)).toHaveCount(0);
  await navigation(page).getByRole('link', { name: 'Referral Program' }).click();
  const width = () => bar(page).evaluate((element) => element.getBoundingClientRect().width);
  await expect.poll(width).toBeGreaterThan(50);
  code();
  await expect(page.getByRole('heading', { level: 1, name: 'Referral Program' })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);

  const figures = await hold(page, /\/api\/paymentsHistory\//);
  await navigation(page).getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  await expect.poll(width).toBeGreaterThan(50);
  figures();
  await expect(bar(page)).toHaveCount(0);
});

/** Upper edges of the bordered boxes that span the page, in px. */
const edges = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((boxes) =>
    boxes
      .map((box) => box.getBoundingClientRect())
      .filter(({ width, height }) => width > 300 && height > 60)
      .map(({ top }) => Math.round(top)),
  );

test('the skeleton of a page has its shape, and on a phone nothing moves while the answers of a page come', async ({
  page,
}) => {
  await asUser(page, 'demo');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  for (const { remote, path, panel } of [
    { remote: 'dashboard', path: '/dashboard/', panel: 'main [data-ready~=figures] > section' },
    { remote: 'workers', path: '/workers/', panel: 'table[aria-label=Workers]' },
    { remote: 'payments', path: '/payments/', panel: 'section[aria-label]' },
    { remote: 'referral', path: '/referral/', panel: 'section[aria-label]' },
  ]) {
    const code = await hold(page, new RegExp(`/remotes/${remote}/.*\\.js`));
    // The server sends a first view, which would stand in the skeleton's place, only to a browser with this cookie.
    await page.context().clearCookies({ name: 'pool-facts' });
    await page.goto(path, { waitUntil: 'commit' });
    const skeleton = page.locator('main [data-skeleton]');
    await expect(skeleton).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
    const [expected = 0] = await edges(page, 'main [data-skeleton] > :nth-child(n+2)');
    code();
    await expect(page.locator(panel).first()).toBeVisible();
    await expect(skeleton).toHaveCount(0);
    const [actual = 0] = await edges(page, panel);
    expect(Math.abs(actual - expected), `${path}: ${expected} px in the skeleton, ${actual} px there`).toBeLessThan(24);
  }

  await page.context().clearCookies({ name: 'pool-facts' });
  await page.setViewportSize({ width: 390, height: 844 });
  await countShifts(page);
  const answers: Record<string, () => void> = {};
  for (const name of ['accruals', 'list', 'stats', 'code'])
    answers[name] = await hold(page, new RegExp(`/api/referral/${name}`));
  await asUser(page, 'demo', '/referral/');
  await expect(page.getByRole('heading', { level: 2, name: 'Were you invited?' })).toBeVisible();
  answers.accruals?.();
  answers.list?.();
  answers.stats?.();
  await expect(page.getByRole('region', { name: 'Referral totals' })).toBeVisible();
  answers.code?.();
  await expect(page.getByRole('region', { name: 'Referral earnings by day' })).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  expect(await page.evaluate<number>('window.moved')).toBeLessThan(0.05);

  for (const { path, calls, first, last } of [
    {
      path: '/account/sub-accounts',
      calls: /\/api\/subAccounts\/facts/,
      first: 'Sub-accounts',
      last: 'All sub-accounts',
    },
    { path: '/account/api-keys', calls: /\/api\/(apiKeys|webhooks)/, first: 'API keys', last: 'Code samples' },
  ]) {
    const lists = await hold(page, calls);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 2, name: first })).toBeVisible();
    await expect(page.getByText(last, { exact: true })).toBeHidden();
    lists();
    await expect(page.getByText(last, { exact: true })).toBeVisible();
    expect(await page.evaluate<number>('window.moved'), path).toBeLessThan(0.05);
  }
});

test('a machine under a new name is offered as the former one: the list does not move for it, and has its history once joined', async ({
  page,
  product,
}) => {
  const owner = newUser('rename');
  await signUp(page, owner, '/workers/');
  const rowOf = (name: string) => page.locator('a[data-worker]').getByText(name, { exact: true });
  const former = startMiner(product.stratum.sha256, `${owner.userName}.rig-12`);
  await expect(rowOf('rig-12'))
    .toBeVisible()
    .finally(() => former.stop());
  const history = await rowOf('rig-12').locator('xpath=ancestor::a').getAttribute('data-worker');
  const miner = startMiner(product.stratum.sha256, `${owner.userName}.rig-12b`);
  const offer = page.getByRole('button', { name: 'rig-12b looks like rig-12' });
  await expect(offer).toBeVisible();

  await countShifts(page);
  const top = async () => (await rowOf('rig-12b').boundingBox())?.y;
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: 844 });
    const answer = await hold(page, /\/api\/workerJoins/);
    await page.goto('/workers/');
    await expect(page.locator('.sk-view, [data-skeleton]')).toHaveCount(0);
    await expect(rowOf('rig-12b')).toBeVisible();
    const before = await top();
    const moved = await page.evaluate<number>('window.moved');
    answer();
    await expect(offer).toBeVisible();
    expect([width, await top()]).toEqual([width, before]);
    // Figures of the summary grow meanwhile: a list that moves by a line is more than ten times as much.
    expect((await page.evaluate<number>('window.moved')) - moved).toBeLessThan(0.001);
  }
  await offer.click();
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(rowOf('rig-12')).toHaveCount(0);
  await expect(rowOf('rig-12b').locator('xpath=ancestor::a')).toHaveAttribute('data-worker', history ?? '');
  await expect(page.getByText(/rig-12b was rig-12 until/)).toBeVisible();
  miner.stop();
});

/** HEAVY=1: as slow as lines get. */
const LINE = process.env.HEAVY ? { kbit: 64, latency: 800 } : { kbit: 512, latency: 200 };

test('on a slow line the first page of each remote comes without a panel, and nothing is asked for twice', async ({
  page,
}) => {
  // What a browser was like is known from a page with a chart.
  await asUser(page, 'demo');
  await expect(page.locator('main [data-ready~=chart]')).toBeVisible();
  await gotoFirstView(page, '/workers/');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.clearBrowserCache');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LINE.latency,
    downloadThroughput: (LINE.kbit * 1000) / 8,
    uploadThroughput: (LINE.kbit * 1000) / 8,
  });
  // The panel of a silent line is told of as a failed load.
  const failures: string[] = [];
  page.on('request', (request) => {
    const body = request.url().endsWith('/client-errors') ? (request.postData() ?? '') : '';
    if (/"kind":"(load|crash)"/.test(body)) failures.push(body);
  });
  const arrived = new Map<string, number>();
  cdp.on('Network.responseReceived', ({ type, response: { url, fromDiskCache, fromPrefetchCache } }) => {
    // A file that is still being prefetched reaches the page from there; a prefetch is of the type Prefetch or Other.
    const isUsed = type === 'Script' || type === 'Stylesheet';
    if (/\/(assets|remotes)\//.test(url) && isUsed && !fromDiskCache && !fromPrefetchCache)
      arrived.set(url, (arrived.get(url) ?? 0) + 1);
  });
  await page.goto('/workers/', { waitUntil: 'commit' });
  // What the page before had still asked for does not count.
  arrived.clear();
  const seen = process.env.HEAVY ? expect.configure({ timeout: 240_000 }) : expect;
  // A busy server leaves the first view out: then the page has its skeleton until its files have come.
  await seen(page.getByRole('table', { name: 'Workers' })).toBeVisible();
  for (const name of ['Payments', 'Referral Program', 'Dashboard']) {
    await navigation(page).getByRole('link', { name }).click();
    await seen(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
  expect(failures).toEqual([]);
  expect([...arrived].filter(([, times]) => times > 1)).toEqual([]);
});
