/**
 * Loads `GET /locales/{lng}.json`, and of a namespace that a page loads later `GET /locales/{namespace}.{lng}.json`.
 * i18next retries a read (5 times, from 350 ms, doubling) and runs at most 10 at a time, but its backend must tell
 * which failures to retry: a 5xx or no response, not a 4xx or broken JSON. i18next-http-backend
 * decides by words like "fetch" in the error message, which differ between browsers.
 */
import type { BackendModule, ReadCallback } from 'i18next';

/** Data of a failed read: `true` makes i18next retry. */
const RETRY = true;
const GIVE_UP = false;

export type TextsFetch = (url: string) => Promise<Pick<Response, 'ok' | 'status' | 'text'>>;

/** The namespace of the first load, which every page but the landing page needs. */
export const FIRST = 'translation';

async function readTexts(
  fetchTexts: TextsFetch,
  language: string,
  namespace: string,
  done: ReadCallback,
): Promise<void> {
  const file = namespace === FIRST ? language : `${namespace}.${language}`;
  const url = `/locales/${encodeURIComponent(file)}.json`;
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
    read: (language, namespace, done) => void readTexts(fetchTexts, language, namespace, done),
  };
}
