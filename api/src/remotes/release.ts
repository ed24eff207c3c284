/** What a version of a remote consists of (`release.json`): its files by hash, which a team's key may sign. */
import { createHash, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';

const release = z.object({
  name: z.string(),
  version: z.string(),
  /** Commit of the sources; `+` behind it: with changes that are not committed. */
  commit: z.string().optional(),
  /** sha384 by path below the version's folder. */
  files: z.record(z.string(), z.string()),
});
export type Release = z.output<typeof release>;

export const hashOf = (content: Buffer): string => `sha384-${createHash('sha384').update(content).digest('base64')}`;
const bytesOf = (content: Release): Buffer => Buffer.from(JSON.stringify(release.parse(content)));

/** The text of `release.json`. Without a key it is not signed. */
export function releaseText(content: Release, key: KeyObject | null): string {
  const signature = key && sign(null, bytesOf(content), key).toString('base64');
  return JSON.stringify({ ...release.parse(content), ...(signature && { signature }) });
}

type Read = (file: string) => Promise<Buffer>;

/** Files of a release that was checked; throws what is wrong with it. */
export async function checkRelease(
  read: Read,
  { name, version }: Pick<Release, 'name' | 'version'>,
  keys: ReadonlyMap<string, readonly KeyObject[]>,
): Promise<Release> {
  const text = await read('release.json').then(String, () => '{}');
  const { signature = '', ...rest } = JSON.parse(text) as { signature?: string };
  if (!signature) throw new Error('it is not signed');
  const found = release.parse(rest);
  const known = [...(keys.get(name) ?? []), ...(keys.get('*') ?? [])];
  if (!known.some((key) => verify(null, bytesOf(found), key, Buffer.from(signature, 'base64'))))
    throw new Error(`no key of REMOTE_KEYS for '${name}' made its signature`);
  if (found.name !== name || found.version !== version)
    throw new Error(`what was signed is ${found.name} ${found.version}`);
  if (!found.files['manifest.json']) throw new Error('manifest.json was not signed');
  for (const file of Object.keys(found.files)) await readChecked(read, file, found);
  return found;
}

/** A file of a checked release. Throws when it is not as it was signed. */
export async function readChecked(read: Read, file: string, { files }: Release): Promise<Buffer> {
  const content = await read(file);
  if (hashOf(content) !== files[file]) throw new Error(`${file} is not as it was signed`);
  return content;
}
