/** Whether a change of `@pool/shared` is a release: a version, a line in the changelog, kept remotes. */
import { compare, lt, major } from 'semver';
import { linesIn, nameOf, versionIn } from '../../api/src/remotes/surface';
import { minorOf } from '../build/release';

export type Report = Map<string, readonly string[]>;

const title = (version: string): string => `@pool/shared ${version}`;

export const printReport = (version: string, report: Report): string =>
  `${[
    `${title(version)}: what the pages and remotes can rely on. Written by \`npm run surface -- --write\`.`,
    ...[...report].flatMap(([section, lines]) => ['', `## ${section}`, ...lines]),
  ].join('\n')}\n`;

/** `react 19`: packages whose types the report has. The next major breaks what was written for this one. */
export function packagesIn(report: Report, dependencies: Readonly<Record<string, string>>): string[] {
  const text = [...report.values()].flat().join('\n');
  const named = [...text.matchAll(/import\("([^"]+)"\)|: of (\S+)$/gm)].map(([, typed, whole]) => typed ?? whole ?? '');
  return Object.entries(dependencies)
    .filter(([name]) => named.some((each) => each === name || each.startsWith(`${name}/`)))
    .map(([name, version]) => `${name} ${major(version)}`)
    .sort();
}

type Parsed = { version: string; lines: string[] };

/** Test helpers, and what the shell and the server of one build share: no remote imports them. */
export const HIDDEN = ['./testing', './page-start'];

/** An entry point that surfaces before 1.1.0 had, and that no remote imports. */
const isHidden = (line: string): boolean => HIDDEN.some((entry) => line.startsWith(`@pool/shared${entry.slice(1)} · `));

/** Version without the suffix of an unreleased one. */
const parse = (text: string): Parsed => ({
  version: versionIn(text).replace(/-.*/, ''),
  lines: linesIn(text).filter((line) => !isHidden(line)),
});

/** Section of the types that exports mention: they have no name that a remote could import. */
export const MENTIONED = 'What they mention beside';

/** Section of `packagesIn`. Every remote uses all of them. */
export const PACKAGES = 'Packages';

export const CALLS = 'Calls of the API';

const missing = (from: readonly string[], other: readonly string[]): string[] => {
  const known = new Set(other);
  return from.filter((line) => !known.has(line));
};

export type Change = { added: string[]; removed: string[]; least: string | null };

/** What changed between reports, and the least next version. `lost`: what no longer compiles (judge.ts). */
export function changeOf(before: string, now: string, lost: readonly string[] = []): Change {
  const [old, next] = [parse(before), parse(now)];
  const added = missing(next.lines, old.lines);
  const removed = missing(old.lines, next.lines);
  if (added.length + removed.length === 0) return { added, removed, least: null };
  const [major = 0, minor = 0] = old.version.split('.').map(Number);
  // A removed name breaks its users, as what no longer compiles does; a new name, or one with a wider type, does not.
  const names = (lines: readonly string[]) => lines.filter((line) => !line.startsWith(MENTIONED)).map(nameOf);
  const isBreak = lost.length > 0 || missing(names(old.lines), names(next.lines)).length > 0;
  return { added, removed, least: isBreak ? `${major + 1}.0.0` : `${major}.${minor + 1}.0` };
}

/** The newest minor version before that of `version` that the changelog names: `1.2`. */
const minorBefore = (version: string, changelog: string): string | undefined =>
  [...changelog.matchAll(/@pool\/shared (\d+\.\d+\.\d+)/g)]
    .map(([, named = '']) => named)
    .filter((named) => lt(named, version) && minorOf(named) !== minorOf(version))
    .sort(compare)
    .map(minorOf)
    .at(-1);

/** Why the report may not be as it is. `kept`: versions whose remotes the journeys have. */
export function faultsOf(
  before: string,
  now: string,
  changelog: string,
  kept: readonly string[],
  lost: readonly string[] = [],
): string[] {
  const { version } = parse(now);
  const { least } = changeOf(before, now, lost);
  const older = minorBefore(version, changelog);
  return [
    ...(least !== null && lt(version, least)
      ? [
          `shared/package.json: version ${version} has to be ${least} or higher${lost.length > 0 ? `; what no longer compiles: ${lost.join(', ')}` : ''}`,
        ]
      : []),
    ...(changelog.includes(title(version)) ? [] : [`CHANGELOG.md: no line names '${title(version)}'`]),
    ...(older === undefined || kept.map(minorOf).includes(older)
      ? []
      : [`e2e/fixtures/releases has no ${older}: npm run keep:release -- <the last commit with ${title(older)}>`]),
  ];
}
