import { createI18n, LANGUAGE_KEY } from './create';

const answer = (status: number, body = '{}') => ({ ok: status < 400, status, text: () => Promise.resolve(body) });
const TEXTS = {
  en: { 'workers.state.offline': 'Offline', only: 'English only' },
  ru: { 'workers.state.offline': 'Нет связи' },
  fr: { 'workers.state.offline': 'Hors ligne' },
  ar: { 'workers.state.offline': 'غير متصل' },
};

/** A server with texts; `fail`: the failure of a language. */
function server(fail: Record<string, () => ReturnType<typeof answer>> = {}) {
  const urls: string[] = [];
  const send = (url: string) => {
    urls.push(url);
    const language = /locales\/(.+)\.json/.exec(url)?.[1] ?? '';
    const failure = fail[language];
    if (failure) return Promise.resolve().then(failure);
    return Promise.resolve(answer(200, JSON.stringify(TEXTS[language as keyof typeof TEXTS] ?? {})));
  };
  return {
    urls,
    send,
    requests: (language: string) => urls.filter((url) => url === `/locales/${language}.json`).length,
  };
}

beforeEach(() => localStorage.clear());
afterEach(() => jest.useRealTimers());

test('a key with dots is one flat key', async () => {
  const i18n = await createI18n({ language: 'en', fetch: server().send });
  expect(i18n.t('workers.state.offline')).toBe('Offline');
});

test('loads only the lower-cased language, and English as the fallback', async () => {
  localStorage.setItem(LANGUAGE_KEY, 'RU-ru');
  const { send, urls } = server();
  const i18n = await createI18n({ fetch: send });
  expect([...urls].sort()).toEqual(['/locales/en.json', '/locales/ru.json']);
  expect(i18n.t('workers.state.offline')).toBe('Нет связи');
  expect(i18n.t('only')).toBe('English only');
});

test('detects from local storage, then from the browser, and remembers', async () => {
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr-CA', 'en']);
  const first = await createI18n({ fetch: server().send });
  expect(first.resolvedLanguage).toBe('fr');
  await first.changeLanguage('ar');
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe('ar');
  const second = await createI18n({ fetch: server().send });
  expect(second.resolvedLanguage).toBe('ar');
});

test('an unknown language in local storage is replaced by English', async () => {
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['en']);
  localStorage.setItem(LANGUAGE_KEY, '<img onerror>');
  const { send, urls } = server();
  const i18n = await createI18n({ fetch: send });
  expect(i18n.t('workers.state.offline')).toBe('Offline');
  expect(urls).toEqual(['/locales/en.json']);
});

test('Arabic sets the document right to left, other languages left to right', async () => {
  const i18n = await createI18n({ language: 'ar', fetch: server().send });
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(document.documentElement).toHaveAttribute('lang', 'ar');
  await i18n.changeLanguage('fr');
  expect(document.documentElement).toHaveAttribute('dir', 'ltr');
});

describe('a read that fails', () => {
  const nothing = () => {
    throw new TypeError('Load failed');
  };
  test.each([
    ['a 5xx', () => answer(503)],
    ['no answer', nothing],
  ])('%s is retried after 350, 700, 1400, 2800 and 5600 ms, then English is shown', async (_, failure) => {
    jest.useFakeTimers();
    const { send, requests } = server({ ru: failure });
    const pending = createI18n({ language: 'ru', fetch: send });
    await jest.advanceTimersByTimeAsync(0);
    let attempts = 1;
    for (const wait of [350, 700, 1400, 2800, 5600]) {
      await jest.advanceTimersByTimeAsync(wait - 1);
      expect(requests('ru')).toBe(attempts);
      await jest.advanceTimersByTimeAsync(1);
      expect(requests('ru')).toBe((attempts += 1));
    }
    await jest.advanceTimersByTimeAsync(60_000);
    expect(requests('ru')).toBe(6);
    expect((await pending).t('workers.state.offline')).toBe('Offline');
  });

  test.each([
    ['a 404', () => answer(404)],
    ['broken JSON', () => answer(200, '<!doctype html>')],
  ])('%s is not retried', async (_, failure) => {
    jest.useFakeTimers();
    const { send, requests } = server({ ru: failure });
    const pending = createI18n({ language: 'ru', fetch: send });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(requests('ru')).toBe(1);
    expect((await pending).t('workers.state.offline')).toBe('Offline');
  });
});

test('Arabic has six plural forms', async () => {
  const forms = { n_zero: 'zero', n_one: 'one', n_two: 'two', n_few: 'few', n_many: 'many', n_other: 'other' };
  const i18n = await createI18n({ language: 'ar', texts: { ar: forms, en: {} } });
  expect([0, 1, 2, 3, 11, 100].map((count) => i18n.t('n', { count }))).toEqual(Object.values(forms));
});

test('values inside Arabic texts read in the direction of their own letters; digits join the words around them', async () => {
  const texts = { x: '«{{x}}»' };
  const i18n = await createI18n({ language: 'ar', texts: { ar: texts, en: texts } });
  const shown = ['miner71312.', '12.', '28 أغسطس 2026', '$0.06', 5, '1,234.5', ''].map((x) => i18n.t('x', { x }));
  expect(shown).toEqual([
    '«\u2068miner71312.\u2069»',
    '«\u206812.\u2069»',
    '«\u206828 أغسطس 2026\u2069»',
    '«\u2068$0.06\u2069»',
    '«5»',
    '«1,234.5»',
    '«»',
  ]);
  await i18n.changeLanguage('en');
  expect(i18n.t('x', { x: '<miner71312.>' })).toBe('«<miner71312.>»');
});

test('numbers inside texts have Western digits', async () => {
  const i18n = await createI18n({ language: 'ar', texts: { ar: { n: '{{count, number}}' }, en: {} } });
  expect(i18n.t('n', { count: 1234 })).toBe('1,234');
});

test('texts of a page that loads later: looked up by every t(), and loaded with the next language', async () => {
  const later = { en: { 'account.title': 'Account' }, ru: { 'account.title': 'Аккаунт' } };
  const send = (url: string) => {
    const [, namespace, language = ''] = /locales\/(?:(\w+)\.)?(\w+)\.json/.exec(url) ?? [];
    const texts = namespace === 'account' ? later[language as 'en' | 'ru'] : TEXTS[language as 'en' | 'ru'];
    return Promise.resolve(answer(200, JSON.stringify(texts)));
  };
  const i18n = await createI18n({ language: 'en', fetch: send });
  expect(i18n.t('account.title')).toBe('account.title');
  await i18n.loadNamespaces('account');
  expect(i18n.t('account.title')).toBe('Account');
  await i18n.changeLanguage('ru');
  expect([i18n.t('account.title'), i18n.t('workers.state.offline')]).toEqual(['Аккаунт', 'Нет связи']);
});

test('follows the language chosen in another tab, and nothing else that is stored there', async () => {
  const i18n = await createI18n({ language: 'en', fetch: server().send });
  const stored = (key: string, newValue: string | null) =>
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
  stored(LANGUAGE_KEY, 'ar');
  await new Promise((resolve) => i18n.on('languageChanged', resolve));
  expect([document.documentElement.lang, document.documentElement.dir]).toEqual(['ar', 'rtl']);
  stored('settings', 'fr');
  stored(LANGUAGE_KEY, null);
  await Promise.resolve();
  expect(i18n.language).toBe('ar');
});
