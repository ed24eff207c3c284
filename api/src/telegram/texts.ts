/**
 * The bot's texts: one file for each language, as HTML. Values are put in `<code>` and escaped, so that none becomes
 * markup or a link.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import i18next from 'i18next';
import { LANGUAGES, type Language } from '@pool/shared/i18n/languages';
import { ROOT } from '../config';

export type Values = Record<string, string | number>;

export const textsOf = (language: Language): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, `api/src/telegram/texts/${language}.json`), 'utf8')) as Record<string, string>;

const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const isPlain = /^\d+([.,]\d+)?$/;

const instance = i18next.createInstance();
void instance.init({
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  resources: Object.fromEntries(LANGUAGES.map((language) => [language, { translation: textsOf(language) }])),
  interpolation: { escape: (value: string) => (isPlain.test(value) ? value : `<code>${escapeHtml(value)}</code>`) },
});

export const knows = (key: string): boolean => instance.exists(key, { count: 1 });
/** The values that are decimals of the server; names and addresses keep their dots. */
const DECIMALS = ['amount', 'hashrate'];
const withMark = (language: Language, text: string): string => {
  const mark = new Intl.NumberFormat(`${language}-u-nu-latn`).format(0.1).charAt(1);
  return text.replace(/(\d)\.(?=\d)/g, `$1${mark}`);
};
/** The text of `key`, in Telegram's HTML, with the decimal mark of the language. */
export function say(language: Language, key: string, values: Values = {}): string {
  const local: Values = { ...values };
  for (const name of DECIMALS) if (name in values) local[name] = withMark(language, String(values[name]));
  return instance.t(key, { ...local, lng: language });
}

/** The bot's language for a Telegram language code (`pt-BR`). */
export function languageOf(code: string | undefined): Language {
  const short = code?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === short) ?? 'en';
}
