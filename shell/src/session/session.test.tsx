import type { RemoteManifest, SubAccount } from '@pool/shared';
import { selectedAccount, selectedAlgorithm, selectedZone } from '@pool/shared/selection';
import { renderHook } from '@testing-library/react';
import { carriedSearch, carry } from './carried-params';
import { useFreshTexts } from './use-fresh-texts';
import { whenQuiet } from './when-quiet';
import { SAVED_AT } from '@pool/shared/page-start';
import { createQueryClient } from '@pool/shared/query';
import { SavedPage } from '../service-worker/saved-page';
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
  const instance = { reloadResources: jest.fn(() => Promise.resolve()) };
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
  const NOW = 1_700_000_000;
  const KEPT: Record<string, { at: number; data: object }> = {
    '/api/getUserInfo/': { at: NOW - 7200, data: { user: 'demo' } },
    '/api/payment/': { at: NOW - 60, data: { balance: 4 } },
  };

  let asked: string[] = [];
  let poolAnswers = false;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW * 1000 });
    asked = [];
    poolAnswers = false;
    document.cookie = '__client_uat=1';
    localStorage.setItem('user.signedIn', `user_1 ${NOW}`);
    const answerOf = (url: string) => ({
      ok: true,
      headers: new Map([[SAVED_AT, String(KEPT[url]?.at)]]),
      json: async () => KEPT[url]?.data,
    });
    globalThis.caches = {
      match: jest.fn(async (url: string) => (url in KEPT ? answerOf(url) : undefined)),
    } as unknown as CacheStorage;
    // The network.
    globalThis.fetch = async (input) => {
      const url = String(input);
      asked.push(url);
      if (!poolAnswers) throw new TypeError('no network');
      if (url in KEPT) return answerOf(url) as unknown as Response;
      document.cookie = `__session=e30.${btoa(JSON.stringify({ sub: 'user_1', exp: NOW + 60 }))}.c2ln`;
      return { ok: true, status: 200 } as Response;
    };
  });
  afterEach(() => {
    jest.useRealTimers();
    document.cookie = '__session=; max-age=0';
  });

  function opened(): SavedPage {
    const page = SavedPage.open('user_1');
    if (!page) throw new Error('not opened');
    return page;
  }

  test('opens for the user who is here, and for nobody else', () => {
    expect(SavedPage.open('user_1')).not.toBeNull();
    expect(SavedPage.open('user_2')).toBeNull();
    document.cookie = '__client_uat=0';
    expect(SavedPage.open('user_1')).toBeNull();
  });

  test('reads kept answers of its user, and sends nothing', async () => {
    const page = opened();
    const answer = await page.fetch('/api/payment/', { method: 'GET' });
    expect(await answer.json()).toEqual(KEPT['/api/payment/']?.data);
    expect(caches.match).toHaveBeenCalledWith('/api/payment/', expect.objectContaining({ cacheName: 'saved user_1' }));
    await expect(page.fetch('/api/none/', { method: 'GET' })).rejects.toThrow();
    await expect(page.fetch('/api/payment/', { method: 'PUT', body: '{}' })).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  test('its data is the last good one with its own age, until the pool answers and it is asked for again', async () => {
    const page = opened();
    const client = createQueryClient();
    page.follow(client);
    const queryOf = (url: string) => ({
      queryKey: [url],
      queryFn: async (): Promise<unknown> => (await page.fetch(url, { method: 'GET' })).json(),
    });
    for (const url of Object.keys(KEPT)) await client.fetchQuery(queryOf(url));
    const ages = () => Object.keys(KEPT).map((url) => NOW - (client.getQueryState([url])?.dataUpdatedAt ?? 0) / 1000);
    expect(ages()).toEqual([7200, 60]);
    expect(client.getQueryState(['/api/payment/'])).toMatchObject({ status: 'error', data: { balance: 4 } });

    const stopped = client.getQueryCache().find({ queryKey: ['/api/payment/'] });
    poolAnswers = true;
    dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    expect(await page.store.getToken()).toMatch(/^e30\./);
    await client.fetchQuery(queryOf('/api/payment/'));
    expect(asked).toContain('/api/payment/');
    expect(stopped?.state).toMatchObject({ status: 'success', dataUpdatedAt: NOW * 1000 });
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
