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
