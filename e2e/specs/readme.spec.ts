/** Follows README as it is written: a page in five steps, and a remote of its own by one command. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LANGUAGES } from '../../shared/src/i18n/languages';
import { openWith, test } from '../fixtures/own-pool';
import { team as joinTeam } from '../fixtures/team';
import { expect, newUser } from '../fixtures/test';

/** The code spans of each of the five steps. */
async function readSteps(): Promise<string[][]> {
  const readme = await readFile(path.resolve(__dirname, '../../README.md'), 'utf8');
  const [, section = ''] = readme.split('## Add a page in five steps');
  const steps = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d\. ((?:.|\n {3})*)/gm)];
  return steps.map(([, step = '']) => [...step.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

const PAGE = `
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { PageHeader } from '@pool/shared/ui/core';

export function MapPage() {
  const { t } = useTranslation();
  const { session } = useServices();
  return (
    <>
      <PageHeader title={t('workers.map.title')} />
      <p>{session.account}</p>
    </>
  );
}
`;

test('a page added in README’s five steps, and a remote the generator made, are built, published and opened', async ({
  page,
  pool,
}) => {
  const steps = await readSteps();
  expect(steps).toHaveLength(5);
  const isSource = (word: string) => /^mfe-[\w/-]+\.tsx$/.test(word);
  const nav = steps[0]?.find((word) => word.startsWith('{')) ?? '';
  const pageFile = steps[1]?.find(isSource) ?? '';
  const routesFile = steps[2]?.find(isSource) ?? '';
  const [localesFolder = ''] = steps[4]?.find((word) => word.includes('/locales/'))?.split('{') ?? [];
  const { path: address, label } = JSON.parse(nav) as { path: string; label: string };

  const team = await joinTeam('workers', pool.remotes);
  try {
    await team.edit('mfe-workers/remote.json', '"nav": [', `"nav": [${nav}, `);
    await team.write(pageFile, PAGE);
    await team.edit(routesFile, 'import', "import { MapPage } from './pages/map/map-page';\nimport");
    // The route of the list, `:id?`, would match too.
    await team.edit(routesFile, '<Routes>', '<Routes><Route path="map" element={<MapPage />} />');
    await expect(team.command('i18n-check', [])).rejects.toMatchObject({
      stdout: expect.stringContaining("code asks for 'workers.map.title', which no text has"),
    });
    await expect(team.build()).rejects.toMatchObject({ stderr: expect.stringContaining(`no text '${label}'`) });
    for (const language of LANGUAGES) {
      const texts = `"${label}": "Map (${language})", "workers.map.title": "Map of the farm",`;
      await team.edit(`${localesFolder}${language}.json`, '{', `{ ${texts}`);
    }
    await team.command('new-remote', ['power']);
    await team.command('build', ['workers', 'power']);
    await team.command('remote', ['publish', 'workers', 'power']);

    const user = newUser('readme');
    await openWith(page, user, '"/power"');
    await page.getByRole('link', { name: 'Map (en)' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Map of the farm' })).toBeVisible();
    await expect(page.getByText(user.userName).last()).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${address}(\\?|$)`));
    await page.getByRole('link', { name: 'Power' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Power' })).toBeVisible();
    await expect(page.getByText('Nothing here yet')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Power' })).toBeVisible();
  } finally {
    await team.leave();
  }
});
