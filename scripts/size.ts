/** Bytes (brotli, KiB) that a browser fetches, against budgets. The font is not needed before a page is usable. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { RemoteManifest } from '../shared/src/contract';
import { DIST, filesBelow } from './build/files';
import { shellTexts, textsOf } from './build/locales';
import { REMOTES, remotesIn, SHELL_UNITS, unitsNamed } from './build/names';
import { isFresh, factsOf } from './build/units';
import { packRemote } from './remotes/pack';
import { runCommand } from './command-line.mjs';

const KIB = 1024;
const SHELL = path.join(DIST, 'shell');

const bytes = (file: string): number => (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size;
const sum = (files: readonly string[]): number => files.reduce((total, file) => total + bytes(file), 0);
const html = (name: string): string => path.join(SHELL, name);
const asset = (name: string): string => path.join(SHELL, 'assets', name);
/** Size of a page as the server compresses it (api/src/http/server/compress.ts). */
const page = (name: string): number =>
  brotliCompressSync(readFileSync(html(name)), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
const packed = (texts: object | undefined): number => brotliCompressSync(JSON.stringify(texts)).length;
const entryOf = (unit: string): string[] => factsOf(unit).entry.map(asset);

/** `firstPage`: what its first page loads; `all`: with the pages that load later, a bound for any of them. */
type Sized = { entry: string; firstPage: string[]; all: string[] } & Pick<RemoteManifest, 'budget'>;
async function remote(name: string): Promise<Sized> {
  const {
    folder,
    manifest: { entry, preload, budget },
  } = await packRemote(name);
  const local = (url: string) => path.join(folder, path.basename(url));
  const all = readdirSync(folder)
    .filter((file) => /\.(js|css)$/.test(file) && file !== path.basename(entry))
    .map((file) => path.join(folder, file));
  return { entry: local(entry), firstPage: preload.map(local), all, budget };
}

type Budget = { what: string; /** Bytes. */ size: number; /** KiB. */ limit: number };

async function ofShell(): Promise<Budget[]> {
  const dashboard = await remote('dashboard');
  const texts = textsOf(['shared', 'shell', ...REMOTES.map((name) => `mfe-${name}`)]).get('en.json');
  const landing = page('landing.html') + sum(entryOf('landing')) + packed(shellTexts().get('landing.en.json'));
  const usable = page('app.html') + sum([...entryOf('shell'), dashboard.entry, ...dashboard.firstPage]) + packed(texts);
  const font =
    readdirSync(path.join(SHELL, 'assets')).find((file) => /^inter-latin-wght-normal\..*2$/.test(file)) ?? '';
  // clerk-js without its forms, which a signed-in page starts when it has settled.
  const clerk = filesBelow(path.join(DIST, 'vendor/clerk-js')).find((file) =>
    /clerk\.headless\.browser\.js$/.test(file),
  );
  const identity = path.join(DIST, 'vendor/clerk-js', clerk ?? '');
  const worker = brotliCompressSync(readFileSync(html('service-worker.js'))).length;
  return [
    { what: 'landing, before usable', size: landing, limit: 96 },
    { what: 'dashboard, before usable', size: usable, limit: 201.5 },
    { what: 'service worker', size: worker, limit: 1 },
    { what: 'dashboard, with font and identity', size: usable + sum([asset(font), identity]), limit: 308 },
  ];
}

/** KiB, where `remote.json` says nothing else. */
const BUDGET = 12;

async function ofRemote(name: string): Promise<Budget[]> {
  const { entry, firstPage, all, budget } = await remote(name);
  return [
    { what: `${name}: remoteEntry`, size: bytes(entry), limit: 8 },
    { what: `${name}: first page`, size: sum(firstPage), limit: budget?.firstPage ?? BUDGET },
    { what: `${name}: all its pages`, size: sum(all), limit: budget?.all ?? BUDGET },
  ];
}

/** Measures no outdated build. */
function assertBuilt(units: readonly string[]): void {
  const pages: Record<string, string> = { shell: 'app.html', landing: 'landing.html' };
  const isServed = (unit: string): boolean => {
    const file = pages[unit];
    if (unit === 'service-worker') return existsSync(html('service-worker.js'));
    return file === undefined || readFileSync(html(file), 'utf8').includes(factsOf(unit).entry[0] ?? '');
  };
  const stale = units.filter((unit) => !isFresh(unit) || !isServed(unit)).join(', ');
  if (stale)
    throw new Error(`dist/ has no build of ${stale} as the sources are now: npm run build, then measure again`);
}

async function main(words: readonly string[]): Promise<void> {
  const units = unitsNamed(words);
  const withShell = SHELL_UNITS.some((unit) => units.includes(unit));
  assertBuilt(withShell ? [...new Set([...units, ...SHELL_UNITS, 'mfe-dashboard'])] : units);
  const rows = [...(withShell ? await ofShell() : []), ...(await Promise.all(remotesIn(units).map(ofRemote))).flat()];
  console.log(`${'brotli, KiB'.padEnd(38)}${'size'.padStart(8)}${'budget'.padStart(8)}`);
  for (const { what, size, limit } of rows) {
    const kib = size / KIB;
    const figures = kib.toFixed(1).padStart(8) + String(limit).padStart(8);
    console.log(what.padEnd(38) + figures + (kib > limit ? '  over' : ''));
  }
  const over = rows.filter(({ size, limit }) => size / KIB > limit);
  if (over.length > 0) throw new Error(`\n${over.length} over budget`);
}

void runCommand(
  { name: 'size', takes: '[units...]', what: 'Compares the bytes a browser has to fetch with their budgets.' },
  ({ positionals }) => main(positionals),
);
