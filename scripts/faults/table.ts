/** The table of faults in docs/monitoring.md. */

/** `name`, what happens, alarm, measured, tests. */
const ROW = /^\| `([\w-]+)` +\|[^|]+\|([^|]+)\|[^|]*\|([^|]+)\|$/gm;
const TEST = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g;
const MEASURED = /[^|]*(?=\|[^|]*\|$)/;

export type Fault = {
  row: string;
  name: string;
  /** Empty: nobody need be woken, for `reason`. */
  alarm: string;
  reason: string;
  tests: { file: string; title: string }[];
};

/** Rows with tests: other tables of the page have five columns too. */
export const faultsIn = (text: string): Fault[] =>
  [...text.matchAll(ROW)].flatMap(([row, name = '', woken = '', tested = '']) => {
    const tests = [...tested.matchAll(TEST)].map(([, file = '', title = '']) => ({ file, title }));
    if (tests.length === 0) return [];
    const cell = woken.trim();
    const isAlarm = /^\w*$/.test(cell);
    return {
      row,
      name,
      alarm: isAlarm ? cell : '',
      reason: isAlarm ? '' : cell,
      tests,
    };
  });

/** The text with what was measured of a fault. */
export function withMeasured(text: string, name: string, cell: string): string {
  const row = faultsIn(text).find((fault) => fault.name === name)?.row ?? '';
  return text.replace(row, () => row.replace(MEASURED, ` ${cell} `));
}
