/** Runs docs/teams.md as it is written. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { team, type Team } from '../e2e/fixtures/team';
import { readHistory, readPointer } from '../api/src/remotes/pointers';
import { checkRelease } from '../api/src/remotes/release';
import { ROOT } from './build/files';

const folder = mkdtempSync(path.join(tmpdir(), 'pool-teams-'));
const remotes = path.join(folder, 'remotes');
const keyFile = path.join(folder, 'key.pem');
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
let checkout: Team;

beforeAll(async () => {
  writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  checkout = await team('referral', remotes, { env: { REMOTE_SIGNING_KEY: keyFile } });
});
afterAll(async () => {
  await checkout.leave();
  rmSync(folder, { recursive: true });
});

/** Commands in the page's blocks of code: `npm run <name> -- <words>`. */
function commands(): { name: string; words: string[] }[] {
  const page = readFileSync(path.join(ROOT, 'docs/teams.md'), 'utf8');
  const blocks = [...page.matchAll(/^```\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.trim().split('\n')).filter((line) => !line.startsWith('export '));
  return lines.map((line) => {
    const [, name = '', words = ''] = /^npm run (\S+) -- (.+)$/.exec(line) ?? [];
    return {
      name: name.replace(':', '-'),
      words: [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    };
  });
}

test('a team’s day, from an empty folder to a rollback', async () => {
  const said: string[] = [];
  let builds = 0;
  for (const { name, words } of commands()) {
    // What the page calls an edit.
    if (name === 'build' && (builds += 1) > 1)
      await checkout.edit('mfe-power/src/app.ts', 'import', 'console.info(2);\nimport');
    said.push(await checkout.command(name, words));
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
  await checkRelease(path.join(home, first), about, new Map([['power', [publicKey]]]));
  expect(said.join('')).toContain(`${first} for everybody`);
  expect(said.join('')).toContain('nothing to remove');
}, 240_000);
