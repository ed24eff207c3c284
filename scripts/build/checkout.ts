/** A checkout in another folder that uses the packages installed here. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';

/** The packages that are installed in `modules` and for the server, and the checkout's own `shared`, if it has one. */
export async function installLike(modules: string, folder: string): Promise<void> {
  const own = path.join(folder, 'node_modules');
  await mkdir(path.join(own, '@pool'), { recursive: true });
  if (existsSync(path.join(folder, 'shared')))
    await symlink(path.join(folder, 'shared'), path.join(own, '@pool/shared'));
  const ofServer = path.join(modules, '../api/node_modules');
  if (existsSync(ofServer) && existsSync(path.join(folder, 'api')))
    await symlink(ofServer, path.join(folder, 'api/node_modules'));
  const packages = (await readdir(modules)).filter((name) => name !== '@pool');
  await Promise.all(packages.map((name) => symlink(path.join(modules, name), path.join(own, name))));
}
