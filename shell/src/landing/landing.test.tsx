import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createI18n, I18nextProvider, LANGUAGES, type Language } from '@pool/shared/i18n';
import { shellTexts } from '../../../scripts/build/locales';
import { Landing } from './landing';
import type { LandingData } from './data';

const points = [4e15, null, 5e15, 6e15];
const data: LandingData = {
  statistics: Promise.resolve([
    {
      algo: 'SHA256_ASICBOOST',
      hashrate: 8e15,
      dailyRevenueBtc: 0.004,
      priceBtc: 0.0005,
      priceSet: true,
      feePercent: 1,
      workersOnline: 40,
      minersOnline: 3,
    },
  ]),
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
  history: () =>
    Promise.resolve({ from: 1_700_000_000, step: 86_400, accepted: points, stale: points, rejected: points }),
};

/** The page with the texts that a browser gets: those of the form come when it does. */
async function open(language: Language, shown = data) {
  const texts = shellTexts();
  const i18n = await createI18n({
    language,
    namespace: 'landing',
    texts: Object.fromEntries(LANGUAGES.map((each) => [each, texts.get(`landing.${each}.json`) ?? {}])),
    fetch: async (url) => ({
      ok: true,
      status: 200,
      text: async () => JSON.stringify(texts.get(url.replace('/locales/', ''))),
    }),
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
  expect(screen.getByText('Workers online')).toBeVisible();
  expect(screen.queryByText(/0\.0005|\$/)).toBeNull();
});

test('what a day brings: the last closed day step by step, computed again, and its file', async () => {
  await open('en');
  const day = await screen.findByRole('region', { name: 'What a day earned' });
  expect(day).toHaveTextContent('SHA256, price of the day1 PH/s × 24 h0.00049 BTC');
  expect(day).toHaveTextContent('Gross1 PH/s × 0.00049 BTC0.00049000 BTC');
  expect(day).toHaveTextContent('Pool fee49,000 sat × 1.50 %-0.00000735 BTC');
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

test('leads to calculator, questions and the setup of each miner, and has the control of languages of the product', async () => {
  await open('en');
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(hrefs).toEqual(expect.arrayContaining(['/pages/calculator', '/pages/faq', '/pages/setup']));
  await userEvent.click(await screen.findByRole('button', { name: 'Language: EN' }));
  expect(screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent)).toHaveLength(LANGUAGES.length);
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
