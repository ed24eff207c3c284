/** Holds @pool/shared to shared/surface.txt. `--write` asks for a version and a line in the changelog. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import { NAV_ICONS } from '../shared/src/contract/remote-schema';
import { PALETTE_STYLES } from '../shared/src/ui/core/theme/variables';
import { hashOf, readJson, ROOT, SHARED, sourcesIn, writeFileWhole } from './build/files';
import { DECLARED, keptReleases, surfaceOf, textsIn } from './build/release';
import { changeOf, faultsOf, PACKAGES, packagesIn, printReport, type Report } from './surface/compare';
import { declarations, declared, type Declared } from './surface/declarations';
import { errorsIn, lostBetween } from './surface/judge';
import { runCommand } from './command-line.mjs';

const FILE = path.join(SHARED, 'surface.txt');
const MAX_SHOWN = 20;
const COLOURS = new Set([...PALETTE_STYLES.matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name));

/** Matches of `pattern` in the files of `shared/src` that end with `ending`. */
const found = (ending: RegExp, pattern: RegExp): string[] => {
  const matches = sourcesIn(path.join(SHARED, 'src'), ending).flatMap(({ code }) => [...code.matchAll(pattern)]);
  return [...new Set(matches.map(([, match = '']) => match))].sort();
};

function reportOf(now: Declared): Report {
  const { dependencies } = readJson<{ dependencies: Record<string, string> }>(path.join(SHARED, 'package.json'));
  const types = declarations(now);
  return new Map([
    ...types,
    [PACKAGES, packagesIn(types, dependencies)],
    ['CSS variables', [...COLOURS, ...found(/\.css$/, /^\s*(--[\w-]+):/gm)].sort()],
    ['Texts', Object.keys(readJson<object>(path.join(SHARED, 'locales/en.json'))).sort()],
    ['Query keys', found(/\.tsx?$/, /queryKey: (\[[^\]]*\])/g)],
    ['Icons of links', [...NAV_ICONS].sort()],
  ]);
}

/** What no longer compiles of the last kept release, unless the version says that it breaks. */
function lostSince(released: string, version: string, now: Declared): string[] {
  const { [DECLARED]: before, ...sources } = textsIn(released, 'types');
  if (before === undefined || !satisfies(version, `^${released}`)) return [];
  return [...lostBetween(JSON.parse(before) as Declared, now), ...errorsIn(new Map(Object.entries(sources)))];
}

function main(write: boolean): void {
  const { version } = readJson<{ version: string }>(path.join(SHARED, 'package.json'));
  const kept = keptReleases();
  const types = declared();
  const report = reportOf(types);
  // A surface that is not kept yet may still change: its name changes with it.
  const name = kept.includes(version) ? version : `${version}-next.${hashOf([printReport('', report)])}`;
  const now = printReport(name, report);
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const changelog = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
  const released = kept.at(-1);
  const surface = released ? readFileSync(surfaceOf(released), 'utf8') : now;
  // A list that was written was judged then: the compiler, which takes half a minute, is asked about another one only.
  const isAsked = now !== before && changeOf(surface, now).least !== null;
  const lost = released && isAsked ? lostSince(released, version, types) : [];
  const faults = faultsOf(surface, now, changelog, kept, lost);
  const isKept = now === before || (write && faults.length === 0);
  if (!isKept) {
    const { added, removed } = changeOf(before, now);
    const shown = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
    shown.slice(0, MAX_SHOWN).forEach((line) => console.log(line));
    if (shown.length > MAX_SHOWN) console.log(`… and ${shown.length - MAX_SHOWN} more`);
    console.log(
      'surface: what @pool/shared offers is not what shared/surface.txt says (CONTRIBUTING.md, Changing the contract)',
    );
  }
  faults.forEach((fault) => console.log(`surface: ${fault}`));
  if (isKept && faults.length === 0) {
    if (now !== before) writeFileWhole(FILE, now);
    console.log(`surface: ${name}, ${now.split('\n').length} lines`);
  } else {
    if (!write && faults.length === 0) console.log('surface: npm run surface -- --write');
    process.exitCode = 1;
  }
}

void runCommand(
  {
    name: 'surface',
    what: 'Compares shared/surface.txt with what @pool/shared offers (CONTRIBUTING.md, Changing the contract).',
    options: { write: { type: 'boolean', what: 'writes the file, when version and changelog allow it' } },
  },
  ({ values: { write = false } }) => main(write),
);
