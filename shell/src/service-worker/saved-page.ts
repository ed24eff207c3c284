/** The saved page, without a session: until the pool answers, calls get the user's kept answers (ADR 11). */
import { ApiError, earlyFetch } from '@pool/shared';
import { SAVED_AT } from '@pool/shared/page-start';
import type { QueryClient } from '@pool/shared/query';
import { hasSignedInMark } from '../auth/early-session';
import { AuthStore } from '../auth/auth-store';
import { storedUser } from '../auth/user-storage';
import { report } from '../report';
import { keepingFetch } from './kept-answers';
import { savedResponse } from './saved-cache';

const ASK_EVERY_MS = 10_000;

const noAnswer = () => new ApiError({ type: 'about:blank', title: 'No answer', status: 0, code: 'offline' });

export class SavedPage {
  readonly store: AuthStore;
  private saved = true;
  /** When the data of an answer was kept, Unix ms. */
  private readonly times = new WeakMap<object, number>();
  /** Time of the last answer, for data that a query makes of several. */
  private keptAt = 0;

  private constructor(private readonly userId: string) {
    this.store = new AuthStore('', Date.now, userId);
  }

  /** Null: the page is shown as any other, which needs the pool. */
  static open = (userId: string): SavedPage | null =>
    hasSignedInMark(document.cookie) && storedUser() === userId ? new SavedPage(userId) : null;

  /** Same as `fetch` of the API client. */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    if (!this.saved) return keepingFetch(url, init);
    const answer = init.method === 'GET' ? await savedResponse(url, this.userId) : undefined;
    if (!answer) throw new TypeError('Not kept, and a saved page sends nothing');
    const at = (this.keptAt = Number(answer.headers.get(SAVED_AT)) * 1000);
    const read = answer.json.bind(answer);
    answer.json = async () => {
      const data: unknown = await read();
      if (typeof data === 'object' && data) this.times.set(data, at);
      return data;
    };
    return answer;
  };

  readonly fetchTexts = async (url: string): Promise<Response> =>
    (this.saved && (await savedResponse(url, this.userId))) || earlyFetch(url);

  /** Gives data the age of its answer, and asks the pool until it answers. */
  follow(queryClient: QueryClient): void {
    const stopMarking = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || !this.keptAt) return;
      const dataUpdatedAt = this.times.get(event.query.state.data as object) ?? this.keptAt;
      event.query.setState({ status: 'error', error: noAnswer(), dataUpdatedAt });
    });
    const ask = async () => {
      // Every page brings a session token in a cookie.
      const answer = await earlyFetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => null);
      if (!answer || answer.status >= 500) return;
      clearInterval(timer);
      removeEventListener('online', tell);
      if (!this.store.resume(document.cookie)) return location.reload();
      this.saved = false;
      stopMarking();
      await queryClient.refetchQueries();
    };
    const tell = () => void ask().catch(report);
    const timer = setInterval(tell, ASK_EVERY_MS);
    addEventListener('online', tell);
    tell();
  }
}
