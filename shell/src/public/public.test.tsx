import { renderPage, savedFiles } from '@pool/shared/testing';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import CalculatorPage from './calculator/calculator-page';
import HashpricePage from './hashprice/hashprice-page';
import FaqPage from './faq/faq-page';
import { QUESTIONS } from './faq/questions';
import SetupPage from './setup/setup-page';

const json = (body: unknown) => ({
  ok: true,
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  json: async () => body,
  text: async () => JSON.stringify(body),
});
const STATISTICS = {
  priceSet: true,
  feePercent: 2.25,
  hashrate: 1e18,
  dailyRevenueBtc: 0.5,
  workersOnline: 1,
  minersOnline: 1,
};

/** The public calls of the calculator, which it makes without a session. */
function pool(price: object | null): void {
  globalThis.fetch = jest.fn(async (url: RequestInfo | URL) => {
    if (price === null) throw new TypeError('offline');
    if (String(url).includes('hashprice')) return json({ days: [], network: null });
    return json(
      String(url).includes('homePrice')
        ? price
        : [
            { ...STATISTICS, algo: 'SHA256_ASICBOOST', priceBtc: 0.0005 },
            { ...STATISTICS, algo: 'SCRYPT', priceBtc: 0.01 },
          ],
    );
  }) as unknown as typeof fetch;
}

describe('calculator', () => {
  const cell = (row: string, column: number) =>
    within(screen.getByRole('row', { name: new RegExp(`^${row}`) })).getAllByRole('cell')[column]?.textContent;

  test('starts from the prices of the pool; an input is in effect at once', async () => {
    pool({ price: 80_000, at: '2026-11-21T00:00:00.000Z', stale: false });
    const { user } = await renderPage(<CalculatorPage />, {
      path: '/pages/calculator?hashrate=2e14&power=3500&fee=0&electricity=0.1',
    });
    expect(await screen.findByText('Starts from the pool’s prices of 21 Nov 2026.')).toBeVisible();
    expect([cell('Earnings', 0), cell('Electricity', 0), cell('Profit', 0)]).toEqual(['$8.00', '-$8.40', '-$0.40']);
    await user.clear(screen.getByLabelText('Electricity'));
    await user.type(screen.getByLabelText('Electricity'), '0,05');
    expect(cell('Profit', 0)).toBe('$3.80');
    await user.type(screen.getByLabelText('Pool fee'), 'x');
    expect(screen.getByRole('alert')).toHaveTextContent('Enter a number of 0 or more');
  });

  test('takes that fee when only the bitcoin price could not be read', async () => {
    pool({ price: 80_000, at: null, stale: true });
    const answer = globalThis.fetch;
    globalThis.fetch = jest.fn(async (url: RequestInfo | URL) => {
      if (String(url).includes('homePrice')) throw new TypeError('offline');
      return answer(url);
    }) as unknown as typeof fetch;
    await renderPage(<CalculatorPage />, { path: '/pages/calculator' });
    expect(await screen.findByLabelText('Pool fee', {}, { timeout: 4000 })).toHaveValue('2.25');
    expect(screen.getByText(/Starts from default prices/)).toBeVisible();
  });

  test('defaults are marked as such, and a second machine is compared', async () => {
    pool(null);
    const { user } = await renderPage(<CalculatorPage />, { path: '/pages/calculator' });
    expect(
      await screen.findByText(/Starts from default prices: the pool’s prices could not be read/, {}, { timeout: 4000 }),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Compare with another machine' }));
    expect(screen.getByText(/^Machine 1 earns/)).toBeVisible();
    expect(screen.getAllByRole('table')).toHaveLength(2);
  });
});

describe('questions', () => {
  test('are searched without accents, case or order; the search is in the address', async () => {
    await renderPage(<FaqPage />, { path: '/pages/faq?q=ADDRESS+hold' });
    expect(screen.getByRole('status')).toHaveTextContent(/^\d question/);
    expect(screen.getByText('Why is my new address on hold?')).toBeVisible();
    expect(screen.queryByText('Which algorithms and miners can I use?')).toBeNull();
  });

  test('what is not found says so, and all can be shown again', async () => {
    const { user } = await renderPage(<FaqPage />, { path: '/pages/faq' });
    await user.type(screen.getByRole('searchbox', { name: 'Search the questions' }), 'zzz');
    expect(screen.getByText('No question matches “zzz”')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(screen.getAllByRole('group')).toHaveLength(Object.values(QUESTIONS).flat().length);
  });

  test('one has an address of its own', async () => {
    Element.prototype.scrollIntoView = jest.fn();
    await renderPage(<FaqPage />, { path: '/pages/faq#hold' });
    await waitFor(() => expect(document.getElementById('hold')).toHaveAttribute('open'));
    expect(document.getElementById('connect')).not.toHaveAttribute('open');
  });
});

describe('hashprice', () => {
  const DAYS = [
    { day: '2026-11-19', priceBtc: 0.0005, btcPriceUsd: 100_000 },
    { day: '2026-11-20', priceBtc: 0.0006, btcPriceUsd: 90_000 },
    { day: '2026-11-21', priceBtc: 0.00055, btcPriceUsd: 90_000 },
  ];
  const open = async (network: object | null, path = '/pages/hashprice') => {
    globalThis.fetch = jest.fn(async () => json({ days: DAYS, network })) as unknown as typeof fetch;
    return renderPage(<HashpricePage />, { path });
  };

  test('shows the price of each day in bitcoin and in dollars; of the network only what a feed said', async () => {
    const { user } = await open(null);
    const summary = /^From 19 Nov 2026 to 21 Nov 2026: between 0\.0005 BTC and 0\.0006 BTC, today 0\.00055 BTC\.$/;
    expect(await screen.findByRole('img', { name: summary })).toBeVisible();
    await user.click(screen.getByText('USD'));
    expect(screen.getByRole('img', { name: /between \$49\.50 and \$54\.00, today \$49\.50/ })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'The Bitcoin network' })).toBeNull();
    const saved = savedFiles();
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));
    expect(await saved.text()).toBe(
      'day_utc,price_btc,btc_price_usd\r\n2026-11-19,0.0005,100000\r\n' +
        '2026-11-20,0.0006,90000\r\n2026-11-21,0.00055,90000\r\n',
    );
  });

  test('says that what the feed said is old', async () => {
    const network = {
      difficulty: 1.5e14,
      changePercent: 3.4,
      changeAt: '2026-12-02T10:00:00.000Z',
      remainingBlocks: 871,
    };
    await open({ ...network, at: new Date(Date.now() - 660_000).toISOString() });
    expect(await screen.findByRole('region', { name: 'The Bitcoin network' })).toHaveTextContent(
      /\+3\.40 %.*\d+ min ago/,
    );
    expect(screen.queryByText(/these figures may be out of date/)).toBeNull();
    cleanup();
    await open({ ...network, at: new Date(Date.now() - 7_300_000).toISOString() });
    expect(await screen.findByText(/these figures may be out of date/)).toBeVisible();
  });
});

describe('setup by model', () => {
  beforeEach(() => {
    const body = [
      { algorithm: 'SHA256_ASICBOOST', host: 'pool.test', port: 3311, tlsPort: null },
      { algorithm: 'SCRYPT', host: 'pool.test', port: 3312, tlsPort: null },
    ];
    globalThis.fetch = jest.fn(async () => ({
      ok: true,
      status: 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      json: async () => body,
      text: async () => JSON.stringify(body),
    })) as unknown as typeof fetch;
  });
  const fields = () =>
    screen.getAllByRole('button', { name: /^Copy/ }).map((button) => button.closest('div')?.textContent);

  test('a model: its menu, its fields with what is typed, its button', async () => {
    const { user } = await renderPage(<SetupPage />, { path: '/pages/setup?user=northfield.rig-07&port=3999' });
    expect(screen.getByText('Choose your machine.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Bitaxe Gamma' }));
    const panel = await screen.findByRole('region', { name: 'Bitaxe Gamma' });
    expect(await within(panel).findByText('Save, Restart')).toBeVisible();
    expect(within(panel).queryByText(/No public manual/)).toBeNull();
    expect(fields()).toEqual(['Stratum Hostpool.test', 'Stratum Port3999', 'Usernorthfield.rig-07', 'Passwordx']);
  });

  test('a machine for SCRYPT gets the address of SCRYPT; without an account its place is named', async () => {
    await renderPage(<SetupPage />, { path: '/pages/setup?model=l7' });
    expect(await screen.findByText('stratum+tcp://pool.test:3312')).toBeVisible();
    expect(screen.getByText('Settings › Pool 1')).toBeVisible();
    expect(screen.getByText(/No public manual of this machine was found/)).toBeVisible();
    expect(screen.getByText(/Factory sign-in: root, password root/)).toBeVisible();
    expect(fields()[1]).toBe('WorkerACCOUNT.rig-01');
  });
});
