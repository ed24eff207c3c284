/**
 * Runs docs/teams.md as it is written, with nothing of this tree but the packages, as `npm pack` makes them. Only with
 * HEAVY=1, as it takes a minute: `e2e/specs/remotes/deploy.spec.ts` builds and deploys with the packages each time.
 */
import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { team, type Team } from '../e2e/fixtures/team';
import { readHistory, readPointer } from '../api/src/remotes/pointers';
import { checkRelease } from '../api/src/remotes/release';
import { ROOT } from './build/files';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'pool-teams-'));
const remotes = path.join(folder, 'remotes');
const keyFile = path.join(folder, 'key.pem');
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
let checkout: Team;

beforeAll(async () => {
  writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  // The pool's shell, beside the folder of its remotes.
  mkdirSync(path.join(folder, 'shell'));
  cpSync(path.join(ROOT, 'shared/surface.txt'), path.join(folder, 'shell/surface.txt'));
  checkout = await team('referral', remotes);
  await run(process.execPath, ['--import', 'tsx', 'scripts/packages.ts', folder], { cwd: ROOT });
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  for (const name of ['node_modules', 'package-lock.json'])
    rmSync(path.join(checkout.folder, name), { recursive: true });
  const files = archives.map((name) => path.join(folder, name));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files], { cwd: checkout.folder });
}, 480_000);
afterAll(async () => {
  await checkout.leave();
  rmSync(folder, { recursive: true });
});

/** Commands of the page, each on a line of its own: `npm run <name> -- <words>`. */
function commands(): { name: string; words: string[] }[] {
  const page = readFileSync(path.join(ROOT, 'docs/teams.md'), 'utf8');
  const lines = page.split('\n').filter((line) => line.startsWith('npm run '));
  return lines.map((line) => {
    const [, name = '', words = ''] = /^npm run (\S+) -- (.+)$/.exec(line) ?? [];
    return {
      name: name.replace(':', '-'),
      words: [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    };
  });
}

/** `pool <command> …` in the repository. */
const pool = async (...words: string[]): Promise<string> => {
  const env = { ...process.env, REMOTES_DIR: remotes, REMOTE_SIGNING_KEY: keyFile };
  return (await run('node_modules/@pool/build/pool.mjs', words, { cwd: checkout.folder, env })).stdout;
};

const heavy = process.env.HEAVY ? test : test.skip;

heavy(
  'a team’s day, from an empty folder to a rollback',
  async () => {
    const alone = await pool('dev', 'referral').catch((error: { stderr: string }) => error.stderr);
    expect(alone).toContain('there is no shell here: --against');
    const said: string[] = [];
    let builds = 0;
    for (const { name, words } of commands()) {
      if (name === 'check') {
        const back = await checkout.edit('mfe-power/src/app.ts', 'CONTRACT;', 'CONTRACT;\nwindow.name = missing;');
        const checked = await pool(name, ...words).catch((error: { stdout: string }) => error.stdout);
        expect(checked).toMatch(/The page belongs to all remotes[^]*TS2304[^]*Found 0 warnings and 2 errors/);
        const results = [...checked.matchAll(/^(ok|FAIL) +([a-z ]+\w)/gm)].map(([, how, what]) => `${how} ${what}`);
        expect(results.sort()).toEqual(['FAIL types and lint', 'ok format', 'ok size', 'ok tests', 'ok texts']);
        await back();
        continue;
      }
      // What the page calls an edit.
      if (name === 'build' && (builds += 1) > 1)
        await checkout.edit('mfe-power/src/app.ts', 'import', 'console.info(2);\nimport');
      said.push(await pool(name, ...words));
    }
    const home = path.join(remotes, 'power');
    const moves = await readHistory(home);
    expect(moves.map(({ what, why }) => [what, why])).toEqual([
      ['publish', 'first version'],
      ['canary', 'two columns'],
      ['promote', undefined],
      ['rollback', 'totals were wrong'],
    ]);
    const [first, second] = [moves[0]!.to.version, moves[2]!.to.version];
    expect(first).not.toBe(second);
    expect(moves[1]?.to).toEqual({ version: first, canary: { version: second, percent: 10, auto: 60 } });
    expect(await readPointer(home)).toEqual({ version: first, withdrawn: [second] });
    const about = { name: 'power', version: first };
    await checkRelease((file) => readFile(path.join(home, first, file)), about, new Map([['power', [publicKey]]]));
    expect(said.join('')).toContain(`${first} for everybody`);
    expect(said.join('')).toContain('nothing to remove');
  },
  480_000,
);
