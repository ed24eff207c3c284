import { hasSignedInMark, readEarlySession } from './early-session';
import { endSession } from './end-session';
import { formUrl, invitationOf, safeRedirect } from './redirect';
import { storedUser, storeUser, userStorage } from './user-storage';
import { waitFor } from '@testing-library/react';

const ORIGIN = 'https://pool.example';
const go = (wanted: string | null) => safeRedirect(wanted, '/dashboard/', ['/sign-in', '/sign-up'], ORIGIN);

test.each([
  ['/workers/?algorithm=SCRYPT#top', '/workers/?algorithm=SCRYPT#top'],
  ['https://pool.example/payments/', '/payments/'],
  ['/%2F/evil.example', '/%2F/evil.example'],
  ['workers', '/workers'],
])('%s is followed', (wanted, expected) => expect(go(wanted)).toBe(expected));

test.each([
  null,
  '//evil.example',
  '/\\evil.example',
  'https://pool.example.evil.example/',
  'http://pool.example/',
  'java\nscript:alert(1)',
  '/.//evil.example',
  'https://[',
  '/sign-in/factor-one',
  '/sign-up?redirect_url=/sign-up',
  'blob:https://pool.example/x',
])('%j leads to the dashboard', (wanted) => expect(go(wanted)).toBe('/dashboard/'));

test('the URL of a form contains the page to open afterwards', () => {
  expect(formUrl('/sign-up', '/workers/?a=1', '/dashboard/')).toBe('/sign-up?redirect_url=%2Fworkers%2F%3Fa%3D1');
  expect(formUrl('/sign-up', '/dashboard/', '/dashboard/')).toBe('/sign-up');
});

test.each([
  ['?redirect_url=%2Freferral%2F%3Fcode%3DK7PQ4XW2MN', 'K7PQ4XW2MN'],
  ['?redirect_url=%2Fworkers%2F', null],
  ['?redirect_url=https%3A%2F%2F[', null],
  ['?redirect_url=%2Freferral%2F%3Fcode%3DCall%2Bthis%2Bnumber', null],
  ['', null],
])('the invitation of %j: %j', (search, code) => expect(invitationOf(search, ORIGIN)).toBe(code));

describe('the session before clerk-js', () => {
  const NOW = 1_700_000_000_000;
  const token = (claims: object): string =>
    `e30.${btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.c2ln`;
  const fresh = { sub: 'user_1', sid: 'sess_1', exp: NOW / 1000 + 50 };
  const cookies = (claims: object, mark = '__client_uat=1700000000'): string =>
    `a=b; ${mark}; __session=${token(claims)}`;

  test.each([
    ['__client_uat=1700000000', true],
    ['x=1; __client_uat_AbC-_9=1700000000; y=2', true],
    ['__client_uat=0', false],
    ['', false],
    ['my__client_uat=1', false],
    ['__client_uat=', false],
  ])('signed-in mark of %j: %s', (text, expected) => expect(hasSignedInMark(text)).toBe(expected));

  test('a fresh token contains the user and the picture', () => {
    const claims = { ...fresh, pic: '/me.png' };
    expect(readEarlySession(cookies(claims), NOW)).toEqual({
      token: token(claims),
      picture: '/me.png',
      userId: 'user_1',
      organizationId: null,
      expiresAt: NOW + 50_000,
    });
  });

  test.each([[{ ...fresh, org_id: 'org_1' }], [{ ...fresh, v: 2, o: { id: 'org_1', rol: 'admin' } }]])(
    'with its organization: %j',
    (claims) => {
      expect(readEarlySession(cookies(claims), NOW)?.organizationId).toBe('org_1');
    },
  );

  test.each<[string, string]>([
    ['about to run out', cookies({ ...fresh, exp: NOW / 1000 + 4 })],
    ['run out', cookies({ ...fresh, exp: NOW / 1000 - 1 })],
    ['of a session that is not finished', cookies({ ...fresh, sts: 'pending' })],
    ['without a user', cookies({ exp: fresh.exp })],
    ['left over from a signed-out browser', cookies(fresh, '__client_uat=0')],
    ['that is no token', '__client_uat=1; __session=undefined'],
    ['with rubbish inside', '__client_uat=1; __session=a.!!!.c'],
    ['with a number inside', `__client_uat=1; __session=a.${btoa('7')}.c`],
    ['missing', '__client_uat=1'],
  ])('no session from a token %s', (_, text) => expect(readEarlySession(text, NOW)).toBeNull());
});

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
