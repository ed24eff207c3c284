import { formUrl, invitationOf, safeRedirect } from './redirect';

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
