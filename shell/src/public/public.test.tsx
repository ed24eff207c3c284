import { jsonResponse, poolStatistics, renderPage, savedFiles } from '@pool/shared/testing';
import { cleanup, screen, waitFor, within, act, render } from '@testing-library/react';
import CalculatorPage from './calculator/calculator-page';
import HashpricePage from './hashprice/hashprice-page';
import FaqPage from './faq/faq-page';
import { QUESTIONS } from './faq/questions';
import SetupPage from './setup/setup-page';
import { machineIn } from '@pool/shared/machines';
import { machineOf, readNumber, termsOf } from './calculator/inputs';
import { profitOf, type Terms } from './calculator/profit';
import userEvent from '@testing-library/user-event';
import { createI18n, I18nextProvider, LANGUAGES, type Language } from '@pool/shared/i18n';
import { shellTexts } from '../../../scripts/build/locales';
import { Landing } from '../landing/landing';
import type { LandingData } from '../landing/data';

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
    if (String(url).includes('hashprice')) return jsonResponse({ days: [], network: null });
    return jsonResponse(
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
    expect([cell('Earnings', 0), cell('Electricity', 0), cell('Profit', 0)]).toEqual(['$8.00', '−$8.40', '−$0.40']);
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
    globalThis.fetch = jest.fn(async () => jsonResponse({ days: DAYS, network }));
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
    globalThis.fetch = jest.fn(async () => jsonResponse(body));
  });
  const fields = () =>
    screen.getAllByRole('button', { name: /^Copy/ }).map((button) => button.closest('div')?.textContent);

  test('a model: its menu, its fields with what is typed, its button', async () => {
    const { user } = await renderPage(<SetupPage />, { path: '/pages/setup?user=northfield.rig-07&port=3999' });
    expect(screen.getByText('Choose your machine.')).toBeVisible();
    const search = screen.getByRole('searchbox', { name: 'Find a model' });
    await user.type(search, 'no such model');
    expect(screen.getByText(/^No such model here/)).toBeVisible();
    await user.clear(search);
    await user.type(search, 'gamma bit');
    expect(screen.getAllByRole('link')).toHaveLength(1);
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

describe('profit', () => {
  const PRICES = { btcPrice: 100_000, hashprice: 0.00049, feePercent: 2 };
  const TERMS: Terms = {
    algorithm: 'SHA256_ASICBOOST',
    electricity: 0.05,
    uptimePercent: 100,
    ...PRICES,
  };

  test('a machine earns its part of the hashprice less the fee, and pays for its power', () => {
    const profit = profitOf({ hashrate: 200e12, watts: 3500, cost: 2000 }, TERMS);
    expect(profit.btc).toBeCloseTo(0.2 * 0.00049 * 0.98, 12);
    expect(profit.income).toBeCloseTo(9.604, 6);
    expect(profit.electricity).toBeCloseTo(84 * 0.05, 9);
    expect(profit.profit).toBeCloseTo(5.404, 6);
    expect(profit.breakEvenElectricity).toBeCloseTo(9.604 / 84, 9);
    expect(profit.breakEvenBtc).toBeCloseTo(100_000 * (4.2 / 9.604), 4);
    expect(profit.paybackDays).toBeCloseTo(2000 / 5.404, 6);
  });

  test('uptime counts for both sides; SCRYPT is paid per terahash', () => {
    const half = profitOf(
      { hashrate: 16e9, watts: 3360, cost: 0 },
      { ...TERMS, algorithm: 'SCRYPT', hashprice: 0.0092, uptimePercent: 50 },
    );
    expect(half.btc).toBeCloseTo(0.016 * 0.0092 * 0.5 * 0.98, 12);
    expect(half.electricity).toBeCloseTo(3.36 * 12 * 0.05, 9);
  });

  test('a machine that loses money never pays back; one without work or power breaks even nowhere', () => {
    expect(profitOf({ hashrate: 1e12, watts: 3500, cost: 1 }, TERMS).paybackDays).toBe(Infinity);
    expect(profitOf({ hashrate: 0, watts: 0, cost: 1 }, TERMS)).toMatchObject({
      breakEvenElectricity: null,
      breakEvenBtc: null,
    });
  });

  test.each([
    ['0.06', 0.06],
    ['0,06', 0.06],
    ['٠٫٠٦', 0.06],
    ['1 200', 1200],
    ['2e14', 2e14],
    ['', null],
    ['-1', null],
    ['x', null],
    ['1e400', null],
  ])('reads %j as %p', (text, value) => {
    expect(readNumber(text)).toBe(value);
  });

  test('the address has what differs from the defaults; nonsense counts as not there', () => {
    const params = new URLSearchParams('algorithm=SCRYPT&fee=400&btc=abc&hashrate2=1e9');
    expect(termsOf(params, PRICES)).toEqual({
      algorithm: 'SCRYPT',
      ...PRICES,
      electricity: 0.06,
      feePercent: 100,
      uptimePercent: 100,
    });
    expect(machineOf(params, '')).toEqual({ hashrate: 16e9, watts: 3360, cost: 0 });
    expect(machineOf(params, '2')).toEqual({ hashrate: 1e9, watts: 3420, cost: 0 });
  });

  test('the name of a worker or of its software says its model only where it does', () => {
    const named = (text: string) => machineIn('SHA256_ASICBOOST', text)?.name;
    expect(named('s19jpro-D01-R12')).toBe('Antminer S19j Pro');
    expect(named('row-2.S21 Pro.14')).toBe('Antminer S21 Pro');
    expect(named('s21+_3')).toBe('Antminer S21+');
    expect(named('r1-s21-04')).toBe('Antminer S21');
    for (const other of ['s21-hyd-04', 's21e-1', 'as21', 's19-01', 'bmminer/2.0.0', ''])
      expect(named(other)).toBeUndefined();
    expect(machineIn('SCRYPT', 'l7-01')?.name).toBe('Antminer L7');
  });
});

describe('the landing page', () => {
  const points = [4e15, null, 5e15, 6e15];
  const series = { from: 1_700_000_000, step: 86_400, accepted: points, stale: points, rejected: points };
  const history = Promise.resolve({ algorithm: 'SHA256_ASICBOOST' as const, series });
  const data: LandingData = {
    statistics: Promise.resolve([poolStatistics({ feePercent: 1, workersOnline: 40, minersOnline: 3 })]),
    price: Promise.resolve(97_240),
    connection: Promise.resolve([
      { algorithm: 'SHA256_ASICBOOST', host: 'pool.test', port: 3311, tlsPort: null },
      { algorithm: 'SCRYPT', host: 'pool.test', port: 3312, tlsPort: null },
    ]),
    day: () =>
      Promise.resolve([
        {
          day: '2026-11-19',
          algorithm: 'SHA256_ASICBOOST',
          meanHashrate: 1e15,
          priceBtc: 0.00049,
          btcPriceUsd: 97_240,
          feePercent: 1.5,
          grossSat: 49_000,
          feeSat: 735,
          netSat: 48_265,
        },
      ]),
    incidents: () => Promise.resolve([]),
    shares: () => Promise.resolve([]),
    history: () => history,
  };

  /** The page with the texts that a browser gets: those of the form come when it does. */
  async function open(language: Language, shown = data) {
    const texts = shellTexts();
    const i18n = await createI18n({
      language,
      namespace: 'landing',
      texts: Object.fromEntries(LANGUAGES.map((each) => [each, texts.get(`landing.${each}.json`) ?? {}])),
      fetch: async (url) => jsonResponse(texts.get(url.replace('/locales/', ''))),
    });
    await act(async () => {
      render(
        <I18nextProvider i18n={i18n}>
          <Landing config={{ supportEmail: 'a@b.c', identity: {} } as never} data={shown} />
        </I18nextProvider>,
      );
    });
    return screen.findByRole('textbox');
  }

  test('shows no bare key with the texts that it loads, and names the address of each algorithm', async () => {
    const email = await open('ar');
    expect(screen.getByRole('heading', { level: 1 })).toBeVisible();
    expect(email).toHaveAccessibleName();
    expect(screen.getByText('stratum+tcp://pool.test:3311')).toBeVisible();
    expect(screen.getByText('stratum+tcp://pool.test:3312')).toBeVisible();
    expect(document.body.innerHTML).not.toMatch(/\b(landing|ui|nav|footer|algorithm|language)\.[a-zA-Z]/);
  });

  test('shows no price that nobody has set', async () => {
    const [row] = (await data.statistics) ?? [];
    const unset = Promise.resolve(row ? [{ ...row, priceSet: false }] : null);
    await open('en', { ...data, statistics: unset, price: Promise.resolve(null), day: () => Promise.resolve([]) });
    expect(screen.getByText('Running workers')).toBeVisible();
    expect(screen.queryByText(/0\.0005|\$/)).toBeNull();
  });

  test('what a day brings: the last closed day step by step, computed again, and its file', async () => {
    await open('en');
    const day = await screen.findByRole('region', { name: 'What a day earned' });
    expect(day).toHaveTextContent('SHA256, price of the day1 PH/s × 24 h0.00049 BTC');
    expect(day).toHaveTextContent('Gross1 PH/s × 0.00049 BTC0.00049000 BTC');
    expect(day).toHaveTextContent('Pool fee49,000 sat × 1.50 %−0.00000735 BTC');
    expect(day).toHaveTextContent('Yours49,000 − 735 sat0.00048265 BTC $46.93');
    expect(day).toHaveTextContent('Checked: your browser gets the same figures.');
    const file = within(day).getByRole('link', { name: 'The day’s numbers (JSON)' });
    expect(file).toHaveAttribute('href', '/api/poolDay');
    expect(file).toHaveAttribute('download', 'pool-day-2026-11-19.json');
  });

  test('a figure that differs is said, and without a closed day there is no section', async () => {
    const wrong = data.day().then((rows) => rows?.map((row) => ({ ...row, netSat: 48_266 })) ?? null);
    await open('en', { ...data, day: () => wrong });
    expect(await screen.findByText(/a figure differs/)).toBeVisible();
    cleanup();
    await open('en', { ...data, day: () => Promise.resolve([]) });
    expect(screen.queryByText('What a day earned')).toBeNull();
  });

  test('the shares of the last minute are counted in words, and drawn by time and difficulty', async () => {
    const share = (age: number, difficulty: number) => ({ at: Date.now() / 1000 - age, difficulty });
    const rows = () => [
      { algorithm: 'SHA256_ASICBOOST' as const, count: 1200, shares: [share(72, 1024), share(12, 262_144)] },
      { algorithm: 'SCRYPT' as const, count: 1, shares: [share(42, 16_384)] },
    ];
    await open('en', { ...data, shares: async () => rows() });
    const section = await screen.findByRole('region', { name: 'Shares of the last minute' });
    expect(section).toHaveTextContent('SHA256 1,200SCRYPT 1');
    const drawn = [...section.querySelectorAll('path')].map((path) => path.getAttribute('d'));
    // Twelve seconds ago is the right edge and a minute before that the left one; the largest difficulty is at the top.
    expect(drawn).toEqual([
      expect.stringMatching(/^M-?0\.\d 44\.0h0M(599|600)\.\d 4\.0h0$/),
      expect.stringMatching(/^M(299|300)\.\d 24\.0h0$/),
    ]);
    cleanup();
    await open('en');
    expect(await screen.findByText('No share in the last minute.')).toBeVisible();
  });

  test('its incidents of 90 days: begin, length, what was away; the first five until all are asked for', async () => {
    await open('en');
    expect(await screen.findByText('No incident in 90 days.')).toBeVisible();
    cleanup();
    const at = (day: number) => Date.parse(`2026-11-0${day}T06:25:00Z`) / 1000;
    const incidents = Promise.resolve([
      { at: at(9), until: null, why: 'upstream' as const, algorithms: ['SCRYPT' as const] },
      ...[8, 7, 6, 5, 4].map((day) => ({
        at: at(day),
        until: at(day) + 4200,
        why: 'server' as const,
        algorithms: ['SCRYPT' as const, 'SHA256_ASICBOOST' as const],
      })),
    ]);
    await open('en', { ...data, incidents: () => incidents });
    const section = within(await screen.findByRole('region', { name: 'Incidents of the last 90 days' }));
    expect(section.getAllByRole('listitem')).toHaveLength(5);
    const [now, past] = section.getAllByRole('listitem');
    expect(now).toHaveTextContent(/^9 Nov.* 06:25.*upstream pools worked · SCRYPTgoing on$/);
    expect(past).toHaveTextContent(/database was down1\sh 10\smin$/);
    await userEvent.click(section.getByRole('button', { name: 'Show all 6' }));
    expect(section.getAllByRole('listitem')).toHaveLength(6);
  });

  test('the welcome bonus: what is refused is said and keeps what was typed, the right address is taken', async () => {
    const asked: string[] = [];
    const answers = [400, 429, 503, 202];
    globalThis.fetch = jest.fn(async (url: RequestInfo | URL, init?: RequestInit) => {
      asked.push(`${init?.method} ${String(url)}`);
      const status = answers[asked.length - 1] ?? 0;
      return { ok: status < 400, status, headers: new Headers(), text: async () => '' };
    }) as unknown as typeof fetch;
    const user = userEvent.setup();
    const email = await open('en');
    const send = () => user.click(screen.getByRole('button', { name: 'Request the bonus' }));
    await user.type(email, 'a@b');
    for (const words of [
      'This is not an e-mail address. Check it and try again.',
      'Too many requests. Wait a minute, then try again.',
      'The request did not reach the pool. Try again in a moment.',
    ]) {
      await send();
      expect(await screen.findByText(words)).toHaveAttribute('role', 'alert');
      expect(email).toHaveValue('a@b');
      expect(email).toHaveAccessibleDescription(words);
    }
    await user.type(email, '.example');
    await send();
    expect(await screen.findByText(/^Your request has been received/)).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(asked[3]).toBe('POST /api/requestBonus?email=a%40b.example');
  });
});
