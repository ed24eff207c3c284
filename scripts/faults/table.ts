/** The table of faults in docs/operations.md. */

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

export const faultsIn = (text: string): Fault[] =>
  [...text.matchAll(ROW)].map(([row, name = '', woken = '', tests = '']) => {
    const cell = woken.trim();
    const isAlarm = /^\w*$/.test(cell);
    return {
      row,
      name,
      alarm: isAlarm ? cell : '',
      reason: isAlarm ? '' : cell,
      tests: [...tests.matchAll(TEST)].map(([, file = '', title = '']) => ({ file, title })),
    };
  });

/** The text with what was measured of a fault. */
export const withMeasured = (text: string, name: string, cell: string): string =>
  faultsIn(text).reduce(
    (page, fault) =>
      fault.name === name ? page.replace(fault.row, () => fault.row.replace(MEASURED, ` ${cell} `)) : page,
    text,
  );
