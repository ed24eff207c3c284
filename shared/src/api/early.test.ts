import { earlyFetch } from './early';

const answer = (body: string, ok = true): Response => ({ ok, text: async () => body }) as Response;
const send = jest.fn<Promise<Response>, [string, RequestInit?]>();
beforeEach(() => {
  globalThis.fetch = send as unknown as typeof fetch;
  send.mockReset().mockResolvedValue(answer('asked now'));
});

it('takes an answer that is under way, once', async () => {
  globalThis.poolEarly = { '/a': Promise.resolve(answer('early')) };
  expect(await (await earlyFetch('/a')).text()).toBe('early');
  expect(send).not.toHaveBeenCalled();
  expect(await (await earlyFetch('/a')).text()).toBe('asked now');
});

it.each([
  ['refused', () => Promise.resolve(answer('401', false))],
  ['failed', () => Promise.reject(new TypeError('network'))],
])('asks again when the early one was %s', async (_, early) => {
  globalThis.poolEarly = { '/a': early() };
  expect(await (await earlyFetch('/a')).text()).toBe('asked now');
});

it('never answers a write with an early answer', async () => {
  globalThis.poolEarly = { '/a': Promise.resolve(answer('early')) };
  await earlyFetch('/a', { method: 'POST' });
  expect(send).toHaveBeenCalledTimes(1);
});
