import { setImmediate as turnOver } from 'node:timers/promises';
import { LateRefusals, REFUSED_AFTER_MS, REFUSED_WAITING } from './late-refusals';

it('a page too many is answered half a second later; when a thousand wait, at once', async () => {
  const sleeping: (() => void)[] = [];
  const slept: number[] = [];
  const late = new LateRefusals((ms) => {
    slept.push(ms);
    return new Promise<void>((resolve) => sleeping.push(resolve));
  });
  let answered = 0;
  const refuse = (): Promise<number> => late.wait().then(() => (answered += 1));
  for (let page = 0; page < REFUSED_WAITING; page += 1) void refuse();
  await turnOver();
  expect(answered).toBe(0);
  expect(new Set(slept)).toEqual(new Set([REFUSED_AFTER_MS]));
  await refuse();
  expect(answered).toBe(1);
  for (const wake of sleeping.splice(0)) wake();
  await turnOver();
  expect(answered).toBe(REFUSED_WAITING + 1);
  void refuse();
  await turnOver();
  expect([answered, sleeping.length]).toEqual([REFUSED_WAITING + 1, 1]);
});
