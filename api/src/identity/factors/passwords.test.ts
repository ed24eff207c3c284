import fc from 'fast-check';
import { scryptSync } from 'node:crypto';
import { IdentityError } from '../errors';
import { checkPassword, hashPassword, passwordCost, verifyPassword } from './passwords';

const dear = { ...passwordCost };
beforeAll(() => Object.assign(passwordCost, { N: 16, p: 1 }));

test('a hash costs what OWASP asks for, and says so itself', async () => {
  expect(dear).toEqual({ N: 16_384, r: 8, p: 5 });
  expect(await hashPassword('x')).toMatch(/^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
});

test('a password opens its own hash and no other, however its letters are composed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (password, other) => {
      const hash = await hashPassword(password);
      expect(await verifyPassword(password.normalize('NFD'), hash)).toBe(true);
      expect(await verifyPassword(other, hash)).toBe(other.normalize('NFC') === password.normalize('NFC'));
    }),
    { numRuns: 30 },
  );
});

test('a hash of another cost is read by its own; one of another kind opens nothing, nor does no hash', async () => {
  const [salt, key] = [Buffer.alloc(16, 1), scryptSync('old horse', Buffer.alloc(16, 1), 32, { N: 32, r: 4, p: 2 })];
  const rest = `32$4$2$${salt.toString('base64url')}$${key.toString('base64url')}`;
  expect(await verifyPassword('old horse', `scrypt$${rest}`)).toBe(true);
  expect(await verifyPassword('old horse', `plain$${rest}`)).toBe(false);
  expect(await verifyPassword('old horse', undefined)).toBe(false);
});

/** Letters of three bytes each that are in no dictionary. */
const rare = (length: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, i) => 0x4e00 + ((i * 37) % 20_000)));
test.each([
  ['', 'form_password_length_too_short'],
  ['kx9#Qz!', 'form_password_length_too_short'],
  ['kx9#Qz!w', null],
  ['kx9#Qz!w'.repeat(9), null],
  [`${'kx9#Qz!w'.repeat(9)}a`, 'form_password_length_too_long'],
  [`${rare(66)}ab`, null],
  [`${rare(66)}abc`, 'form_password_size_in_bytes_exceeded'],
  ['password1', 'form_password_pwned'],
  ['password1password1', 'form_password_not_strong_enough'],
  // The user's own name, the part of the address before its sign, and a word of every pool.
  ['quxolarvi7', 'form_password_not_strong_enough'],
  ['zimbrelotta', 'form_password_not_strong_enough'],
  ['antminer2024', 'form_password_not_strong_enough'],
  // The beginning decides: what follows makes none weak, nor strong.
  [`${'a'.repeat(32)}kx9#Qz!wTr4&vB2$`, 'form_password_not_strong_enough'],
  [`kx9#Qz!wTr4&vB2$mN7^pL5*gH3@jD8%${'a'.repeat(40)}`, null],
])('a new password %j: %s', (password, expected) => {
  const check = () =>
    checkPassword(password, ['quxolarvi', 'zimbrelotta@example.com', null, undefined], 'new_password');
  if (expected === null) return expect(check()).toBeUndefined();
  expect(check).toThrow(IdentityError);
  expect(check).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ code: expected, meta: expect.objectContaining({ param_name: 'new_password' }) }),
      ],
    }),
  );
});
