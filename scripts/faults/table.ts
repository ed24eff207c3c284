/** The table of faults in docs/operations.md. */

/** `name`, what happens, alarm, measured, tests. */
const ROW = /^\| `([\w-]+)` +\|[^|]+\| *(\w*) *\|[^|]*\|([^|]+)\|$/gm;
const TEST = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g;

export type Fault = { row: string; name: string; alarm: string; tests: { file: string; title: string }[] };

export const faultsIn = (text: string): Fault[] =>
  [...text.matchAll(ROW)].map(([row, name = '', alarm = '', tests = '']) => ({
    row,
    name,
    alarm,
    tests: [...tests.matchAll(TEST)].map(([, file = '', title = '']) => ({ file, title })),
  }));
