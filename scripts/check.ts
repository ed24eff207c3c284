/**
 * `npm run check -- workers`: everything about one unit, in parallel: types, lint, tests, texts, build and size. The
 * output of what fails is printed completely. `npm test` is what a change must finally pass.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { runCommand } from './build/command';
import { ROOT } from './build/files';
import { REMOTES, unitsNamed } from './build/names';

const FOLDERS = ['shared', 'shell', ...REMOTES.map((name) => `mfe-${name}`)];
/** Units to build for the budgets that a folder's code counts towards; shared counts towards everybody's. */
const BUILT: Record<string, string[]> = { shared: [], shell: ['shell', 'landing', 'mfe-dashboard'] };

const bin = (name: string) => path.join('node_modules/.bin', name);
const script = (name: string, ...args: string[]) => [
  process.execPath,
  '--import',
  'tsx',
  `scripts/${name}.ts`,
  ...args,
];

type Step = { name: string; /** Run one after the other, until one fails. */ commands: string[][] };

function stepsOf(folder: string): Step[] {
  const units = BUILT[folder] ?? [folder];
  return [
    { name: 'types and lint', commands: [script('types-and-lint', folder)] },
    { name: 'format', commands: [[bin('prettier'), '--check', '--log-level', 'warn', folder]] },
    { name: 'tests', commands: [[bin('jest'), `${folder}/src/`, '--selectProjects', 'unit', '--silent']] },
    { name: 'texts', commands: [script('i18n-check', folder)] },
    ...(units.length > 0 ? [{ name: 'size', commands: [script('build', ...units), script('size', folder)] }] : []),
  ];
}

const run = ([command = '', ...args]: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, said }));
  });

async function passes({ name, commands }: Step): Promise<boolean> {
  const start = Date.now();
  for (const command of commands) {
    const { code, said } = await run(command);
    if (code === 0) continue;
    console.log(`${said.trimEnd()}\nFAIL ${name}`);
    return false;
  }
  console.log(`ok   ${name} · ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return true;
}

runCommand(async () => {
  const words = process.argv.slice(2);
  if (words.length !== 1) throw new Error(`usage: npm run check -- <unit>, one of: ${FOLDERS.join(', ')}`);
  const [folder = ''] = unitsNamed(words, FOLDERS);
  const passed = await Promise.all(stepsOf(folder).map(passes));
  if (passed.includes(false)) process.exitCode = 1;
});
