/** `npm run new:remote -- map`: makes a remote with a page, a test, texts and a permission, which works as it is. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONTRACT } from '../shared/src/contract';
import { LANGUAGES, type Language } from '../shared/src/i18n/languages';
import { faultsOf, remoteSource } from '../shared/src/contract/remote-schema';
import { FORMAT, ROOT, writeFileWhole } from './build/files';
import { runCommand } from './command-line.mjs';

const NOTHING_YET: Record<Language, string> = {
  en: 'Nothing here yet',
  ru: 'Здесь пока ничего нет',
  fr: 'Rien ici pour l’instant',
  ar: 'لا شيء هنا بعد',
};

const json = (value: unknown): string => JSON.stringify(value);
/** Order of a link after the pool's own. */
const AFTER_OTHERS = 100;

function filesOf(name: string): Record<string, string> {
  const words = name.split('-').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  const [pascal, title] = [words.join(''), words.join(' ')];
  const subject = `${name}.page`;
  const page = `src/pages/${name}/${name}-page`;
  return {
    'package.json': json({
      name: `@pool/mfe-${name}`,
      version: '1.0.0',
      private: true,
      type: 'module',
      dependencies: { '@pool/shared': '*', react: '*' },
    }),
    'remote.json': json({
      name,
      contract: CONTRACT,
      basePath: `/${name}`,
      // The remote is for every user, in their own pages, until its team says otherwise.
      subjects: {
        [subject]: { read: { action: 'read', subject: 'account' }, manage: { action: 'manage', subject: 'account' } },
      },
      requires: { action: 'read', subject },
      nav: [{ path: `/${name}/`, label: `${name}.nav`, icon: 'dashboard', order: AFTER_OTHERS }],
    }),
    'src/app.ts': `
      import { CONTRACT } from '@pool/shared/contract';
      import { defineRemote } from '@pool/shared/remote';
      import { ${pascal}Routes } from './routes';

      export const contract = CONTRACT;
      export const { bootstrap, mount, update, unmount } = defineRemote(${pascal}Routes);`,
    'src/routes.tsx': `
      import { Route, Routes } from '@pool/shared/router';
      import { Denied } from '@pool/shared/ui/core';
      import { ${pascal}Page } from './pages/${name}/${name}-page';

      export function ${pascal}Routes() {
        return (
          <Routes>
            <Route index element={<${pascal}Page />} />
            <Route path="*" element={<Denied />} />
          </Routes>
        );
      }`,
    [`${page}.tsx`]: `
      import { useTranslation } from '@pool/shared/i18n';
      import { Empty, PageHeader } from '@pool/shared/ui/core';

      export function ${pascal}Page() {
        const { t } = useTranslation();
        return (
          <>
            <PageHeader title={t('${name}.title')} />
            <Empty title={t('${name}.empty')} />
          </>
        );
      }`,
    [`${page}.test.tsx`]: `
      import { renderPage } from '@pool/shared/testing';
      import { screen } from '@testing-library/react';
      import { ${pascal}Page } from './${name}-page';

      test('says what it is, and that there is nothing yet', async () => {
        await renderPage(<${pascal}Page />, { path: '/${name}/' });
        expect(await screen.findByRole('heading', { level: 1, name: '${title}' })).toBeVisible();
        expect(screen.getByText('${NOTHING_YET.en}')).toBeVisible();
      });`,
    ...Object.fromEntries(
      LANGUAGES.map((language) => [
        `locales/${language}.json`,
        json({
          [subject]: title,
          [`${name}.nav`]: title,
          [`${name}.title`]: title,
          [`${name}.empty`]: NOTHING_YET[language],
        }),
      ]),
    ),
  };
}

function main(name: string): void {
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name))
    throw new Error(`a remote cannot be called '${name}': small letters, digits and dashes`);
  const folder = `mfe-${name}`;
  if (existsSync(path.join(ROOT, folder))) throw new Error(`${folder} is there already`);
  const files = filesOf(name);
  const { error } = remoteSource(name).safeParse(JSON.parse(files['remote.json'] ?? ''));
  if (error) throw new Error(`a remote cannot be called '${name}': ${faultsOf(error).join('; ')}`);
  for (const [file, content] of Object.entries(files)) writeFileWhole(path.join(ROOT, folder, file), content);
  execFileSync(path.join(ROOT, 'node_modules/.bin/oxfmt'), [...FORMAT, folder], { cwd: ROOT });
  // An installation from the lock file has to know every folder.
  if (existsSync(path.join(ROOT, 'package-lock.json')))
    execFileSync('npm', ['install', '--package-lock-only', '--offline', '--silent'], { cwd: ROOT });
  const dev = existsSync(path.join(ROOT, 'shell')) ? 'npm run dev' : `npm run dev -- ${name} --against <a pool>`;
  console.log(`${folder} is there. ${dev} serves it; npm run check -- ${name} checks it.`);
}

void runCommand(
  {
    name: 'new:remote',
    takes: '<name>',
    what: 'Makes the folder of a new remote, with a page, its test, texts and a permission.',
  },
  ({ positionals: [name = ''] }) => main(name),
);
