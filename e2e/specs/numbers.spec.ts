/**
 * Numbers of the miner's pages, computed here again from the records of the database, in another time zone. The
 * pool has the demo's history and no miner: its upstream pools are away.
 */
import type { Page } from '@playwright/test';
import { lend, startProduct, type Product } from '../fixtures/product';
import { Records } from '../fixtures/records';
import { DEMO_PASSWORD, NO_MINERS } from '../fixtures/shared-product';
import { expectRate, hashrateIn, numberIn, tableIn } from '../fixtures/shown';
import { expect, signIn, test as base } from '../fixtures/test';

const test = base.extend<{ own: Product }>({
  own: async ({}, use, testInfo) => {
    testInfo.slow();
    // The shared history ended when the journeys began: its workers would be offline here.
    await lend(startProduct({ DEMO: '1', DEMO_PASSWORD, ...NO_MINERS }), use);
  },
  product: ({ own }, use) => use(own),
});

const regionText = async (page: Page, name: string) =>
  ((await page.getByRole('region', { name, exact: true }).textContent()) ?? '').replace(/\u00a0/g, ' ');

async function readPages(page: Page, query: string) {
  type Times = { made: number; came: number };
  const answers = new Map<string, Times>();
  let opened: Times = { made: NaN, came: NaN };
  page.on('response', (response) => {
    const times = { made: Date.parse(response.headers().date ?? '') / 1000, came: Date.now() };
    if (response.request().isNavigationRequest()) {
      answers.clear();
      opened = times;
    } else answers.set(new URL(response.url()).pathname, times);
  });
  /** The latest answer may have come with the page. */
  const latest = (path: string) => answers.get(path) ?? opened;
  /** When the server made its latest answer (Unix seconds): a busy browser shows it much later. */
  const answeredAt = (path: string) => latest(path).made;
  /** What a page shows as an answer made it: not while a newer one has come that is not shown yet. */
  async function shownBy<Shown>(path: string, read: () => Promise<Shown>): Promise<{ at: number } & Shown> {
    let shown: ({ at: number } & Shown) | undefined;
    await expect(async () => {
      expect(Date.now() - latest(path).came).toBeGreaterThan(1000);
      // A busy browser draws an answer later than that.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))));
      shown = { at: answeredAt(path), ...(await read()) };
      expect(answeredAt(path)).toBe(shown.at);
    }, `${path} as one answer made it`).toPass();
    if (!shown) throw new Error(`${path} was not shown`);
    return shown;
  }
  await page.setViewportSize({ width: 1920, height: 3600 });
  await page.goto(`/dashboard/${query}`);
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await expect(page.getByText(/BTC\s*\$[\d,]+/).first()).toBeVisible();
  const dashboard = await shownBy('/api/proxyLiveHashchart/', async () => ({
    estimatedAt: answeredAt('/api/payment/'),
    verdict: await page.locator('main header').first().innerText(),
    hero: await page.getByTestId('hashrate-5m').innerText(),
    hashrate: await regionText(page, 'Hashrate'),
    workers: await regionText(page, 'Workers'),
    quality: await regionText(page, 'Share quality, 24 h'),
    money: (await page.locator('main').innerText()).replace(/\s+/g, ' '),
  }));
  await page.goto(`/workers/${query}`);
  await expect(page.getByRole('table', { name: 'Workers' }).locator('tbody tr').nth(5)).toBeVisible();
  const workers = await shownBy('/api/liveWorkers/', async () => ({ rows: await tableIn(page, 'Workers') }));
  await page.goto(`/payments/${query}`);
  await expect(page.getByRole('table', { name: 'Earnings per day' }).locator('tbody tr').nth(5)).toBeVisible();
  const earnings = await shownBy('/api/payment/', async () => ({
    strip: (await page.getByRole('region', { name: 'Balance' }).innerText()).replace(/\s+/g, ' '),
    rows: await tableIn(page, 'Earnings per day'),
  }));
  const total = (await page.getByRole('region', { name: /^Total of/ }).innerText()).replace(/\s+/g, ' ');
  await page.goto(`/payments/${query}${query ? '&' : '?'}tab=payouts`);
  await expect(page.getByRole('table', { name: 'Payouts' }).locator('tbody tr').first()).toBeVisible();
  const payouts = await tableIn(page, 'Payouts');
  return { dashboard, workers, earnings, total, payouts };
}
type Pages = Awaited<ReturnType<typeof readPages>>;

/** Seconds from reading to the answer, of a list that is kept or a server that is busy: the windows may have begun anew. */
const READ_BEFORE_S = 3;

/** Compares with the records at the time of an answer, or else at the earliest at which it may have read them. */
async function compareAt<Known>(
  at: number,
  recordsAt: (time: number) => Promise<Known>,
  compareWith: (known: Known) => void,
) {
  try {
    compareWith(await recordsAt(at));
  } catch {
    compareWith(await recordsAt(at - READ_BEFORE_S));
  }
}

async function compare(records: Records, pages: Pages) {
  const { dashboard, workers, earnings, total, payouts } = pages;
  const ratesAt = (time: number) => records.hashrates('demo', 'SHA256_ASICBOOST', time);
  await compareAt(dashboard.at, ratesAt, (rates) => {
    expectRate(hashrateIn(dashboard.hero), rates.m5, '5 min');
    expectRate(hashrateIn(/1 h([\d.]+ \wH\/s)/.exec(dashboard.hashrate)?.[1]), rates.h1, '1 h');
    expectRate(hashrateIn(/24 h([\d.]+ \wH\/s)/.exec(dashboard.hashrate)?.[1]), rates.h24, '24 h');
    const parts = [...dashboard.quality.matchAll(/([\d.]+) %/g)].map(([, part]) => Number(part));
    parts.forEach((part, i) => expect(part).toBeCloseTo((rates.quality[i] ?? 0) * 100, 1));
    expect(parts).toHaveLength(3);

    const [, size, side] = /(\S+)\s%\s(below|above)/.exec(dashboard.verdict) ?? [];
    const change = numberIn(size) * (side === 'below' ? -1 : 1);
    expect(Math.abs(change - (rates.h1 / rates.h24 - 1) * 100)).toBeLessThan(1.5);
  });
  const workersAt = (time: number) => records.workers('demo', 'SHA256_ASICBOOST', time);
  await compareAt(workers.at, workersAt, (known) => {
    const inState = (state: string) => [...known.values()].filter((worker) => worker.state === state).length;
    const [online, low, offline, inactive] = ['Online', 'Low', 'Offline', 'Inactive'].map(inState) as [
      number,
      number,
      number,
      number,
    ];
    expect(dashboard.workers).toContain(
      `Workers${online + low + offline}Online${online}Low${low}Offline${offline}Inactive${inactive}`,
    );

    // The list has all but the inactive.
    expect(workers.rows).toHaveLength(online + low + offline);
    for (const row of workers.rows) {
      const worker = known.get(row.Worker ?? '');
      const unit = (window: string) => Object.keys(row).find((head) => head.startsWith(window)) ?? '';
      // A rig that is away for less than ten minutes is said to be disconnected, and counted as it ran.
      const isAway = row.State === 'Disconnected' && worker?.state !== 'Offline';
      const state = isAway ? worker?.state : row.State;
      expect([row.Worker, state, row.Group]).toEqual([row.Worker, worker?.state, worker?.group ?? '—']);
      for (const [head, key] of [
        ['5 min', 'm5'],
        ['1 h', 'h1'],
        ['24 h', 'h24'],
      ] as const)
        expectRate(
          hashrateIn(row[unit(head)], unit(head).slice(head.length).trim()),
          worker?.[key] ?? 0,
          `${row.Worker}, ${head}`,
        );
      for (const [head, part] of [
        ['Reject', worker?.rejected],
        ['Stale', worker?.stale],
      ] as const) {
        const shown = row[Object.keys(row).find((name) => name.startsWith(head)) ?? ''] ?? '';
        if (shown !== '—') expect(numberIn(shown), `${row.Worker}, ${head}`).toBeCloseTo((part ?? 0) * 100, 1);
      }
    }
  });

  const money = await records.money('demo', earnings.at);
  const usd = await records.bitcoinPrice();
  /** Headlines have five decimals, cut; zero has none. */
  const headline = (sats: number) => (sats === 0 ? '0' : (Math.floor(sats / 1000) / 1e5).toFixed(5));
  const exact = (sats: number) => (sats / 1e8).toFixed(8);
  /** Cents only under $100. */
  const dollars = (value: number) => {
    const decimals = value < 100 ? 2 : 0;
    return `$${value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`;
  };
  /** A UTC day; undefined until it is closed, ten minutes after its end. */
  const dayBefore = (daysAgo: number) => {
    const day = new Date((earnings.at - daysAgo * 86_400) * 1000).toISOString().slice(0, 10);
    return money.days.find((each) => each.day === day);
  };
  const yesterday = dayBefore(1);
  const ofYesterday = (sats: number) => `Yesterday ${headline(sats)} BTC`;
  expect(dashboard.money).toContain(
    `Unpaid balance ${headline(money.unpaid)} BTC${dollars((money.unpaid / 1e8) * usd)}`,
  );
  expect(dashboard.money).toContain(
    yesterday === undefined ? 'Yesterday, estimate' : `${ofYesterday(yesterday.net)} ${dollars(yesterday.usd)}`,
  );
  // Most of it is the last hour's mean, which falls by two percent a minute while nobody mines.
  for (const [text, at] of [
    [dashboard.money, dashboard.estimatedAt],
    [earnings.strip, earnings.at],
  ] as const) {
    const { todayNet } = await records.money('demo', at);
    const shown = numberIn(/Today, estimate ([\d.]+)/.exec(text)?.[1]) * 1e8;
    expect(Math.abs(shown - todayNet)).toBeLessThan(todayNet * 0.01 + 1000);
  }
  expect(earnings.strip).toContain(`Unpaid ${headline(money.unpaid)} BTC`);
  expect(earnings.strip).toContain(yesterday === undefined ? 'Yesterday, estimate' : ofYesterday(yesterday.net));
  expect(earnings.strip).toContain(
    `Paid in total ${headline(money.paid)} BTC ${money.payouts.filter(({ status }) => status === 'confirmed').length} payouts`,
  );
  const closed = earnings.rows.filter((row) => !/estimate/i.test(Object.values(row).join()));
  expect(closed.length).toBeGreaterThan(20);
  closed.forEach((row, i) => {
    const day = money.days[i];
    expect([row['Day (UTC)'], row.Gross, row['Pool fee'], row['Net, BTC']?.split(' ')[0]]).toEqual([
      expect.stringContaining(String(Number(day?.day.slice(8)))),
      exact(day?.gross ?? 0),
      exact(day?.fee ?? 0),
      exact(day?.net ?? 0),
    ]);
  });
  const sums = (key: string) => closed.reduce((all, row) => all + numberIn(row[key]?.split(' ')[0]) * 1e8, 0);
  expect(total).toContain(
    `Gross ${exact(sums('Gross'))} BTC Pool fee ${exact(sums('Pool fee'))} BTC Net ${exact(sums('Net, BTC'))} BTC`,
  );
  closed.forEach((row, i) =>
    expect(numberIn(row['Net, BTC']?.split(' ')[1])).toBe(Math.round(money.days[i]?.usd ?? 0)),
  );
  expect(earnings.strip).toContain(
    `Threshold ${money.threshold / 1e8} BTC ${Math.floor((money.unpaid / money.threshold) * 100)} % reached`,
  );
  expect(payouts.map((row) => row['Network fee'])).toEqual(money.payouts.map(({ fee }) => exact(fee)));
  expect(payouts.map((row) => [row['Course (UTC)']?.match(/Due.*?(\d\d:\d\d)/s)?.[1], row['Amount, BTC']])).toEqual(
    money.payouts.map(({ at, amount }) => [at, exact(amount)]),
  );
}

/** HEAVY=1: in the time zone of the records too. */
test('the numbers of the dashboard, the workers and the payments are what the records say, in another time zone', async ({
  page,
  browser,
  own,
}) => {
  await signIn(page, 'demo');
  const there = await browser.newContext({
    baseURL: own.url,
    timezoneId: 'Asia/Kolkata',
    storageState: await page.context().storageState(),
  });
  const seen = [await readPages(await there.newPage(), '?tz=local')];
  if (process.env.HEAVY) seen.push(await readPages(page, ''));
  await there.close();
  // Its stream of events would end with an error.
  await page.goto('about:blank');
  await own.kill();
  const records = await Records.open(own);
  try {
    for (const pages of seen) await compare(records, pages);
  } finally {
    await records.close();
  }
});
