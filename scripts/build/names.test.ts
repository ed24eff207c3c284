/** Every command accepts the same names of units. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './files';
import { REMOTES, UNITS, unitsNamed } from './names';

test('remotes are found by their folders', () => {
  expect(REMOTES).toEqual(expect.arrayContaining(['dashboard', 'workers']));
  expect(UNITS).toEqual(['shell', 'landing', 'service-worker', ...REMOTES.map((name) => `mfe-${name}`)]);
});

test('a remote can be named by its folder, or without mfe-', () => {
  expect(unitsNamed(['workers', 'mfe-admin', 'shell', 'mfe-workers'])).toEqual(['shell', 'mfe-admin', 'mfe-workers']);
  expect(unitsNamed([])).toEqual(UNITS);
  expect(() => unitsNamed(['mfe-worker'])).toThrow(`no unit is called 'mfe-worker'. There are: ${UNITS.join(', ')}`);
});

test('npm test takes no names', async () => {
  await expect(
    promisify(execFile)(process.execPath, ['scripts/test.mjs', 'workers'], { cwd: ROOT }),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('one unit: npm run check -- <unit>'),
  });
});
