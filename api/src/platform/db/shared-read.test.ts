import { sharedRead } from './shared-read';

/** Reads that end when they are told to. */
function reads() {
  const begun: { end(value: string): void; fail(error: Error): void }[] = [];
  const read = (): Promise<string> =>
    new Promise((end, fail) => {
      begun.push({ end, fail });
    });
  return { begun, read };
}
const settled = () => new Promise(setImmediate);

test('who asks during a read gets the next one, shared by all who wait', async () => {
  const { begun, read } = reads();
  const owner = {};
  const first = sharedRead(owner, 'a', read);
  const second = sharedRead(owner, 'a', read);
  const third = sharedRead(owner, 'a', read);
  expect(begun).toHaveLength(1);
  begun[0]!.end('before');
  expect(await first).toBe('before');
  await settled();
  expect(begun).toHaveLength(2);
  // The second read runs: a fourth caller gets the one after it.
  const fourth = sharedRead(owner, 'a', read);
  begun[1]!.end('after');
  expect(await Promise.all([second, third])).toEqual(['after', 'after']);
  await settled();
  expect(begun).toHaveLength(3);
  begun[2]!.end('last');
  expect(await fourth).toBe('last');
  await settled();
  void sharedRead(owner, 'a', read);
  expect(begun).toHaveLength(4);
});

test('a failure is told to its own callers only', async () => {
  const { begun, read } = reads();
  const owner = {};
  const first = sharedRead(owner, 'a', read);
  const second = sharedRead(owner, 'a', read);
  begun[0]!.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await settled();
  begun[1]!.end('back');
  expect(await second).toBe('back');
});
