/**
 * Every command of ours in package.json says what it does, and refuses an argument that it does not know before it does
 * anything.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { readJson, ROOT } from './build/files';

const { scripts } = readJson<{ scripts: Record<string, string> }>(path.join(ROOT, 'package.json'));

type Said = { code: number; out: string; err: string };
/** As npm runs it. */
const run = (name: string, words: string): Promise<Said> =>
  new Promise((resolve) => {
    const env = { ...process.env, PATH: `${path.join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` };
    execFile('sh', ['-c', `exec ${scripts[name]} ${words}`], { cwd: ROOT, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

/** Jest and Playwright have command lines of their own. */
const own = Object.keys(scripts).filter((name) => !/^(jest|playwright) /.test(scripts[name] ?? ''));

test.each(own)('%s', async (name) => {
  const [help, unknown] = await Promise.all([run(name, '--help'), run(name, '--frobnicate')]);
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`npm run ${name}`), err: '' });
  expect(unknown.code).toBe(1);
  expect(unknown.out + unknown.err).toMatch(/frobnicate/);
});

test('words that a command does not take are refused', async () => {
  for (const words of ['', 'a b']) {
    const { code, err } = await run('backup', words);
    expect([code, err]).toEqual([1, expect.stringContaining('npm run backup -- <file>')]);
  }
});
