/** The bot's texts as HTML. Values are put in `<code>` and escaped, so that none becomes markup or a link. */
import type { Language } from '@pool/shared/i18n/languages';
import { escapeHtml, textsWith, type Values } from '../outbox/texts';

const isPlain = /^\d+([.,]\d+)?$/;
const texts = textsWith((value) => (isPlain.test(value) ? value : `<code>${escapeHtml(value)}</code>`));

export const { knows } = texts;
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
  return texts.say(language, key, local);
}
