import { TtlCache } from './ttl-cache';

afterEach(() => jest.restoreAllMocks());

it('concurrent calls share one read; a failure is not cached', async () => {
  const cache = new TtlCache<number>(60_000);
  let reads = 0;
  const read = async (): Promise<number> => {
    reads += 1;
    if (reads === 1) throw new Error('failed');
    return reads;
  };
  await expect(cache.get('a', read)).rejects.toThrow('failed');
  expect(await Promise.all([cache.get('a', read), cache.get('a', read)])).toEqual([2, 2]);
  cache.clear();
  expect(await cache.get('a', read)).toBe(3);
});

it('a value expires by elapsed time, not by the clock', async () => {
  let passed = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => passed);
  const cache = new TtlCache<number>(100);
  let next = 0;
  const read = async (): Promise<number> => (next += 1);
  expect(await cache.get('a', read)).toBe(1);
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 86_400_000);
  expect(await cache.get('a', read)).toBe(1);
  jest.spyOn(Date, 'now').mockImplementation(() => real() - 86_400_000);
  passed += 101;
  expect(await cache.get('a', read)).toBe(2);
});
