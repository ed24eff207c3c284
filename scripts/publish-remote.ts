/** Deploys one built remote: adds an immutable folder and changes one pointer. Nothing else is built or changed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RemotePointer } from '../shared/src/dist-layout';
import type { RemoteManifest } from '../shared/src/contract';
import { copyCompressed } from './build/compress';
import {
  filesBelow,
  hashOf,
  hashOfFiles,
  linksBelow,
  readJson,
  REMOTES_DIST,
  ROOT,
  sha384,
  writeJson,
} from './build/files';
import { writeTexts } from './build/locales';
import { REMOTES, unitsNamed } from './build/names';
import { manifestOf } from './remotes/manifest';
import { readRemote } from './remotes/source';
import { besideTheCode, outputOf, statsOf } from './build/units';
import { runCommand } from './command-line.mjs';

const remoteFolder = (name: string): string => path.join(REMOTES_DIST, name);
const pointerFile = (name: string): string => path.join(remoteFolder(name), 'current.json');
const readPointer = (name: string): RemotePointer | null =>
  existsSync(pointerFile(name)) ? readJson<RemotePointer>(pointerFile(name)) : null;

/** What is written to a manifest changes: the same build is then published as another version, with another. */
const MANIFEST = 'all files have a hash';

/** Whether the remote has to be deployed without a new build: nothing is. A rollback and a canary stay. */
export function isUnpublished(name: string): boolean {
  const pointer = readPointer(name);
  return !pointer || !existsSync(path.join(remoteFolder(name), pointer.version, 'manifest.json'));
}

/** The remotes deployed in the same folder: a team may have no other in its checkout. */
const deployed = (): RemoteManifest[] =>
  (existsSync(REMOTES_DIST) ? readdirSync(REMOTES_DIST) : []).flatMap((name) => {
    const version = readPointer(name)?.version;
    const file = path.join(remoteFolder(name), version ?? '', 'manifest.json');
    return version !== undefined && existsSync(file) ? [readJson<RemoteManifest>(file)] : [];
  });

/** Returns the version now served. Publishing the same build twice gives the same version. */
export async function publish(name: string, { canary }: { canary?: number } = {}): Promise<string> {
  const source = readRemote(name, deployed());
  const from = outputOf(`mfe-${name}`);
  // Files that federation writes for its own tools are not published.
  const names = filesBelow(from).filter((file) => file !== 'mf-stats.json');
  const links = linksBelow(from);
  if (links.length > 0)
    throw new Error(`mfe-${name}/dist has symbolic links, which are not published: ${links.join(', ')}`);
  const { version: base } = readJson<{ version: string }>(path.join(ROOT, `mfe-${name}`, 'package.json'));
  const sources = hashOfFiles([...names.map((file) => path.join(from, file)), ...besideTheCode(`mfe-${name}`)]);
  const hash = hashOf([sources, MANIFEST]);
  const version = `${base}-${hash.slice(0, 8)}`;
  const to = path.join(remoteFolder(name), version);
  if (!existsSync(path.join(to, 'manifest.json'))) {
    const entry = names.find((file) => /^remoteEntry\..*\.js$/.test(file));
    if (!entry) throw new Error(`mfe-${name}/dist has no remoteEntry: run npm run build first`);
    await copyCompressed(from, names, to);
    writeTexts([`mfe-${name}`], path.join(to, 'locales'));
    const files = Object.fromEntries(names.map((file) => [file, sha384(readFileSync(path.join(from, file)))]));
    const manifest = manifestOf(source, statsOf(`mfe-${name}`), {
      version,
      folder: `/remotes/${name}/${version}/`,
      entry,
      files,
    });
    writeJson(path.join(to, 'manifest.json'), manifest);
  }
  const current = readPointer(name);
  const pointer: RemotePointer =
    canary !== undefined && current ? { version: current.version, canary: { version, percent: canary } } : { version };
  if (JSON.stringify(pointer) !== JSON.stringify(current)) writeJson(pointerFile(name), pointer);
  return version;
}

function rollback(name: string, version: string): void {
  if (!existsSync(path.join(remoteFolder(name), version, 'manifest.json'))) {
    const known = existsSync(remoteFolder(name))
      ? readdirSync(remoteFolder(name)).filter((entry) => entry !== 'current.json')
      : [];
    throw new Error(`${name} ${version} was never published here. There are: ${known.join(', ') || 'none'}`);
  }
  writeJson(pointerFile(name), { version } satisfies RemotePointer);
}

async function main(unit: string, to: { canary?: string; rollback?: string }): Promise<void> {
  const known = REMOTES.map((remote) => `mfe-${remote}`);
  const [name = ''] = unitsNamed([unit], known).map((folder) => folder.slice('mfe-'.length));
  if (to.rollback) {
    rollback(name, to.rollback);
    console.log(`${name}: back to ${to.rollback}`);
    return;
  }
  const canary = to.canary === undefined ? undefined : Number(to.canary);
  if (canary !== undefined && !(canary >= 0 && canary <= 100)) throw new Error('--canary takes a percentage, 0 to 100');
  const version = await publish(name, { canary });
  console.log(`${name}: ${version}${canary === undefined ? ' for everybody' : ` for ${canary} %`}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  void runCommand(
    {
      name: 'publish:remote',
      takes: '<name>',
      what: 'Deploys one built remote into REMOTES_DIR: adds a version and moves the pointer to it.',
      options: {
        canary: { type: 'string', what: 'for so many percent of the users' },
        rollback: { type: 'string', what: 'back to a version that is still there' },
      },
    },
    ({ values, positionals: [name = ''] }) => main(name, values),
  );
