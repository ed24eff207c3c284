/** Versions of remotes: what a build is published as, with its manifest, texts and compressed files. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { linesIn, nameOf } from '../../api/src/remotes/surface';
import type { RemoteManifest } from '../../shared/src/contract';
import { copyCompressed } from '../build/compress';
import {
  filesBelow,
  hashOf,
  hashOfFiles,
  linksBelow,
  readJson,
  ROOT,
  SCRIPT,
  SHARED,
  sha384,
  writeFileWhole,
  writeJson,
} from '../build/files';
import { writeTexts } from '../build/locales';
import { besideTheCode, isFresh, outputOf, statsOf } from '../build/units';
import { manifestOf } from './manifest';
import { readRemote } from './source';
import { assertOwnStyles } from './styles';
import { usesIn } from './uses';

const PACKED = path.join(ROOT, '.cache/packed');

/** Where the files are served, when it is not the pool itself: `https://cdn.example` (one of its REMOTE_ORIGINS). */
const ORIGIN = process.env.REMOTE_ORIGIN ?? '';

/** What is written to a manifest changes: the same build is then another version, with another manifest. */
const MANIFEST = 'all files have a hash';

function usesOf(unit: string): string {
  const folder = path.join(ROOT, unit);
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const names = filesBelow(path.join(folder, 'src')).filter((file) => !/\.test\.\w+$/.test(file));
  const scripts = names.filter((file) => SCRIPT.test(file)).map((file) => ({ file, code: read(`src/${file}`) }));
  const others = names.filter((file) => /\.css$/.test(file)).map((file) => read(`src/${file}`));
  const named = linesIn(readFileSync(path.join(SHARED, 'surface.txt'), 'utf8')).map(nameOf);
  const { provided } = statsOf(unit);
  return usesIn(scripts, [read('remote.json'), ...others].join('\n'), { named, provided }).join('\n');
}

export type Version = { name: string; version: string; folder: string; manifest: RemoteManifest };

/** The version that the build of `mfe-<name>` makes. Throws when there is no build of the sources as they are now. */
export async function packRemote(name: string): Promise<Version> {
  const unit = `mfe-${name}`;
  if (!isFresh(unit)) throw new Error(`there is no build of ${unit} as the sources are now: npm run build -- ${name}`);
  const source = readRemote(name);
  const from = outputOf(unit);
  // Files that federation writes for its own tools are not published.
  const names = filesBelow(from).filter((file) => file !== 'mf-stats.json');
  const links = linksBelow(from);
  if (links.length > 0)
    throw new Error(`${unit}/dist has symbolic links, which are not published: ${links.join(', ')}`);
  const entry = names.find((file) => /^remoteEntry\..*\.js$/.test(file)) ?? '';
  const { version: base } = readJson<{ version: string }>(path.join(ROOT, unit, 'package.json'));
  const sources = hashOfFiles([...names.map((file) => path.join(from, file)), ...besideTheCode(unit)]);
  const uses = usesOf(unit);
  const version = `${base}-${hashOf([sources, uses, MANIFEST, ORIGIN]).slice(0, 8)}`;
  const folder = path.join(PACKED, name, version);
  const file = path.join(folder, 'manifest.json');
  if (!existsSync(file)) {
    assertOwnStyles(name, from);
    rmSync(path.join(PACKED, name), { recursive: true, force: true });
    await copyCompressed(from, names, folder);
    writeTexts([unit], path.join(folder, 'locales'));
    writeFileWhole(path.join(folder, 'uses.txt'), uses);
    const files = Object.fromEntries(names.map((each) => [each, sha384(readFileSync(path.join(from, each)))]));
    const at = { version, folder: `${ORIGIN}/remotes/${name}/${version}/`, entry, files };
    writeJson(file, manifestOf(source, statsOf(unit), at));
  }
  return { name, version, folder, manifest: readJson<RemoteManifest>(file) };
}
