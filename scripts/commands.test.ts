/**
 * Every command of ours in package.json says what it does, and refuses an argument that it does not know before it does
 * anything. One process loads them one after the other.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { readJson, ROOT } from './build/files';

const { scripts } = readJson<{ scripts: Record<string, string> }>(path.join(ROOT, 'package.json'));

type Said = { code: number; out: string; err: string };
const start = (file: string, args: readonly string[]): Promise<Said> =>
  new Promise((resolve) => {
    const env = { ...process.env, PATH: `${path.join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` };
    execFile(file, args, { cwd: ROOT, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

/** Jest, Playwright and oxfmt have command lines of their own. */
const own = Object.keys(scripts).filter((name) => !/ && (jest|playwright|oxfmt)/.test(scripts[name] ?? ''));
const WORDS = ['--help', '--frobnicate'] as const;

/** Prints what each program said to the word until it ended the process, which goes on. */
const ASK = `
import { pathToFileURL } from 'node:url';
const [word, ...files] = process.argv.slice(1);
const said = [];
const { exit } = process;
process.exit = (code) => {
  said.at(-1).code ??= Number(code ?? process.exitCode ?? 0);
  throw new Error('ended');
};
process.on('unhandledRejection', () => undefined);
const print = process.stdout.write.bind(process.stdout);
for (const [stream, to] of [['stdout', 'out'], ['stderr', 'err']])
  process[stream].write = (text) => {
    const last = said.at(-1);
    if (last.code === undefined) last[to] += text;
    return true;
  };
for (const file of files) {
  said.push({ out: '', err: '' });
  process.argv = [process.execPath, file, word];
  await import(pathToFileURL(file).href).catch(() => undefined);
}
print(JSON.stringify(said), () => exit(0));
`;

async function askAll(word: string): Promise<[string, Said][]> {
  const files = own.map((name) => path.join(ROOT, scripts[name]?.split(' ').at(-1) ?? ''));
  const args = ['--import', 'tsx', '--input-type=module', '--eval', ASK, '--', word, ...files];
  const { out, err } = await start(process.execPath, args);
  if (!out) throw new Error(err);
  const said = JSON.parse(out) as Said[];
  return own.map((name, n) => [`${name} ${word}`, said[n]!]);
}

let all = new Map<string, Said>();
beforeAll(async () => {
  all = new Map((await Promise.all(WORDS.map(askAll))).flat());
});

test.each(own)('%s', (name) => {
  const [help, unknown] = WORDS.map((word) => all.get(`${name} ${word}`));
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`npm run ${name}`), err: '' });
  expect(unknown).toMatchObject({ code: 1 });
  expect(`${unknown?.out}${unknown?.err}`).toMatch(/frobnicate/);
});

test('words that a command does not take are refused', async () => {
  for (const words of ['', 'a b']) {
    const { code, err } = await start('sh', ['-c', `exec ${scripts.backup} ${words}`]);
    expect([code, err]).toEqual([1, expect.stringContaining('npm run backup -- <file>')]);
  }
});
