import { serverTime } from './clock';
import { ApiError, createApiClient, queryString } from './client';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES } from '../i18n/languages';
import { contract, ERROR_CODES } from './contract';
import { earlyFetch } from '../page-start/early-requests';

const answer = (body: BodyInit | null, init: ResponseInit & { type?: string } = {}) => {
  const headers = new Headers({ 'content-type': init.type ?? 'application/json', ...(init.headers as object) });
  return {
    ok: (init.status ?? 200) < 400,
    status: init.status ?? 200,
    headers,
    json: async () => JSON.parse(String(body)),
    text: async () => String(body),
  } as Response;
};

function client(response: Response) {
  const send = jest.fn(async (_url: string | URL | Request, _init?: RequestInit) => response);
  return { send, api: createApiClient({ getToken: async () => 'token', fetch: send as typeof fetch }) };
}

test('sends arrays as name[], and leaves out null and undefined', () => {
  expect(queryString({ a: 1, b: null, c: undefined, d: ['x', 'y'] })).toBe('?a=1&d%5B%5D=x&d%5B%5D=y');
  expect(queryString({})).toBe('');
});

test('a read carries the token and no XSRF header', async () => {
  const { api, send } = client(answer('{"workers":[]}'));
  await api('GET /liveWorkers/', { query: { algorithm: 'SCRYPT', userName: undefined } });
  const [url, init] = send.mock.calls[0]!;
  expect(url).toBe('/api/liveWorkers/?algorithm=SCRYPT');
  expect(init?.headers).toMatchObject({ authorization: 'Bearer token' });
  expect(init?.headers).not.toHaveProperty('X-XSRF-TOKEN');
});

test('a write carries the XSRF cookie as a header and a JSON body', async () => {
  document.cookie = 'XSRF-TOKEN=abc%3D';
  const { api, send } = client(answer('{"id":1}'));
  await api('POST /subAccounts/', { body: { name: 'hangar-2' } });
  expect(send.mock.calls[0]![1]).toMatchObject({
    method: 'POST',
    body: '{"name":"hangar-2"}',
    headers: { 'X-XSRF-TOKEN': 'abc=' },
  });
});

test('what says "ago" or "today" goes by the server, whose answers tell its time', async () => {
  const at = (ms: number) => answer('{}', { headers: { date: new Date(Date.now() + ms).toUTCString() } });
  const minutesOff = () => Math.round((serverTime() - Date.now()) / 60_000);
  for (const [ms, minutes] of [
    [-15 * 60_000, -15],
    // Answers are late by seconds.
    [-15 * 60_000 - 9000, -15],
    [26 * 3_600_000, 26 * 60],
    [-9000, 0],
  ] as const) {
    await client(at(ms)).api('GET /algorithms/');
    expect(minutesOff()).toBe(minutes);
  }
});

test('a response with an error status throws its problem document', async () => {
  const problem = { type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found' };
  const { api } = client(answer(JSON.stringify(problem), { status: 404, type: 'application/problem+json' }));
  await expect(api('GET /algorithms/')).rejects.toMatchObject({ code: 'not_found', status: 404 });
});

test('an error response without a problem document gets a code', async () => {
  const { api } = client(answer('<h1>Bad gateway</h1>', { status: 502, type: 'text/html' }));
  await expect(api('GET /algorithms/')).rejects.toMatchObject({ code: 'server_error', status: 502 });
});

test('a request without a response throws the code `offline`', async () => {
  const api = createApiClient({ getToken: async () => null, fetch: () => Promise.reject(new TypeError('failed')) });
  await expect(api('GET /algorithms/')).rejects.toMatchObject({ code: 'offline', status: 0 });
  await expect(api('GET /algorithms/')).rejects.toBeInstanceOf(ApiError);
});

test.each([
  ['a page', answer('<!doctype html><title>Log in to this network</title>', { type: 'text/html; charset=utf-8' })],
  ['half of a document', answer('{"workers":[')],
])('%s in place of an answer is an error, not data', async (_, foreign) => {
  await expect(client(foreign).api('GET /algorithms/')).rejects.toMatchObject({ code: 'unexpected_answer' });
});

test('returns text for other content types, and the raw response for a png', async () => {
  await expect(client(answer('plain', { type: 'text/plain' })).api('GET /algorithms/')).resolves.toBe('plain');
  const png = answer('', { type: 'image/png' });
  await expect(client(png).api('GET /algorithms/')).resolves.toBe(png);
});

test('a call that books money has the same key when it is sent again before it was answered, a later one another; no other call has one', async () => {
  const keyOf = (call: unknown[]) => (call[1] as { headers: Record<string, string> }).headers['Idempotency-Key'];
  const send = jest.fn(async (_url: string | URL | Request, _init?: RequestInit) => answer('{"changed":1}'));
  const api = createApiClient({ getToken: async () => null, fetch: send as typeof fetch });
  const write = (id = 1) => api('PUT /payments/', { query: { id }, body: { status: 'queued', version: 1 } });
  // The connection is lost, then the second click; then a double click.
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(write()).rejects.toMatchObject({ code: 'offline' });
  await Promise.all([write(), write()]);
  await write();
  await write(2);
  await api('GET /algorithms/');
  const keys = send.mock.calls.map(keyOf);
  expect(keys[0]).toMatch(/^[\x21-\x7e]{8,128}$/);
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
  expect(new Set(keys.slice(2))).toHaveProperty('size', 4);
  expect(keys[5]).toBeUndefined();

  send.mockClear();
  const calls = Object.entries<{ summary: string }>(contract).filter(([call]) => !call.startsWith('GET '));
  for (const [call] of calls) await (api as (call: string, options: object) => Promise<unknown>)(call, {});
  const taking = calls.filter(([, { summary }]) => /accepts an Idempotency-Key/i.test(summary)).map(([call]) => call);
  expect(taking).toHaveLength(8);
  expect(calls.map(([call]) => call).filter((_, index) => keyOf(send.mock.calls[index]!))).toEqual(taking);
});

/** Texts in shared's own files, which every page can load wherever the error is met. */
const textsOf = (language: string): Record<string, string> =>
  Object.assign(
    {},
    ...[language, `errors.${language}`].map(
      (name) => JSON.parse(readFileSync(path.join(__dirname, `../../locales/${name}.json`), 'utf8')) as object,
    ),
  ) as Record<string, string>;
const english = textsOf('en');

test.each(LANGUAGES)('every code that the API answers with has a text of its own in %s', (language) => {
  const texts = textsOf(language);
  const lacks = (key: string) => !texts[key] || (language !== 'en' && texts[key] === english[key]);
  expect(ERROR_CODES.filter((code) => lacks(`ui.error.${code}`))).toEqual([]);
});

describe('early requests', () => {
  const answer = (body: string, ok = true): Response => ({ ok, text: async () => body }) as Response;
  const send = jest.fn<Promise<Response>, [string, RequestInit?]>();
  beforeEach(() => {
    globalThis.fetch = send as unknown as typeof fetch;
    send.mockReset().mockResolvedValue(answer('fetched'));
  });

  it('uses an early response once', async () => {
    globalThis.earlyRequests = { '/a': Promise.resolve(answer('early')) };
    expect(await (await earlyFetch('/a')).text()).toBe('early');
    expect(send).not.toHaveBeenCalled();
    expect(await (await earlyFetch('/a')).text()).toBe('fetched');
  });

  it.each([
    ['refused', () => Promise.resolve(answer('401', false))],
    ['failed', () => Promise.reject(new TypeError('network'))],
  ])('fetches again when the early response was %s', async (_, early) => {
    globalThis.earlyRequests = { '/a': early() };
    expect(await (await earlyFetch('/a')).text()).toBe('fetched');
  });

  it('does not use an early response for a write', async () => {
    globalThis.earlyRequests = { '/a': Promise.resolve(answer('early')) };
    await earlyFetch('/a', { method: 'POST' });
    expect(send).toHaveBeenCalledTimes(1);
  });
});
