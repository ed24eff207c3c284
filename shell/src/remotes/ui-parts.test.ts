import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { UI_PARTS } from './ui-parts';

it('provides every lazy part of the shared UI: remotes contain none', () => {
  const folder = path.resolve('shared/src/ui');
  const parts = readdirSync(folder).filter(
    (name) => name !== 'core' && existsSync(path.join(folder, name, 'index.ts')),
  );
  expect(Object.keys(UI_PARTS).sort()).toEqual(parts.sort());
});
