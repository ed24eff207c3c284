import { backupCodeHash, newBackupCodes, newTotpSecret, totpCode, totpStep, totpUri } from './codes';

/** The secret and two moments of RFC 6238, appendix B (SHA-1); its codes have eight digits, ours are the last six. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
])('the code of RFC 6238 at %i s is %s', (seconds, code) => {
  expect(totpCode(RFC_SECRET, seconds * 1000)).toBe(code);
  expect(totpStep(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test('a code is known one step early and late, and by its own step; others are not', () => {
  const at = 1_800_000_000_000;
  const step = at / 30_000;
  const code = (steps: number) => totpCode(RFC_SECRET, at + steps * 30_000);
  expect([-2, -1, 0, 1, 2].map((steps) => totpStep(RFC_SECRET, code(steps), at))).toEqual([
    null,
    step - 1,
    step,
    step + 1,
    null,
  ]);
  expect(totpStep(RFC_SECRET, `${code(0).slice(0, 3)} ${code(0).slice(3)}`, at)).toBe(step);
  for (const wrong of ['', '1', 'abcdef', `${code(0)}0`, '１２３４５６'])
    expect(totpStep(RFC_SECRET, wrong, at)).toBeNull();
});

test('the address for the app names pool, account and secret', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(secret, 'Mining Pool', 'alice'));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Mining Pool:alice',
  ]);
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret,
    issuer: 'Mining Pool',
    digits: '6',
    period: '30',
  });
});

test('backup codes: ten different ones, stored as hashes of the user, typed as one likes', () => {
  const codes = newBackupCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
  const [code = ''] = codes;
  expect(backupCodeHash('user_1', ` ${code.replaceAll('-', ' ').toUpperCase()} `)).toBe(backupCodeHash('user_1', code));
  expect(backupCodeHash('user_2', code)).not.toBe(backupCodeHash('user_1', code));
  expect(backupCodeHash('user_1', code)).not.toContain(code);
});
