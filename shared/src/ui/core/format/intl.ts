/** Cached Intl formatters: creating one costs more than a thousand uses. Western digits in every language. */
import { ofLanguage, type Language } from '../../../i18n/languages';

const LOCALES: Record<Language, string> = {
  en: 'en-GB-u-nu-latn',
  ru: 'ru-RU-u-nu-latn',
  fr: 'fr-FR-u-nu-latn',
  ar: 'ar-u-nu-latn',
};
/** Locale of a language. English dates are "21 Nov" (en-GB); an unknown language is English. */
const localeOf = (language: string): string => ofLanguage(LOCALES, language);

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

/** `zone`: an IANA name; undefined: the user's own. */
export function dateFormat(
  language: string,
  zone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${language}|${zone}|${JSON.stringify(options)}`;
  let format = dates.get(key);
  if (!format) dates.set(key, (format = new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: zone })));
  return format;
}

export function numberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${language}|${JSON.stringify(options)}`;
  let format = numbers.get(key);
  if (!format) numbers.set(key, (format = new Intl.NumberFormat(localeOf(language), options)));
  return format;
}
