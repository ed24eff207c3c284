import { whenQuiet } from './when-quiet';

test('what can wait is not fetched before the page itself, however slow the line is', () => {
  jest.useFakeTimers();
  const bar = document.body.appendChild(document.createElement('div'));
  bar.dataset.progress = '';
  const later = jest.fn();
  whenQuiet(later);
  jest.advanceTimersByTime(60_000);
  expect(later).not.toHaveBeenCalled();
  bar.remove();
  jest.advanceTimersByTime(20_000);
  expect(later).toHaveBeenCalledTimes(1);
  whenQuiet(later)();
  jest.advanceTimersByTime(20_000);
  expect(later).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});
