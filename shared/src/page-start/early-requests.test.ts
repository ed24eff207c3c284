import { earlyFetch } from './early-requests';

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
