import { viewUrls } from './page-view';

const viewCalls = ['/api/b?account={account}&from={day-29}&to={day-0}'];

beforeAll(() => jest.useFakeTimers({ now: Date.UTC(2026, 10, 25, 23, 59) }));
afterAll(() => jest.useRealTimers());

test.each([
  ['', ['/api/b?account=anna&from=2026-10-27&to=2026-11-25']],
  ['?account=b%20c', ['/api/b?account=b%20c&from=2026-10-27&to=2026-11-25']],
  ['?timeframe=w1&tab=payouts', []],
])('calls of a view with the query "%s"', (search, urls) => {
  expect(viewUrls({ viewCalls }, search, { account: 'anna' })).toEqual(urls);
});
