/**
 * Loads `GET /locales/{lng}.json`. i18next itself repeats a read (5 times, from 350 ms, doubling) and keeps at most 10 running,
 * but only its backend can tell what is worth repeating: a 5xx or no answer is, a 4xx or broken JSON is not (specification 9).
 * i18next-http-backend tells by looking for words like "fetch" in the error's message, which browsers word differently.
 */
import type { BackendModule, ReadCallback } from 'i18next';

/** `true` as the data of a failed read asks i18next to try again. */
const RETRY = true;
const GIVE_UP = false;

export type TextsFetch = (url: string) => Promise<Pick<Response, 'ok' | 'status' | 'text'>>;

async function readTexts(fetchTexts: TextsFetch, language: string, done: ReadCallback): Promise<void> {
  const url = `/locales/${encodeURIComponent(language)}.json`;
  let body: string;
  try {
    const answer = await fetchTexts(url);
    if (!answer.ok) return done(`${url}: ${answer.status}`, answer.status >= 500 ? RETRY : GIVE_UP);
    body = await answer.text();
  } catch {
    return done(`${url}: no answer`, RETRY);
  }
  let texts: Record<string, string>;
  try {
    texts = JSON.parse(body) as Record<string, string>;
  } catch {
    return done(`${url}: not JSON`, GIVE_UP);
  }
  done(null, texts);
}

export function textsBackend(fetchTexts: TextsFetch = (url) => fetch(url)): BackendModule {
  return {
    type: 'backend',
    init() {},
    read: (language, _namespace, done) => void readTexts(fetchTexts, language, done),
  };
}
