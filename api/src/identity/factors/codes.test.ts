import { totpCode } from '../testing/authenticator';
import { backupCodeHash, newBackupCodes, newTotpSecret, totpStep } from './codes';

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('a code is known one step early and late, and by its own step; others are not', () => {
  const at = 1_800_000_000_000;
  const step = at / 30_000;
  const code = (steps: number) => totpCode(SECRET, at + steps * 30_000);
  expect([-2, -1, 0, 1, 2].map((steps) => totpStep(SECRET, code(steps), at))).toEqual([
    null,
    step - 1,
    step,
    step + 1,
    null,
  ]);
  // devise-two-factor/devise-two-factor#195, mysociety/fixmystreet#3581; an Arabic keyboard.
  const arabic = code(0).replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
  for (const typed of [code(0), arabic])
    expect(totpStep(SECRET, `${typed.slice(0, 3)} ${typed.slice(3)}`, at)).toBe(step);
  for (const wrong of ['', '1', 'abcdef', `${code(0)}0`, '１２３４５６'])
    expect(totpStep(SECRET, wrong, at)).toBeNull();
});

test('a secret has 160 bits, and is another one each time', () => {
  const secrets = Array.from({ length: 10 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(10);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

test('backup codes: ten different ones, stored as hashes of the user, typed as one likes', () => {
  const codes = newBackupCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
  const [code = ''] = codes;
  expect(backupCodeHash('user_1', ` ${code.replaceAll('-', ' ').toUpperCase()} `)).toBe(backupCodeHash('user_1', code));
  expect(backupCodeHash('user_2', code)).not.toBe(backupCodeHash('user_1', code));
  // Each of its 16 places counts.
  const letters = code.replaceAll('-', '').split('');
  for (const [place, letter] of letters.entries())
    expect(backupCodeHash('user_1', letters.with(place, letter === 'a' ? 'b' : 'a').join(''))).not.toBe(
      backupCodeHash('user_1', code),
    );
  expect(backupCodeHash('user_1', code)).not.toContain(code);
});
