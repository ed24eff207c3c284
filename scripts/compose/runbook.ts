/** The commands of docs/install.md and docs/several-machines.md for containers, as an operator copies them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../build/files';

/** Each `docker compose` of the pages, in its order: quoted, or a line of a block without the words behind it. */
export function commandsOfTheRunbook(): string[][] {
  const pages = ['install.md', 'several-machines.md'].map((page) =>
    readFileSync(path.join(ROOT, 'docs', page), 'utf8'),
  );
  return Array.from(pages.join('\n').matchAll(/(?:^|`)docker compose (.+?)(?: {3,}|`|$)/gm), ([, command = '']) =>
    command.split(' '),
  );
}
