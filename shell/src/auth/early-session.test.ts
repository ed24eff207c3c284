import { hasSignedInMark, readEarlySession } from './early-session';

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
