/** Keys that versions of remotes are signed with (`REMOTE_KEYS`). */
import { createPublicKey, type KeyObject } from 'node:crypto';

/** Keys by remote, `*` for all; empty: nothing has to be signed. */
export type RemoteKeys = ReadonlyMap<string, readonly KeyObject[]>;

/** `workers=MCow…, map=MCow…`: public Ed25519 keys as `openssl pkey -pubout` prints them. Throws. */
export function remoteKeys(list: string): RemoteKeys {
  const keys = new Map<string, KeyObject[]>();
  for (const item of list.split(',').filter((each) => each.trim())) {
    const [, name = '', text = ''] = /^\s*(\*|[a-z][a-z0-9-]*)=([\w+/=]+)\s*$/.exec(item) ?? [];
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`the key of ${name} is no Ed25519 key`);
    keys.set(name, [...(keys.get(name) ?? []), key]);
  }
  return keys;
}
