import { followTrace, traceClicks, withTrace } from './traces';

const traceOf = (): string | undefined =>
  (withTrace({ headers: { accept: 'x' } }).headers as Record<string, string>).traceparent;

test('calls have the trace of the click or event before them, for three seconds', () => {
  jest.useFakeTimers();
  const end = traceClicks();
  expect(traceOf()).toBeUndefined();
  document.body.click();
  const first = traceOf();
  expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(withTrace({ headers: { accept: 'x' } }).headers).toMatchObject({ accept: 'x' });
  document.body.click();
  expect(traceOf()).not.toBe(first);
  followTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
  expect(traceOf()).toContain('4bf92f');
  jest.advanceTimersByTime(3001);
  expect(traceOf()).toBeUndefined();
  end();
  document.body.click();
  expect(traceOf()).toBeUndefined();
});
