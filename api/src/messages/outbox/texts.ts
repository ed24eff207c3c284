/** Texts of messages: a folder with one file for each language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import i18next from 'i18next';
import { LANGUAGES, type Language } from '@pool/shared/i18n/languages';
import { ROOT } from '../../root';

export type Values = Record<string, string | number>;

export const textsIn = (folder: string, language: Language): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, 'api/src', folder, `${language}.json`), 'utf8')) as Record<string, string>;

export type Texts = {
  knows(key: string): boolean;
  say(language: Language, key: string, values?: Values): string;
};

/** The texts in `folder`, a path below `api/src`. `escape`: how a value is written into a text. */
export function loadTexts(folder: string, escape: (value: string) => string): Texts {
  const instance = i18next.createInstance();
  void instance.init({
    lng: 'en',
    fallbackLng: 'en',
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    resources: Object.fromEntries(LANGUAGES.map((language) => [language, { translation: textsIn(folder, language) }])),
    interpolation: { escape },
  });
  return {
    knows: (key) => instance.exists(key, { count: 1 }),
    say: (language, key, values = {}) => instance.t(key, { ...values, lng: language }),
  };
}

/** Texts of notifications in messages, and what Telegram's bot says besides. */
export const NOTE_TEXTS = 'messages/telegram/texts';
export type NoteFacts = { kind: string; values: Values };
/** A notification in words. */
export function noteText(say: Texts['say'], language: Language, { kind, values }: NoteFacts): string {
  const until = typeof values.until === 'string' ? values.until.slice(0, 16).replace('T', ' ') : null;
  const text = say(language, `notification.${kind}`, { ...values, ...(until && { until }) });
  return kind.startsWith('wallet_changed') && until ? `${text}\n${say(language, 'wallet.held', { until })}` : text;
}

export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** The language of the first entry of `pt-BR` or `fr-CA,fr;q=0.9`, English when there are no texts in it. */
export function languageOf(code: string | undefined): Language {
  const short = code?.split(/[-,;]/)[0]?.trim().toLowerCase();
  return LANGUAGES.find((language) => language === short) ?? 'en';
}
