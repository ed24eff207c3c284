import i18next, { type i18n, type LanguageDetectorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { pageReport } from '../page-start/page-reports';
import { numberFormat } from '../ui/core/format/intl';
import { FIRST, textsBackend, type TextsFetch } from './backend';
import { isolated } from './isolated';
import { directionOf, LANGUAGES, type Language } from './languages';

/** Local storage key of the chosen language. */
export const LANGUAGE_KEY = 'i18nextLng';

export type I18nConfig = {
  /** Default: from local storage, then from the browser. */
  language?: Language;
  /** Given texts (for tests); these languages are not fetched. */
  texts?: Partial<Record<Language, Record<string, string>>>;
  fetch?: TextsFetch;
  /** The file of the first load: `/locales/{lng}.json`, or of another namespace `/locales/{namespace}.{lng}.json`. */
  namespace?: string;
};

/** Event of texts that have changed: all that is shown is drawn anew. */
const RELOADED = 'reloaded';

const asLanguage = (code: string): string => code.split('-')[0]?.toLowerCase() ?? code;

/** Language from local storage, else from the browser; a chosen one is kept where there is a storage. */
const detector: LanguageDetectorModule = {
  type: 'languageDetector',
  detect() {
    let stored: string | null = null;
    try {
      stored = localStorage.getItem(LANGUAGE_KEY);
    } catch {
      // No storage.
    }
    return (stored ? [stored] : [...navigator.languages]).map(asLanguage);
  },
  cacheUserLanguage(language) {
    try {
      localStorage.setItem(LANGUAGE_KEY, language);
    } catch {
      // No storage.
    }
  },
};

/** Sets `<html lang dir>`: Arabic is right to left, other languages left to right. */
function followLanguage(language: string): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

async function begin(instance: i18n, { language, namespace = FIRST, texts }: Omit<I18nConfig, 'fetch'>): Promise<void> {
  await instance.init({
    lng: language,
    ns: [namespace],
    defaultNS: namespace,
    resources: texts && Object.fromEntries(Object.entries(texts).map(([lng, keys]) => [lng, { [namespace]: keys }])),
    partialBundledLanguages: true,
    supportedLngs: [...LANGUAGES],
    nonExplicitSupportedLngs: true,
    fallbackLng: 'en',
    load: 'languageOnly',
    lowerCaseLng: true,
    // Dots and colons are plain characters of a key.
    keySeparator: false,
    nsSeparator: false,
    maxRetries: 5,
    retryTimeout: 350,
    maxParallelReads: 10,
    interpolation: { escape: (value: string) => isolated(instance.resolvedLanguage, value) },
    // `loaded` is left out: each file that a part of the page waits for would draw the whole page anew.
    react: { useSuspense: false, bindI18n: `languageChanged ${RELOADED}` },
  });
  // The same array: a namespace that a page loads (`loadNamespaces`) is looked up by every `t()` from then on.
  if (Array.isArray(instance.options.ns)) instance.options.fallbackNS = instance.options.ns;
  // `{{count, number}}` with Western digits in every language.
  instance.services.formatter?.add('number', (value: number, lng) => numberFormat(lng ?? 'en').format(value));
}

/** Creates the i18n instance. Resolves when the texts are loaded, or cannot be; then keys are shown until a reload. */
export async function createI18n({ language, texts, fetch: fetchTexts, namespace }: I18nConfig = {}): Promise<i18n> {
  const instance = i18next.createInstance({
    parseMissingKeyHandler(key, fallback) {
      if (fallback === undefined) pageReport({ text: key });
      return fallback ?? key;
    },
  });
  instance.use(textsBackend(fetchTexts)).use(detector).use(initReactI18next);
  instance.on('languageChanged', followLanguage);
  // Chosen in another tab.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === LANGUAGE_KEY && newValue) void instance.changeLanguage(newValue);
  });
  await begin(instance, { language, namespace, texts });
  return instance;
}

/** Fetches all texts again, as those of a newer remote, and shows them. */
export async function reloadTexts(instance: Pick<i18n, 'reloadResources' | 'emit'>): Promise<void> {
  await instance.reloadResources();
  instance.emit(RELOADED);
}

/** Texts of one language, for a page that is rendered outside a browser. */
export async function createFixedI18n(language: Language, fetchTexts: TextsFetch): Promise<i18n> {
  const instance = i18next.createInstance().use(textsBackend(fetchTexts)).use(initReactI18next);
  await begin(instance, { language });
  return instance;
}
