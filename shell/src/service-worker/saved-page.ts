/** The saved page, without a session: until the pool answers, its queries have what was kept of them (ADR 11). */
import { ApiError, earlyFetch } from '@pool/shared';
import type { QueryClient } from '@pool/shared/query';
import { hasSignedInMark } from '../auth/early-session';
import { AuthStore } from '../auth/auth-store';
import { storedUser } from '../auth/user-storage';
import { report } from '../report';
import { notingFetch } from './persister';
import { savedResponse } from './saved-cache';
import { savedQueries, type SavedQuery } from './saved-queries';

const ASK_EVERY_MS = 10_000;

const noAnswer = () => new ApiError({ type: 'about:blank', title: 'No answer', status: 0, code: 'offline' });

export class SavedPage {
  readonly store: AuthStore;
  private saved = true;

  private constructor(
    private readonly userId: string,
    private readonly queries: SavedQuery[],
  ) {
    this.store = new AuthStore('', Date.now, userId);
  }

  /** Null: the page is shown as any other, which needs the pool. */
  static async open(userId: string): Promise<SavedPage | null> {
    const isHere = hasSignedInMark(document.cookie) && storedUser() === userId;
    return isHere ? new SavedPage(userId, await savedQueries(userId)) : null;
  }

  /** Same as `fetch` of the API client. */
  readonly fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    if (this.saved) throw new TypeError('A saved page sends nothing');
    return notingFetch(url, init);
  };

  readonly fetchTexts = async (url: string): Promise<Response> =>
    (this.saved && (await savedResponse(url, this.userId))) || earlyFetch(url);

  /** Fills the cache: what was kept is the last good data of queries that failed. */
  withQueries(queryClient: QueryClient): QueryClient {
    for (const { queryKey, state } of this.queries) {
      // It may be a while until the page is opened that shows it.
      const options = { queryKey, gcTime: Infinity };
      const failed = { ...state, status: 'error', error: noAnswer(), fetchStatus: 'idle' } as const;
      queryClient.getQueryCache().build(queryClient, options, failed);
    }
    return queryClient;
  }

  /** Asks the pool until it answers. */
  follow(queryClient: QueryClient): void {
    const ask = async () => {
      // Every page brings a session token in a cookie.
      const answer = await earlyFetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => null);
      if (!answer || answer.status >= 500) return;
      clearInterval(timer);
      removeEventListener('online', tell);
      if (!this.store.resume(document.cookie)) return location.reload();
      this.saved = false;
      await queryClient.refetchQueries({ type: 'active' });
    };
    const tell = () => void ask().catch(report);
    const timer = setInterval(tell, ASK_EVERY_MS);
    addEventListener('online', tell);
    tell();
  }
}
