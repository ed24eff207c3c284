import type { RemoteManifest, RemoteSource } from '../../shared/src/contract';
import { pagesBelow } from './routes';
import type { UnitStats } from '../build/units';

type Place = { version: string; folder: string; entry: string; files?: Record<string, `sha384-${string}`> };

/** The manifest of a build. `folder`: URL with a slash at its end. `files`: integrity by name; without: unchecked. */
export function manifestOf(
  source: RemoteSource,
  { groups, shared, routes, parts }: UnitStats,
  { version, folder, entry, files }: Place,
): RemoteManifest {
  const app = groups['__federation_expose_app'] ?? [];
  const url = (file: string) => folder + file;
  return {
    ...source,
    version,
    shared: `^${shared}`,
    pages: pagesBelow(source.basePath, routes),
    entry: url(entry),
    preload: app.map(url),
    parts,
    ...(files && { files: Object.fromEntries(Object.entries(files).map(([file, hash]) => [url(file), hash])) }),
  };
}
