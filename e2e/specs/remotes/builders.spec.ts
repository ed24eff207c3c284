/**
 * Remotes of other builders, with the configurations of docs/teams.md, in an open page of a pool. HEAVY=1: it installs
 * the packages from the registry.
 */
import { execFile } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { test } from '../../fixtures/own-pool';
import { team as joinTeam } from '../../fixtures/team';
import { expect, newUser, signUp } from '../../fixtures/test';

const ROOT = path.resolve(__dirname, '../../..');
const run = promisify(execFile);

const BUILDERS = {
  rspack: { packages: ['@rspack/core@2', '@rspack/cli@2'], command: ['rspack', 'build', '-c', 'rspack.config.cjs'] },
  vite: { packages: ['vite@8', '@module-federation/vite@1'], command: ['vite', 'build', '-c', 'vite.config.mjs'] },
};

/** The page's configurations, by the names of their files. */
async function configurations(): Promise<[file: string, code: string][]> {
  const page = await readFile(path.join(ROOT, 'docs/teams.md'), 'utf8');
  const blocks = [...page.matchAll(/^```js\n\/\/ (\S+)\n([^]*?)^```$/gm)];
  return blocks.map(([, file = '', code = '']) => [file, code]);
}

const PAGE = `
import { PageHeader } from '@pool/shared/ui/core';
import { lazy, Suspense, useState } from 'react';
import styles from './power.module.css';

const Rack = lazy(async () => ({ default: (await import('./rack')).Rack }));

export function PowerPage() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <PageHeader title="Power" />
      <p className={styles.first}>First</p>
      <button type="button" onClick={() => setOpen(true)}>Open</button>
      {open && <Suspense fallback={null}><Rack /></Suspense>}
    </>
  );
}
`;
const RACK = `
import styles from './rack.module.css';
export const Rack = () => <p className={styles.rack}>Rack</p>;
`;

const heavy = process.env.HEAVY === '1' ? test : test.skip;

heavy(
  'remotes that rspack and Vite have built are tried, served to some, then to all, and taken back in an open page',
  async ({ page, product, pool, watch }) => {
    // A version that is replaced in an open page.
    watch.expectErrors(/already registered/);
    const user = newUser('builders');
    const env = { POOL_URL: product.url, POOL_USER: user.userName, POOL_PASSWORD: user.password };
    const team = await joinTeam('referral', pool.remotes, { env });
    try {
      await rm(path.join(team.folder, 'node_modules'), { recursive: true });
      await rm(path.join(team.folder, 'package-lock.json'));
      await run(process.execPath, ['--import', 'tsx', 'scripts/packages.ts', team.folder], { cwd: ROOT });
      const archives = (await readdir(team.folder)).filter((name) => name.endsWith('.tgz'));
      const packages = [...archives, ...Object.values(BUILDERS).flatMap((each) => each.packages)];
      await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: team.folder });
      await team.command('new-remote', ['power']);
      const at = 'mfe-power/src/pages/power/';
      await writeFile(path.join(team.folder, at, 'power-page.tsx'), PAGE);
      await team.write(`${at}rack.tsx`, RACK);
      await team.write(`${at}power.module.css`, '.first { color: rgb(1, 2, 3); }');
      await team.write(`${at}rack.module.css`, '.rack { color: rgb(4, 5, 6); }');
      for (const [file, code] of await configurations()) await team.write(file, code);

      const publish = async (builder: keyof typeof BUILDERS, ...options: string[]) => {
        await run('npx', BUILDERS[builder].command, { cwd: team.folder });
        return team.command('remote', ['publish', 'power', '--dir', 'dist/power', ...options]);
      };
      await signUp(page, user, '/account/');
      const shows = async (first: string) => {
        await expect(page.getByText(first, { exact: true })).toHaveCSS('color', 'rgb(1, 2, 3)');
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await expect(page.getByText(first.replace('First', 'Rack'), { exact: true })).toHaveCSS(
          'color',
          'rgb(4, 5, 6)',
        );
      };
      for (const builder of Object.keys(BUILDERS) as (keyof typeof BUILDERS)[]) {
        await test.step(builder, async () => {
          await publish(builder);
          const back = [
            await team.edit(`${at}power-page.tsx`, 'First', `First of ${builder}`),
            await team.edit(`${at}rack.tsx`, '>Rack', `>Rack of ${builder}`),
          ];
          await publish(builder, '--canary', '50');
          for (const undo of back) await undo();
          expect(await team.command('remote', ['status', 'power'])).toContain('50 %');
          await team.command('remote', ['promote', 'power']);
          await expect(async () => {
            await page.goto('/power/');
            await expect(page.getByText(`First of ${builder}`, { exact: true })).toBeVisible({ timeout: 3000 });
          }).toPass();
          await shows(`First of ${builder}`);
          await team.command('remote', ['rollback', 'power', '--urgent']);
          await shows('First');
        });
      }
    } finally {
      await team.leave();
    }
  },
);
