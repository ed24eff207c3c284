import { prefetchUrls, withDays } from './prefetch-calls';

const CALLS = ['/api/a?account={account}&t={timeframe=d1}', '/api/b?from={day-29}&to={day-0}'];
const DEFAULTS = { account: 'anna' };

beforeAll(() => jest.useFakeTimers({ now: Date.UTC(2026, 10, 25, 23, 59) }));
afterAll(() => jest.useRealTimers());

test.each([
  ['', ['/api/a?account=anna&t=d1', '/api/b?from=2026-10-27&to=2026-11-25']],
  ['?account=b%20c', ['/api/a?account=b%20c&t=d1', '/api/b?from=2026-10-27&to=2026-11-25']],
  ['?timeframe=w1&tab=payouts', ['/api/a?account=anna&t=w1']],
])('calls of a page with the query "%s"', (search, urls) => {
  expect(prefetchUrls(withDays(CALLS, search), search, DEFAULTS)).toEqual(urls);
  expect(prefetchUrls(CALLS, search, DEFAULTS)).toEqual(urls.slice(0, 1));
});
