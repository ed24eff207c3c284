import { tried } from '../tried';

const PREFIX = 'user.';

/** The part of the local storage that belongs to the signed-in user: it ends with the session. Works without a storage. */
export const userStorage = {
  read: (name: string): string | null => tried(() => localStorage.getItem(PREFIX + name)),
  write: (name: string, value: string): void => void tried(() => localStorage.setItem(PREFIX + name, value)),
};

/** Name of the entry with the id of the user who is signed in, and a time. */
const SIGNED_IN = 'signedIn';

/** Removes all that this browser keeps of a user. */
export async function forgetUser(): Promise<void> {
  for (const key of tried(() => Object.keys(localStorage)) ?? [])
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  // Absent in an insecure context.
  for (const name of (await globalThis.caches?.keys()) ?? []) await caches.delete(name);
}

export const storedUser = (): string | undefined => userStorage.read(SIGNED_IN)?.split(' ')[0];

/** `userId`: who is signed in, null for nobody. Other tabs get a `storage` event. */
export function storeUser(userId: string | null): void {
  if ((storedUser() ?? null) !== userId) void forgetUser().catch(() => undefined);
  if (userId) userStorage.write(SIGNED_IN, `${userId} ${Date.now()}`);
}
