/** The commands of docs/operations.md, "Containers", as an operator copies them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../build/files';

/** Each `docker compose` of the section, in its order: quoted, or a line of a block without the words behind it. */
export function commandsOfTheRunbook(): string[][] {
  const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  const section = /^## Containers\n(.*?)^## /ms.exec(page)?.[1] ?? '';
  return Array.from(section.matchAll(/(?:^|`)docker compose (.+?)(?: {3,}|`|$)/gm), ([, command = '']) =>
    command.split(' '),
  );
}
