import { Remembered } from './remembered';

afterEach(() => jest.restoreAllMocks());

it('concurrent calls share one read; a failure is not cached', async () => {
  const remembered = new Remembered<number>(60_000);
  let reads = 0;
  const read = async (): Promise<number> => {
    reads += 1;
    if (reads === 1) throw new Error('failed');
    return reads;
  };
  await expect(remembered.get('a', read)).rejects.toThrow('failed');
  expect(await Promise.all([remembered.get('a', read), remembered.get('a', read)])).toEqual([2, 2]);
  remembered.clear();
  expect(await remembered.get('a', read)).toBe(3);
});

it('a value expires by elapsed time, not by the clock', async () => {
  let passed = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => passed);
  const remembered = new Remembered<number>(100);
  let next = 0;
  const read = async (): Promise<number> => (next += 1);
  expect(await remembered.get('a', read)).toBe(1);
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 86_400_000);
  expect(await remembered.get('a', read)).toBe(1);
  jest.spyOn(Date, 'now').mockImplementation(() => real() - 86_400_000);
  passed += 101;
  expect(await remembered.get('a', read)).toBe(2);
});

it('drops the least recently used value over the limit', async () => {
  const remembered = new Remembered<string>(60_000, 2);
  const read = (answer: string) => async () => answer;
  await remembered.get('a', read('a1'));
  await remembered.get('b', read('b1'));
  await remembered.get('a', read('a2'));
  await remembered.get('c', read('c1'));
  expect(await remembered.get('a', read('a3'))).toBe('a1');
  expect(await remembered.get('b', read('b2'))).toBe('b2');
});
