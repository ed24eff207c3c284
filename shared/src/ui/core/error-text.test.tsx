import { render, screen } from '@testing-library/react';
import { createI18n, I18nextProvider } from '../../i18n';
import { problem, renderPage } from '../../testing';
import { useErrorText } from './error-text';

const Said = ({ error }: { error: unknown }) => <p role="alert">{useErrorText(error, { length: 5 })}</p>;

test.each([
  [problem(400, 'address_checksum'), 'The checksum does not match: a character is wrong or missing.'],
  [problem(400, 'address_length'), 'This address has 5 characters; bitcoin addresses have 26 to 62.'],
  [problem(409, 'of_a_newer_server'), 'The pool did not accept these values. Check them and try again.'],
  [problem(500, 'of_a_newer_server'), /The pool could not answer/],
  [problem(0, 'offline'), /The pool does not answer/],
  [new TypeError('x is undefined'), 'Something went wrong on this page.'],
  [null, ''],
])('%s', async (error, text) => {
  await renderPage(<Said error={error} />);
  expect(screen.getByRole('alert')).toHaveTextContent(text);
});

test('texts that the first load does not have come with the first error; until then nothing wrong is said', async () => {
  let arrive = (_: string) => {};
  const later = new Promise<string>((resolve) => (arrive = resolve));
  const i18n = await createI18n({
    language: 'en',
    fetch: (url) =>
      Promise.resolve({
        ok: true,
        status: 200,
        text: () => (url === '/locales/errors.en.json' ? later : Promise.resolve('{}')),
      }),
  });
  render(
    <I18nextProvider i18n={i18n}>
      <Said error={problem(400, 'address_checksum')} />
    </I18nextProvider>,
  );
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  arrive('{"ui.error.address_checksum":"The checksum does not match"}');
  expect(await screen.findByText('The checksum does not match')).toBeVisible();
});
