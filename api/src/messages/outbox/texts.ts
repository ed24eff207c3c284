/** Texts of messages: notifications as the shell's inbox has them, and what mails and the bot say besides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import i18next from 'i18next';
import { LANGUAGES, type Language } from '@pool/shared/i18n/languages';
import { ROOT } from '../../root';

export type Values = Record<string, string | number>;

const textsIn = (language: Language): Record<string, string> =>
  Object.assign(
    {},
    ...['shell/locales/inbox.', 'shared/locales/events.', 'shell/locales/account.', 'api/src/messages/texts/'].map(
      (file) => JSON.parse(readFileSync(join(ROOT, `${file}${language}.json`), 'utf8')) as object,
    ),
  ) as Record<string, string>;
const resources = Object.fromEntries(LANGUAGES.map((language) => [language, { translation: textsIn(language) }]));

export type Texts = { knows(key: string): boolean; say(language: Language, key: string, values?: Values): string };

/** `escape`: how a value is written into a text. */
export function textsWith(escape: (value: string) => string): Texts {
  const instance = i18next.createInstance();
  void instance.init({
    lng: 'en',
    fallbackLng: 'en',
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    resources,
    interpolation: { escape },
  });
  return {
    knows: (key) => instance.exists(key, { count: 1 }),
    say: (language, key, values = {}) => instance.t(key, { ...values, lng: language }),
  };
}

export const plain = textsWith((value) => value);
export type NoteFacts = { kind: string; values: Values };
export function noteText(say: Texts['say'], language: Language, { kind, values }: NoteFacts): string {
  const times = (['until', 'since'] as const).flatMap((name) => {
    const time = values[name];
    return typeof time === 'string' ? [[name, `${time.slice(0, 16).replace('T', ' ')} UTC`]] : [];
  });
  const { by, place = '' } = values;
  return say(language, `notification.${kind}`, {
    ...{ ...values, ...Object.fromEntries(times) },
    // Its text has the name escaped already.
    ...(by !== undefined && { place: say(language, `place.${by}`, { place }) }),
  });
}

/** The name of an event that people choose to hear of. */
export const eventText = (say: Texts['say'], language: Language, event: string): string =>
  say(language, `account.telegram.event.${event}`);

export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** The language of the first entry of `pt-BR` or `fr-CA,fr;q=0.9`, English when there are no texts in it. */
export function languageOf(code: string | undefined): Language {
  const short = code?.split(/[-,;]/)[0]?.trim().toLowerCase();
  return LANGUAGES.find((language) => language === short) ?? 'en';
}
