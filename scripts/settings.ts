/** `npm run settings`: writes docs/settings.md from the settings' own schema. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { factsOf } from '../api/src/platform/settings/kinds';
import { GROUPS } from '../api/src/platform/settings/settings';
import { ROOT } from './build/files';
import { readArguments } from './command-line.mjs';

const PAGE = path.join(ROOT, 'docs/settings.md');

export const settingsPage = (): string =>
  [
    '# Settings',
    'Environment variables, read at the start, each with an example. A wrong one ends the start with a sentence.',
    'Written by `npm run settings` from `api/src/platform/settings`: change it there.',
    ...Object.entries(GROUPS).flatMap(([title, group]) => [
      '',
      `## ${title}`,
      ...Object.entries(group).map(([name, schema]) => {
        const { says, preset, without, example } = factsOf(schema);
        const held = preset ? ` Default: \`${preset}\`.` : without && ` Without it: ${without}.`;
        return `- \`${name}=${example}\` ${says}${held ?? ''}`;
      }),
    ]),
    '',
  ].join('\n');

if (process.argv[1]?.endsWith('settings.ts')) {
  readArguments({ name: 'settings', what: "Writes docs/settings.md from the settings' own schema." });
  writeFileSync(PAGE, settingsPage());
}
