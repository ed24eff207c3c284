/** Remotes of a container image, published where they are served from a volume. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { movePointer, readPointer, withFolderLock } from './pointers';

/** Publishes each version in `bundled` that was never in `remotes`; returns `name version` of each. */
export async function publishBundled(bundled: string, remotes: string): Promise<string[]> {
  const published: string[] = [];
  for (const name of await readdir(bundled)) {
    const current = await readPointer(join(bundled, name));
    if (!current) continue;
    const { version } = current;
    const folder = join(remotes, name);
    await mkdir(folder, { recursive: true });
    await withFolderLock(folder, async () => {
      if (existsSync(join(folder, version, 'manifest.json'))) return;
      const next = join(folder, `.new-${version}`);
      await rm(next, { recursive: true, force: true });
      await cp(join(bundled, name, version), next, { recursive: true });
      await rm(join(folder, version), { recursive: true, force: true });
      await rename(next, join(folder, version));
      await movePointer(folder, { at: new Date(), who: 'image', what: 'publish', to: { version } });
      published.push(`${name} ${version}`);
    });
  }
  return published;
}
