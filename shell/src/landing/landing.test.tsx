import { act, render, screen } from '@testing-library/react';
import { createI18n, I18nextProvider, LANGUAGES } from '@pool/shared/i18n';
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
      workersOnline: 40,
      minersOnline: 3,
    },
  ]),
  price: Promise.resolve(97_240),
  connection: Promise.resolve([{ algorithm: 'SCRYPT', host: 'pool.test', port: 3312, tlsPort: null }]),
  history: () =>
    Promise.resolve({ from: 1_700_000_000, step: 86_400, accepted: points, stale: points, rejected: points }),
};

it.each(LANGUAGES)('shows no bare key with the texts that it loads: %s', async (language) => {
  const texts = shellTexts();
  const i18n = await createI18n({
    language,
    namespace: 'landing',
    texts: Object.fromEntries(LANGUAGES.map((each) => [each, texts.get(`landing.${each}.json`) ?? {}])),
  });
  await act(async () => {
    render(
      <I18nextProvider i18n={i18n}>
        <Landing config={{ supportEmail: 'a@b.c', identity: {} } as never} data={data} />
      </I18nextProvider>,
    );
  });
  expect(screen.getByRole('heading', { level: 1 })).toBeVisible();
  expect(document.body.innerHTML).not.toMatch(/\b(landing|ui|nav|footer|algorithm|language)\.[a-zA-Z]/);
});
