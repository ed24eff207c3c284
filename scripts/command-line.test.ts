import { spawnSync } from 'node:child_process';

/** What `npm run backup` with these words says and ends with. */
function run(...words: string[]): [number | null, string] {
  const code = `
    import { readArguments } from './scripts/command-line.mjs';
    const options = { quiet: { type: 'boolean', what: 'says nothing' } };
    const read = readArguments({ name: 'backup', what: 'Makes a backup.', takes: '<file>', options });
    console.log(JSON.stringify(read));`;
  const args = ['--input-type=module', '--eval', code, '--', ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return [status, stdout + stderr];
}

test.each([
  [['a.tar', '--quiet'], 0, /^\{"values":\{"quiet":true\},"positionals":\["a.tar"\]\}/],
  [['--help'], 0, /^npm run backup -- <file> \[options\]\nMakes a backup\./],
  [[], 1, /^missing <file>\nnpm run backup/],
  [['a', 'b'], 1, /^unexpected argument 'b'\n/],
  [['a', '--frobnicate'], 1, /^Unknown option '--frobnicate'/],
])('a command with %j ends with %d', (words, code, text) => {
  expect(run(...words)).toEqual([code, expect.stringMatching(text)]);
});
