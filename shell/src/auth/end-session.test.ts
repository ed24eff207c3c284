import { waitFor } from '@testing-library/react';
import { endSession } from './end-session';
import { storedUser, storeUser, userStorage } from './user-storage';

test('what the browser keeps of the user goes, what is of the browser stays', async () => {
  const kept = new Set(['saved user_1']);
  globalThis.caches = {
    keys: async () => [...kept],
    delete: async (name: string) => kept.delete(name),
  } as unknown as CacheStorage;
  localStorage.setItem('settings', '{}');
  storeUser('user_1');
  userStorage.write('recentCommands', '[]');
  storeUser('user_1');
  expect(storedUser()).toBe('user_1');
  expect(userStorage.read('recentCommands')).toBe('[]');
  document.title = 'Workers · Mining Pool';
  endSession('#end');
  await waitFor(() => expect(location.hash).toBe('#end'));
  expect([...kept]).toEqual([]);
  expect(Object.keys(localStorage)).toEqual(['settings']);
  expect(document.title).toBe('Mining Pool');
});

test('another user, or nobody, takes over nothing', () => {
  for (const next of ['user_2', null]) {
    storeUser('user_1');
    userStorage.write('recentCommands', '[]');
    storeUser(next);
    expect(userStorage.read('recentCommands')).toBeNull();
    expect(storedUser()).toBe(next ?? undefined);
  }
});
