/** What the documents name exists: pages and their sections, files, tests, commands, settings. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contract } from '@pool/shared/api/contract';
import { SETTINGS } from '../api/src/platform/config';
import { settingsPage } from './settings';

const ROOT = process.cwd();
const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const pages = tracked.filter((file) => file.endsWith('.md') && existsSync(path.join(ROOT, file)));
const all = pages.map(read).join('\n');
const ticked = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);

test('every link leads to a file, and to a heading of it', () => {
  const anchorsOf = (page: string): string[] =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, file, anchor]) => {
      const target = file ? path.posix.join(path.posix.dirname(page), file) : page;
      const leads = existsSync(path.join(ROOT, target)) && (!anchor || anchorsOf(target).includes(anchor));
      return leads ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every path exists, but for the page that the README adds', () => {
  const tops = new Set(tracked.flatMap((file) => /^(\w[\w-]*)\//.exec(file)?.[1] ?? []));
  const paths = ticked(all).filter((word) => /^[\w-]+\/[\w./-]+$/.test(word) && tops.has(word.split('/', 1)[0] ?? ''));
  expect(paths.length).toBeGreaterThan(100);
  const gone = paths.filter((file) => !existsSync(path.join(ROOT, file)));
  expect([...new Set(gone)]).toEqual(['mfe-workers/src/pages/energy/energy-page.tsx']);
});

test('every test that is named by its file and title exists', () => {
  const proofs = [...all.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g)];
  expect(proofs.length).toBeGreaterThan(100);
  const gone = proofs.filter(
    ([, file = '', title = '']) => !existsSync(file) || !read(file).replaceAll("\\'", "'").includes(title),
  );
  expect(gone.map(([proof]) => proof)).toEqual([]);
});

test('the specification names exactly the calls that no page makes', () => {
  const isPage = (file: string) =>
    /^(shell|mfe-[a-z]+|shared)\/src\/[^.]*\.tsx?$/.test(file) && !/^shared\/src\/api\/|\/testing\//.test(file);
  const sources = tracked
    .filter((file) => isPage(file) && existsSync(file))
    .map(read)
    .join('\n');
  const unused = Object.keys(contract).filter((call) => !sources.includes(`'${call}'`));
  const named = [...read('docs/specification.md').matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm)].map(([, call]) => call);
  expect(named.toSorted()).toEqual(unused.toSorted());
});

test('every command and every setting of the README exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...all.matchAll(/\bnpm (?:run )?((?<=run )[a-z][\w:]*|start|test)/g)].map(([, name]) => name);
  expect(commands.filter((name) => !(name && name in scripts))).toEqual([]);
  const table = read('README.md').split('\n| setting |')[1]?.split('\n\n')[0] ?? '';
  const settings = ticked(table).filter((word) => /^[A-Z_0-9]{4,}$/.test(word));
  expect(settings.length).toBeGreaterThan(5);
  expect(settings.filter((name) => !SETTINGS.includes(name))).toEqual([]);
});

test('docs/settings.md is what npm run settings writes', () => expect(read('docs/settings.md')).toBe(settingsPage()));
