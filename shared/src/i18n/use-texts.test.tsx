import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { createI18n, reloadTexts } from './create';
import { useTexts } from './use-texts';

const FILES: Record<string, Record<string, string>> = {
  '/locales/en.json': { title: 'Dashboard' },
  '/locales/errors.en.json': { lost: 'No network' },
};

const draws = jest.fn();
function Page() {
  const { t } = useTranslation();
  draws();
  return <h1>{t('title')}</h1>;
}

function Error() {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const come = useTexts('errors', wanted);
  return <button onClick={() => setWanted(true)}>{come ? t('lost') : '…'}</button>;
}

test('texts that come later are drawn where they are waited for, and nowhere else; changed ones everywhere', async () => {
  const fetched = jest.fn((url: string) =>
    Promise.resolve({ ok: true, status: 200, text: () => Promise.resolve(JSON.stringify(FILES[url])) }),
  );
  const i18n = await createI18n({ language: 'en', fetch: fetched });
  render(
    <I18nextProvider i18n={i18n}>
      <Page />
      <Error />
    </I18nextProvider>,
  );
  expect(fetched).not.toHaveBeenCalledWith('/locales/errors.en.json');
  draws.mockClear();
  act(() => screen.getByText('…').click());
  expect(await screen.findByText('No network')).toBeVisible();
  expect(draws).not.toHaveBeenCalled();
  FILES['/locales/en.json'] = { title: 'Overview' };
  await act(() => reloadTexts(i18n));
  expect(screen.getByRole('heading', { name: 'Overview' })).toBeVisible();
});
