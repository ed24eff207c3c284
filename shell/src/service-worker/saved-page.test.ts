import { SAVED_AT } from '@pool/shared/page-start';
import { createQueryClient } from '@pool/shared/query';
import { SavedPage } from './saved-page';

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
