import path from 'node:path';
import type { RemoteManifest, RemoteSource } from '../../shared/src/contract';
import { readJson, SHARED } from '../build/files';
import { pagesBelow, routesOf } from './routes';

/** `parts`, `preload`: what its first page loads of the shell's parts, and of its own files. */
type Built = { parts: string[]; preload: readonly string[]; entry: string; files?: Record<string, `sha384-${string}`> };

/** The manifest of a build. `folder`: URL with a slash at its end. `files`: integrity by name; without: unchecked. */
export function manifestOf(
  source: RemoteSource,
  { parts, preload, entry, files }: Built,
  { version, folder }: { version: string; folder: string },
): RemoteManifest {
  const url = (file: string) => folder + file;
  return {
    ...source,
    version,
    shared: `^${readJson<{ version: string }>(path.join(SHARED, 'package.json')).version}`,
    pages: pagesBelow(source.basePath, routesOf(source.name)),
    entry: url(entry),
    preload: preload.map(url),
    parts,
    ...(files && { files: Object.fromEntries(Object.entries(files).map(([file, hash]) => [url(file), hash])) }),
  };
}
