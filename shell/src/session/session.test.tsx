import type { RemoteManifest, SubAccount } from '@pool/shared';
import { selectedAccount, selectedAlgorithm, selectedZone } from '@pool/shared/selection';
import { renderHook } from '@testing-library/react';
import { carriedSearch, carry } from './carried-params';
import { useFreshTexts } from './use-fresh-texts';
import { whenQuiet } from './when-quiet';
import { KEEP_HEADER } from '@pool/shared/page-start';
import { createQueryClient } from '@pool/shared/query';
import { keptQueries, notingFetch, persister } from '../service-worker/persister';
import { SavedPage } from '../service-worker/saved-page';
import { saveQueries } from '../service-worker/saved-queries';
import '../copied';

const accounts: SubAccount[] = ['northfield', 'barn'].map((name, id) => ({ id, name, ports: {}, proxyPort: null }));

it('takes the account from the URL only when it belongs to the user', () => {
  expect(selectedAccount('?account=barn', 'northfield', accounts)).toBe('barn');
  expect(selectedAccount('?account=victim', 'northfield', accounts)).toBe('northfield');
  expect(selectedAccount('', 'northfield', accounts)).toBe('northfield');
});

it('starts with SHA256_ASICBOOST and ignores unknown algorithms', () => {
  expect(selectedAlgorithm('')).toBe('SHA256_ASICBOOST');
  expect(selectedAlgorithm('?algorithm=SCRYPT')).toBe('SCRYPT');
  expect(selectedAlgorithm('?algorithm=toString')).toBe('SHA256_ASICBOOST');
});

it('shows times in the zone of the URL, else in that of the settings', () => {
  expect(selectedZone('', 'utc')).toBe('utc');
  expect(selectedZone('?tz=local', 'utc')).toBe('local');
  expect(selectedZone('?tz=mars', 'local')).toBe('local');
});

it('carries timeframe and zone too', () => {
  expect(carriedSearch('?timeframe=d7&tz=local&q=rig')).toBe('?timeframe=d7&tz=local');
});

it('carries account and algorithm to the next page, and nothing else', () => {
  const carried = carriedSearch('?account=barn&algorithm=SCRYPT&state=offline');
  expect(carried).toBe('?account=barn&algorithm=SCRYPT');
  expect(carry('/workers/?state=low#top', carried)).toBe('/workers/?state=low&account=barn&algorithm=SCRYPT#top');
  expect(carry({ pathname: '/workers/', search: '?account=other' }, carried)).toEqual({
    pathname: '/workers/',
    search: '?account=other&algorithm=SCRYPT',
  });
  expect(carry('/workers/', '')).toBe('/workers/');
});

test('what can wait is not fetched before the page itself, however slow the line is', () => {
  jest.useFakeTimers();
  const bar = document.body.appendChild(document.createElement('div'));
  bar.dataset.progress = '';
  const later = jest.fn();
  whenQuiet(later);
  jest.advanceTimersByTime(60_000);
  expect(later).not.toHaveBeenCalled();
  bar.remove();
  jest.advanceTimersByTime(20_000);
  expect(later).toHaveBeenCalledTimes(1);
  whenQuiet(later)();
  jest.advanceTimersByTime(20_000);
  expect(later).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

const remote = (name: string, version: string) => ({ name, version }) as RemoteManifest;

it('refetches the texts when a remote has another version, and only then', () => {
  const instance = { reloadResources: jest.fn(() => Promise.resolve()), emit: jest.fn() };
  const view = renderHook(({ remotes }) => useFreshTexts(instance, remotes), {
    initialProps: { remotes: [] as RemoteManifest[] },
  });
  view.rerender({ remotes: [remote('workers', '1')] });
  view.rerender({ remotes: [remote('workers', '1')] });
  expect(instance.reloadResources).not.toHaveBeenCalled();
  view.rerender({ remotes: [remote('workers', '2')] });
  expect(instance.reloadResources).toHaveBeenCalledTimes(1);
});

describe('a saved page', () => {
  const NOW = 1_700_000_000_000;
  const DAY_MS = 86_400_000;
  const [OWN, OTHERS] = ['user_1', '*'];
  /** What the browser keeps, by name of its cache and address. */
  let kept: Record<string, Record<string, { json(): Promise<unknown> }>>;
  /** Answers of the pool, with their headers; null: it does not answer. */
  let pool: Record<string, [data: unknown, keep?: string]> | null;
  let asked: string[];

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    [kept, pool, asked] = [{}, null, []];
    document.cookie = '__client_uat=1';
    localStorage.setItem('user.signedIn', `user_1 ${NOW}`);
    const cacheOf = (name: string) => {
      const entries = (kept[name] ??= {});
      return {
        keys: async () => Object.keys(entries).map((path) => ({ url: `http://localhost${path}` })),
        match: async ({ url }: Request) => entries[new URL(url).pathname],
        put: async (path: string, answer: (typeof entries)[string]) => void (entries[path] = answer),
        delete: async () => true,
      } as unknown as Cache;
    };
    globalThis.caches = {
      keys: async () => Object.keys(kept),
      open: async (name: string) => cacheOf(name),
      delete: async (name: string) => delete kept[name],
    } as unknown as CacheStorage;
    const json = (data: unknown) => ({ json: async () => JSON.parse(JSON.stringify(data)) as unknown });
    globalThis.Response = { json } as unknown as typeof Response;
    globalThis.fetch = async (input) => {
      const url = String(input);
      asked.push(url);
      if (!pool) throw new TypeError('no network');
      document.cookie = `__session=e30.${btoa(JSON.stringify({ sub: 'user_1', exp: NOW / 1000 + 60 }))}.c2ln`;
      const [data, keep] = pool[url] ?? [null];
      return { ok: true, status: 200, headers: new Map(keep ? [[KEEP_HEADER, keep]] : []), ...json(data) } as never;
    };
  });
  afterEach(() => {
    jest.useRealTimers();
    keptQueries.clear();
    document.cookie = '__session=; max-age=0';
  });

  type Send = SavedPage['fetch'];
  /** A query that makes its data of these answers. */
  const queryOf = (send: Send, ...urls: string[]) => ({
    queryKey: urls,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<unknown> =>
      Promise.all(urls.map(async (url): Promise<unknown> => (await send(url, { signal })).json())),
  });

  async function opened(): Promise<SavedPage> {
    const page = await SavedPage.open('user_1');
    if (!page) throw new Error('not opened');
    return page;
  }

  test('opens for the user who is here, and for nobody else', async () => {
    expect(await SavedPage.open('user_1')).not.toBeNull();
    expect(await SavedPage.open('user_2')).toBeNull();
    document.cookie = '__client_uat=0';
    expect(await SavedPage.open('user_1')).toBeNull();
  });

  test('has the queries all answers of which the server allows to keep, with the age of each, until the pool answers', async () => {
    pool = { '/a': [4, OWN], '/b': [5, OTHERS], '/keys': ['secret'] };
    const client = createQueryClient({ persister });
    for (const urls of [['/a'], ['/a', '/b'], ['/keys'], ['/a', '/keys'], ['/keys', '/a']])
      await client.fetchQuery(queryOf(notingFetch, ...urls));
    kept = { 'saved user_2': {} };
    await saveQueries('user_1');
    expect(Object.keys(kept)).toEqual(['saved user_1']);
    const paths = Object.keys(kept['saved user_1'] ?? {}).map((path) => decodeURIComponent(path.slice(15)));
    expect(paths).toEqual(['["/a"]', '["/a","/b"]']);

    jest.setSystemTime(NOW + DAY_MS);
    await client.fetchQuery(queryOf(notingFetch, '/a'));
    await saveQueries('user_1');
    [pool, asked] = [null, []];
    jest.setSystemTime(NOW + 7.5 * DAY_MS);
    const page = await opened();
    const saved = page.withQueries(createQueryClient({ persister }));
    const states = () =>
      saved
        .getQueryCache()
        .getAll()
        .map(({ state }) => state);
    // What is older than a week is not shown.
    expect(states()).toMatchObject([{ status: 'error', data: [4], dataUpdatedAt: NOW + DAY_MS }]);
    jest.spyOn(console, 'warn').mockImplementationOnce(() => undefined);
    await saved.fetchQuery({ ...queryOf(page.fetch, '/a'), retry: false }).catch(() => undefined);
    expect(states()).toMatchObject([{ status: 'error', data: [4], dataUpdatedAt: NOW + DAY_MS }]);
    await expect(page.fetch('/a', { method: 'PUT', body: '{}' })).rejects.toThrow();
    expect(asked).toEqual([]);

    jest.setSystemTime(NOW);
    page.follow(saved);
    await jest.advanceTimersByTimeAsync(0);
    expect(await page.store.getToken()).toBeNull();
    pool = { '/a': [6, OWN] };
    dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    expect(await page.store.getToken()).toMatch(/^e30\./);
    await saved.fetchQuery(queryOf(page.fetch, '/a'));
    expect(states()).toMatchObject([{ status: 'success', data: [6] }]);
  });
});

// jsdom lays nothing out.
Object.defineProperty(HTMLElement.prototype, 'innerText', {
  get(this: HTMLElement) {
    return this.textContent;
  },
});

/** What a program gets where this is pasted; null: what the browser makes of it. */
function copied(from: Node, to = from): string | null {
  const range = document.createRange();
  range.setStartBefore(from);
  range.setEndAfter(to);
  getSelection()!.removeAllRanges();
  getSelection()!.addRange(range);
  let text: string | null = null;
  const clipboardData = { setData: (_: string, set: string) => (text = set) };
  (from.parentElement ?? document.body).dispatchEvent(
    Object.assign(new Event('copy', { bubbles: true }), { clipboardData }),
  );
  return text;
}

test('a copied table has one line for each row; numbers come without marks of direction', () => {
  document.body.innerHTML = `
    <h1>\u0646\u0633\u0628\u0629 \u20663.1 %\u2069</h1><p>Plain</p>
    <table><thead><tr><th>Worker</th><th>Hashrate</th></tr></thead><tbody>
      <tr><th><b>rig-1</b></th><td><span>104\u00a0</span><span>TH/s</span></td></tr>
      <tr><th>rig-2</th><td>\u20663.1 %\u2069</td></tr></tbody></table>`;
  const [head, first, second] = document.querySelectorAll('tr');
  expect(copied(head!, second)).toBe('Worker\tHashrate\nrig-1\t104 TH/s\nrig-2\t3.1 %');
  expect(copied(first!, second)).toBe('rig-1\t104 TH/s\nrig-2\t3.1 %');
  expect(copied(document.querySelector('h1')!)).toBe('\u0646\u0633\u0628\u0629 3.1 %');
  expect(copied(document.querySelector('p')!)).toBeNull();
});
