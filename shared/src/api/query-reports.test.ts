import { notifyManager } from '@tanstack/react-query';
import '../react/query';

test('what queries report within one task is reported in one task', async () => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const reported: string[] = [];
  // `useQuery` is told so.
  const report = notifyManager.batchCalls((of: string) => reported.push(of));
  for (const key of ['a', 'b', 'c']) report(key);
  expect(timers).toHaveBeenCalledTimes(1);
  expect(reported).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(reported).toEqual(['a', 'b', 'c']);
  timers.mockRestore();
});
