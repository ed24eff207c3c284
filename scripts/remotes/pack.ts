/** Versions of remotes: what a build is published as, with its manifest, texts and compressed files. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { linesIn, nameOf } from '../../api/src/remotes/surface';
import type { RemoteManifest } from '../../shared/src/contract';
import { writeCompressed } from '../build/compress';
import {
  filesBelow,
  hashOf,
  hashOfFiles,
  linksBelow,
  readJson,
  ROOT,
  SHARED,
  sha384,
  sourcesIn,
  writeFileWhole,
  writeJson,
} from '../build/files';
import { writeTexts } from '../build/locales';
import { besideTheCode, isFresh, outputOf, factsOf } from '../build/units';
import { manifestOf, readBuild } from './built';
import { readRemote } from './source';
import { assertOwnStyles } from './styles';
import { usesIn } from './uses';

const PACKED = path.join(ROOT, '.cache/packed');

/** Where the files are served, when it is not the pool itself: `https://cdn.example` (one of its REMOTE_ORIGINS). */
const ORIGIN = process.env.REMOTE_ORIGIN ?? '';

/** What is written to a manifest changes: the same build is then another version, with another manifest. */
const MANIFEST = 'all files have a hash, chunks have the name of the version';

function usesOf(unit: string, provided: readonly string[]): string {
  const src = path.join(ROOT, unit, 'src');
  const others = [
    readFileSync(path.join(ROOT, unit, 'remote.json'), 'utf8'),
    ...sourcesIn(src, /\.css$/).map(({ code }) => code),
  ];
  const named = linesIn(readFileSync(path.join(SHARED, 'surface.txt'), 'utf8')).map(nameOf);
  return usesIn(sourcesIn(src), others.join('\n'), { named, provided }).join('\n');
}

export type Version = { name: string; version: string; folder: string; manifest: RemoteManifest };

/** Name of the global array in which webpack's and rspack's scripts of a build find each other. */
const CHUNKS = /\b(webpackChunk|rspackChunk)([\w$]+)/g;

/**
 * The scripts with a global array of the build's own: a page may run two versions of a remote after each other, and would
 * take the chunks of one for those of the other.
 */
export function withOwnChunks(scripts: ReadonlyMap<string, string>, own: string): Map<string, string> {
  const names = new Set(
    [...scripts.values()].flatMap((code) => [...code.matchAll(CHUNKS)].map(([, , name = '']) => name)),
  );
  const renamed = (code: string): string =>
    [...names].reduce(
      // The second is what a script that is under way is known by.
      (text, name) => text.replaceAll(`Chunk${name}`, `Chunk${own}`).replaceAll(`"${name}:"`, `"${own}:"`),
      code,
    );
  return new Map([...scripts].map(([file, code]) => [file, renamed(code)]));
}

/**
 * The version that the build of `mfe-<name>` makes. `dir`: folder of what another builder has made. Throws when the build
 * is missing or older than the sources.
 */
export async function packRemote(name: string, dir?: string): Promise<Version> {
  const unit = `mfe-${name}`;
  const source = readRemote(name);
  const from = dir === undefined ? outputOf(unit) : path.resolve(dir);
  if (dir !== undefined && ORIGIN)
    throw new Error('REMOTE_ORIGIN: the scripts of another builder are not checked by hash');
  if (dir === undefined && !isFresh(unit))
    throw new Error(`there is no build of ${unit} as the sources are now: npm run build -- ${name}`);
  const { entry, preload, provided, made } = readBuild(source, from);
  // Files that federation writes for its own tools are not published.
  const names = filesBelow(from).filter((file) => file !== 'mf-stats.json');
  const links = linksBelow(from);
  if (links.length > 0)
    throw new Error(`${unit}/dist has symbolic links, which are not published: ${links.join(', ')}`);
  const { version: base } = readJson<{ version: string }>(path.join(ROOT, unit, 'package.json'));
  const sources = hashOfFiles([...names.map((file) => path.join(from, file)), ...besideTheCode(unit)]);
  const uses = usesOf(unit, provided);
  const build = hashOf([sources, uses, MANIFEST, ORIGIN]).slice(0, 8);
  const version = `${base}-${build}`;
  const folder = path.join(PACKED, name, version);
  const file = path.join(folder, 'manifest.json');
  if (!existsSync(file)) {
    assertOwnStyles(name, from);
    rmSync(path.join(PACKED, name), { recursive: true, force: true });
    const contents = new Map(names.map((each) => [each, readFileSync(path.join(from, each))]));
    if (made !== undefined) contents.set(entry, Buffer.from(made));
    const scripts = [...contents].filter(([each]) => each.endsWith('.js'));
    const own = withOwnChunks(new Map(scripts.map(([each, code]) => [each, String(code)])), `pool_${build}`);
    for (const [each, code] of own) contents.set(each, Buffer.from(code));
    await Promise.all([...contents].map(([each, content]) => writeCompressed(path.join(folder, each), content)));
    writeTexts([unit], path.join(folder, 'locales'));
    writeFileWhole(path.join(folder, 'uses.txt'), uses);
    const files = Object.fromEntries([...contents].map(([each, content]) => [each, sha384(content)]));
    const { parts } = dir === undefined ? factsOf(unit) : { parts: [] };
    const at = { version, folder: `${ORIGIN}/remotes/${name}/${version}/` };
    writeJson(file, manifestOf(source, { parts, preload, entry, files }, at));
  }
  return { name, version, folder, manifest: readJson<RemoteManifest>(file) };
}
