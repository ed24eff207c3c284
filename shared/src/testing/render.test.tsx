import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { screen } from '@testing-library/react';
import { useAbility } from '../react/remote';
import { renderPage } from './render';

function Page() {
  const ability = useAbility();
  const may = (action: 'read' | 'manage') => ability.can(action, 'power.page');
  return <p>{[may('read'), may('manage')].join()}</p>;
}

test('a page may do what the subjects in its remote.json say', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pool-subjects-'));
  const subjects = {
    'power.page': { read: { action: 'read', subject: 'account' }, manage: { action: 'manage', subject: 'user' } },
  };
  mkdirSync(path.join(folder, 'mfe-power'));
  writeFileSync(
    path.join(folder, 'mfe-power/remote.json'),
    JSON.stringify({ name: 'power', basePath: '/power', subjects }),
  );
  const before = process.cwd();
  process.chdir(folder);
  try {
    await renderPage(<Page />, { path: '/power/?tab=2' });
    expect(screen.getByText('true,false')).toBeVisible();
    await renderPage(<Page />, { path: '/workers/' });
    expect(screen.getByText('false,false')).toBeVisible();
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});
