/** Days on which the clock changes, in a zone that does: a process of its own, because Node reads TZ at its start. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const SCALE = path.join(__dirname, 'scale.ts');
const TIME = path.join(__dirname, '../format/time.ts');

const inBerlin = (code: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      env: { ...process.env, TZ: 'Europe/Berlin' },
      encoding: 'utf8',
    }),
  );

test.each([
  ['25 hours', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
  ['23 hours', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
])('a day of %s: its ticks are round on the clock, each once, in order', (_hours, from, to) => {
  const ticks = inBerlin(`
    const { timeTicks } = (await import(${JSON.stringify(SCALE)}));
    const { formatClock } = (await import(${JSON.stringify(TIME)}));
    const { at } = timeTicks(Date.parse('${from}') / 1000, Date.parse('${to}') / 1000, 'local', 7.5);
    console.log(JSON.stringify(at.map((t) => [t, formatClock('en', 'local', t)])));
  `) as [number, string][];
  expect(ticks.map(([, clock]) => clock)).toEqual(['00:00', '04:00', '08:00', '12:00', '16:00', '20:00', '00:00']);
  ticks.slice(1).forEach(([at], i) => expect(at).toBeGreaterThan(ticks[i]![0]));
});

test('the same clock time before and after the change has another offset', () => {
  const names = inBerlin(`
    const { zoneName, formatMoment } = (await import(${JSON.stringify(TIME)}));
    const times = ['2026-10-25T00:30Z', '2026-10-25T01:30Z'];
    console.log(JSON.stringify(times.map((at) => formatMoment('en', 'local', at))));
  `);
  expect(names).toEqual(['25 Oct 2026, 02:30 UTC+02:00', '25 Oct 2026, 02:30 UTC+01:00']);
});
