import { SavedStore } from './saved-store';

const NOW = 1_700_000_000_000;
const sessionOf = (sub: string) => `e30.${btoa(JSON.stringify({ sub, exp: NOW / 1000 + 50 }))}.c2ln`;
const cookiesOf = (sub: string) => `__client_uat=1; __session=${sessionOf(sub)}`;
const saved = () => new SavedStore('user_1', () => NOW);

test('shows its user without a session, and starts no Clerk that would sign the user out', async () => {
  const store = saved();
  expect(store.getSnapshot()).toMatchObject({ state: 'signed-in', userId: 'user_1' });
  expect(await store.getToken()).toBeNull();
  store.want();
  expect(store.isWanted()).toBe(false);
  await expect(store.started()).rejects.toMatchObject({ code: 'offline' });
});

test('is an ordinary session when the pool answers its user', async () => {
  const store = saved();
  expect(store.resume(cookiesOf('user_1'))).toBe(true);
  expect(await store.getToken()).toBe(sessionOf('user_1'));
  store.want();
  expect(store.isWanted()).toBe(true);
});

test('is not resumed for another user, nor for one who has signed out', () => {
  expect(saved().resume(cookiesOf('user_2'))).toBe(false);
  expect(saved().resume('__client_uat=0')).toBe(false);
});
