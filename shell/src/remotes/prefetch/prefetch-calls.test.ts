import { earlyFetch } from '@pool/shared';
import { sendPrefetchCalls } from './prefetch-calls';

const remote = {
  basePath: '/workers' as const,
  prefetchCalls: ['/api/liveWorkers/?userName={account}&span={span=d1}&algorithm={algorithm}'],
};
const defaults = { account: 'owner', algorithm: 'SCRYPT' };
const send = (path: string) =>
  sendPrefetchCalls(remote, new URL(path, 'http://pool'), defaults, () => Promise.resolve('token'));
const OWN = '/api/liveWorkers/?userName=owner&span=d1&algorithm=SCRYPT';

const requested: [string, unknown][] = [];
beforeEach(() => {
  jest.useFakeTimers();
  requested.length = 0;
  globalThis.earlyRequests = undefined;
  globalThis.fetch = (url, init) => {
    requested.push([String(url), (init as { headers: Record<string, string> }).headers.authorization]);
    return Promise.resolve({ ok: true, url } as Response);
  };
});
afterEach(() => jest.useRealTimers());

it('are sent before the page asks, which uses the answers once', async () => {
  await send('/workers/');
  expect(requested).toEqual([[OWN, 'Bearer token']]);
  await earlyFetch(OWN, { headers: {} });
  expect(requested).toHaveLength(1);
  await earlyFetch(OWN, { headers: {} });
  expect(requested).toHaveLength(2);
});

it('are for what the link says, and only of the first page', async () => {
  await send('/workers?account=barn&algorithm=SHA256_ASICBOOST&span=d7');
  expect(requested[0]?.[0]).toBe('/api/liveWorkers/?userName=barn&span=d7&algorithm=SHA256_ASICBOOST');
  await send('/workers/pools');
  expect(requested).toHaveLength(1);
});

it('are not used by a page that comes much later', async () => {
  await send('/workers/');
  jest.advanceTimersByTime(10_000);
  await earlyFetch(OWN, { headers: {} });
  expect(requested).toHaveLength(2);
});
