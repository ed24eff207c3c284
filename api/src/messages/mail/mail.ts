/** Mails to people: what they say, and how they get into the outbox. */
import type { TelegramEvent } from '@pool/shared/api/contract';
import { TELEGRAM_EVENTS } from '@pool/shared/domain';
import { directionOf, type Language } from '@pool/shared/i18n/languages';
import type { Querier } from '../../platform/db/querier';
import type { Secrets } from '../../platform/secrets';
import { eventOf } from '../outbox/events';
import { enqueue } from '../outbox/outbox';
import { type Pending, told } from '../outbox/pending';
import type { PlainPage } from './plain-page';
import {
  escapeHtml,
  eventText,
  noteText,
  plain,
  textsWith,
  type NoteFacts,
  type Texts,
  type Values,
} from '../outbox/texts';

export type MailKind =
  | 'reset'
  | 'verify'
  | 'sign_up_known'
  | 'email_known'
  | 'password_changed'
  | 'new_device'
  | 'email_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery'
  | 'recovery_begun'
  | 'recovery_done'
  | 'invitation';

/**
 * `code`: shown large, to be typed. `link`: where its button leads; null: it should have one, which could not be made. `lifeS`:
 * after so long it is not sent any more.
 */
export type Mail = {
  to: string;
  language: Language;
  kind: MailKind;
  values: Values;
  code?: string;
  link?: string | null;
  dedupe: string;
  lifeS: number;
};
/** Mails of these kinds can be ended by a link with these words. */
export type Ends = { userId: number; events: TelegramEvent[]; words: string };
/** `withLink`: the sender adds the pool's address, if it knows one. */
export type MailContent = { subject: string; text: string; html: string; withLink?: true; ends?: Ends };

const markup = textsWith((value) => `<b dir="auto">${escapeHtml(value)}</b>`);

const MAIN_END = '</main>';
const STYLE =
  ':root{color-scheme:light dark}' +
  'body{margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#fff}' +
  'main{max-width:480px;margin:auto}.code{margin:24px 0;font:600 32px/1 ui-monospace,monospace;letter-spacing:6px}' +
  '.note{color:#59636e;font-size:14px}' +
  '.button{display:inline-block;margin:8px 0;padding:12px 20px;border-radius:6px;background:#d6342f;color:#fff;' +
  'font-weight:600;text-decoration:none}' +
  '@media(prefers-color-scheme:dark){body{color:#e6e8ea;background:#16181b}.note{color:#9aa4ae}}';

export function writeMail({ language, kind, values, code, link }: Omit<Mail, 'to' | 'dedupe' | 'lifeS'>): MailContent {
  const all = code ? { ...values, code } : values;
  const notes = [...(code ? ['code_life'] : []), link === null ? `${kind}.no_link` : `${kind}.not_me`];
  const subject = plain.say(language, `${kind}.subject`, all);
  const button = link && plain.say(language, `${kind}.link`);
  const lines = [
    plain.say(language, `${kind}.text`, all),
    code,
    button && `${button}:\n${link}`,
    ...notes.map((key) => plain.say(language, key)),
  ];
  const body = [
    `<p>${markup.say(language, `${kind}.text`, all)}</p>`,
    ...(code ? [`<p class="code"><bdi>${escapeHtml(code)}</bdi></p>`] : []),
    ...(button ? [`<p><a class="button" href="${escapeHtml(link)}">${button}</a></p>`] : []),
    ...notes.map((key) => `<p class="note">${plain.say(language, key)}</p>`),
  ];
  return contentOf(
    language,
    subject,
    lines.filter((line) => typeof line === 'string'),
    body,
  );
}

function contentOf(
  language: Language,
  subject: string,
  lines: readonly string[],
  body: readonly string[],
): MailContent {
  const html =
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">' +
    `<title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>` +
    `<body><main>${body.join('')}${MAIN_END}</body></html>\n`;
  return { subject, text: `${lines.join('\n\n')}\n`, html };
}

/** What a notification that is mailed (notes.ts) says. */
export function writeNote(language: Language, note: NoteFacts): MailContent {
  const subject = plain.say(language, `note.${note.kind.split('_')[0]}`, note.values);
  const notMe = plain.say(language, 'note.not_me');
  const body = [`<p>${noteText(markup.say, language, note)}</p>`, `<p class="note">${notMe}</p>`];
  const lines = [noteText(plain.say, language, note), notMe];
  return { ...contentOf(language, subject, lines, body), withLink: true };
}

/** What a user's alerts (alerts.ts) say, all in one mail. */
export function writeAlerts(language: Language, userId: number, notes: readonly Pending[]): MailContent {
  const why = plain.say(language, 'alerts.why');
  const lines = (say: Texts['say']): string[] => told(say, language, notes).flatMap(({ words }) => words.split('\n'));
  const texts = lines(plain.say);
  const subject =
    texts.length === 1 ? (texts[0] ?? '') : plain.say(language, 'alerts.subject', { count: notes.length });
  const body = [...lines(markup.say).map((line) => `<p>${line}</p>`), `<p class="note">${why}</p>`];
  const events = TELEGRAM_EVENTS.filter((event) => notes.some(({ kind }) => eventOf(kind) === event));
  const ends = { userId, events, words: plain.say(language, 'alerts.end', { kinds: kindsIn(language, events) }) };
  return { ...contentOf(language, subject, [...texts, why], body), withLink: true, ends };
}

const kindsIn = (language: Language, events: readonly TelegramEvent[]): string =>
  events.map((event) => eventText(plain.say, language, event)).join(', ');

/** The page that ends mails of these kinds, or says that it is `done`; `events` null: its link is no longer valid. */
export function unsubscribePage(language: Language, events: readonly TelegramEvent[] | null, done: boolean): PlainPage {
  const say = (key: string): string =>
    plain.say(language, `unsubscribe.${key}`, { kinds: kindsIn(language, events ?? []) });
  const asks = events && !done;
  return {
    title: say('title'),
    text: say(asks ? 'ask' : events ? 'done' : 'invalid'),
    form: asks ? { words: say('end') } : undefined,
  };
}

/** Adds a link to the pool at `url`, and one that ends these mails. */
export function linked(content: MailContent, url: string, end: string | null): MailContent {
  const links = [[url, url], ...(end && content.ends ? [[content.ends.words, end]] : [])].map(
    ([words = '', to = '']) => ({
      text: words === to ? to : `${words}: ${to}`,
      html: `<p><a href="${escapeHtml(to)}">${escapeHtml(words)}</a></p>`,
    }),
  );
  return {
    ...content,
    text: `${content.text}\n${links.map(({ text }) => `${text}\n`).join('')}`,
    html: content.html.replace(MAIN_END, `${links.map(({ html }) => html).join('')}${MAIN_END}`),
  };
}

const ownerOf = (target: string): string => `mail to ${target}`;
/**
 * Of a waiting mail, which is sealed when it has a code or a link: whoever reads the database, or a backup of it, reads
 * neither. No JSON, so that a build before 1.1 leaves it to be sent by the next one. Null: its key is lost.
 */
export function contentIn(secrets: Secrets, target: string, content: string): MailContent | null {
  const text = isSealed(content) ? secrets.tryOpen(content, ownerOf(target)) : content;
  return text === null ? null : (JSON.parse(text) as MailContent);
}
export const isSealed = (content: string): boolean => !content.startsWith('{');

/** Queues a mail in the caller's transaction, sealed until it is sent. */
export const queueMail = (tx: Querier, secrets: Secrets, mail: Mail): Promise<void> => {
  const { to: target, dedupe, lifeS } = mail;
  const content = secrets.seal(JSON.stringify(writeMail(mail)), ownerOf(target));
  return enqueue(tx, [{ channel: 'mail', target, dedupe, content, lifeS }], Date.now() / 1000);
};
