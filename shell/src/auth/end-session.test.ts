import { endSession } from './end-session';
import { storedUser, storeUser, userStorage } from './user-storage';

test('what the browser keeps of the user goes, what is of the browser stays', () => {
  const postMessage = jest.fn();
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { controller: { postMessage } } });
  localStorage.setItem('settings', '{}');
  storeUser('user_1');
  userStorage.write('recentCommands', '[]');
  storeUser('user_1');
  expect(storedUser()).toBe('user_1');
  expect(userStorage.read('recentCommands')).toBe('[]');
  document.title = 'Workers · Mining Pool';
  endSession('#end');
  expect(postMessage).toHaveBeenCalledWith('forget');
  expect(Object.keys(localStorage)).toEqual(['settings']);
  expect(document.title).toBe('Mining Pool');
  expect(location.hash).toBe('#end');
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
