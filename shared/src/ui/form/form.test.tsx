import { screen } from '@testing-library/react';
import { LANGUAGES } from '../../i18n/languages';
import { renderPage } from '../../testing';
import { dayOfText, textOfDay } from './day-text';
import { useFormMutation } from './use-form-mutation';

test.each(LANGUAGES)('%s: every day is read as it is written', (language) => {
  const days = Array.from({ length: 366 }, (_, n) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10));
  expect(days.map((day) => dayOfText(language, textOfDay(language, day)))).toEqual(days);
});

test.each([
  ['en', '24 november 2026', '2026-11-24'],
  ['ru', '24 ноября 2026 г.', '2026-11-24'],
  ['fr', '1 février 2026', '2026-02-01'],
  ['en', '24.11.2026', '2026-11-24'],
  ['fr', ' 24/11/2026 ', '2026-11-24'],
  ['ar', '٢٤/١١/٢٠٢٦', '2026-11-24'],
  ['en', '2026-11-24', '2026-11-24'],
  ['en', '29.2.2024', '2024-02-29'],
])('%s: %s', (language, text, day) => expect(dayOfText(language, text)).toBe(day));

test.each(['', '24', '24 Nov', '31.4.2026', '29.2.2025', '0.1.2026', '24 Foo 2026', '24.11.26', '1.2.3.2026'])(
  '%j is no day',
  (text) => expect(dayOfText('en', text)).toBeNull(),
);

test('a change that is sent twice at once is sent once', async () => {
  const send = jest.fn(() => new Promise<void>(() => undefined));
  function Form() {
    const change = useFormMutation({ send });
    return (
      <button
        onClick={() => {
          change.mutate();
          change.mutate();
        }}
      >
        Send
      </button>
    );
  }
  const { user } = await renderPage(<Form />);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(send).toHaveBeenCalledTimes(1);
});
