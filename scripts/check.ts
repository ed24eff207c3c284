/** Checks one unit, steps in parallel; the output of what fails is printed completely. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS, FORMAT, ROOT } from './build/files';
import { REMOTES, SHELL_UNITS, unitsNamed } from './build/names';
import { runCommand } from './command-line.mjs';

const FOLDERS = [
  ...['shared', 'shell'].filter((name) => existsSync(path.join(ROOT, name))),
  ...REMOTES.map((name) => `mfe-${name}`),
];
/** Units to build for the budgets that a folder's code counts towards; shared counts towards everybody's. */
const BUILT: Record<string, string[]> = { shared: [], shell: [...SHELL_UNITS, 'mfe-dashboard'] };

const bin = (name: string) => path.join('node_modules/.bin', name);
const script = (name: string, ...args: string[]) => {
  return [process.execPath, '--import', 'tsx', path.join(COMMANDS, `${name}.ts`), ...args];
};

type Step = { name: string; /** Run one after the other, until one fails. */ commands: string[][] };

function stepsOf(folder: string): Step[] {
  const units = BUILT[folder] ?? [folder];
  // A change of shared is checked in all that use it.
  const linted = folder === 'shared' ? '.' : folder;
  return [
    { name: 'types and lint', commands: [[bin('oxlint'), '--config', 'oxlint.config.mjs', linted]] },
    { name: 'format', commands: [[bin('oxfmt'), ...FORMAT, '--check', folder]] },
    { name: 'tests', commands: [[bin('jest'), '--selectProjects', 'unit', '--silent', `${folder}/src/`]] },
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

void runCommand(
  { name: 'check', takes: '<unit>', what: `Checks all of one unit: ${FOLDERS.join(', ')}.` },
  async ({ positionals }) => {
    const [folder = ''] = unitsNamed(positionals, FOLDERS);
    const passed = await Promise.all(stepsOf(folder).map(passes));
    if (passed.includes(false)) process.exitCode = 1;
  },
);
