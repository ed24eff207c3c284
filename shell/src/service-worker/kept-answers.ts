import { earlyFetch } from '@pool/shared';
import { KEEP_HEADER } from '@pool/shared/page-start';

/** The last answers that the server allows to keep, by URL, until they are written (keep.ts). `at`: Unix seconds. */
export const keptAnswers = new Map<string, { at: number; data: unknown }>();

export const keepAnswer = (url: string, data: unknown): void =>
  void keptAnswers.set(url, { at: Math.floor(Date.now() / 1000), data });

/** Same as `fetch` of the API client. */
export async function keepingFetch(url: string, init?: RequestInit): Promise<Response> {
  const answer = await earlyFetch(url, init);
  if (!answer.ok || !answer.headers.has(KEEP_HEADER)) return answer;
  const read = answer.json.bind(answer);
  answer.json = async () => {
    const data: unknown = await read();
    keepAnswer(url, data);
    return data;
  };
  return answer;
}
