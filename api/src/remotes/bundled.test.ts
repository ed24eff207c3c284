import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishBundled } from './bundled';
import { movePointer, readHistory, readPointer } from './pointers';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundled-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An image whose remote `workers` has this version. */
async function imageOf(version: string): Promise<string> {
  const bundled = join(folder, `image-${version}`);
  mkdirSync(join(bundled, 'workers', version), { recursive: true });
  writeFileSync(join(bundled, 'workers', version, 'manifest.json'), JSON.stringify({ version }));
  await movePointer(join(bundled, 'workers'), { at: new Date(), who: 'build', what: 'publish', to: { version } });
  return bundled;
}

test('a newer image publishes what it brought, once, and leaves what was rolled back', async () => {
  const remotes = join(folder, 'remotes');
  const [older, newer] = [await imageOf('1.0.0-a'), await imageOf('1.1.0-b')];
  expect(await publishBundled(older, remotes)).toEqual(['workers 1.0.0-a']);
  // Two processes of the new image start at once on one volume.
  const both = await Promise.all([publishBundled(newer, remotes), publishBundled(newer, remotes)]);
  expect(both.flat()).toEqual(['workers 1.1.0-b']);
  expect(readFileSync(join(remotes, 'workers/1.1.0-b/manifest.json'), 'utf8')).toContain('1.1.0-b');
  expect((await readHistory(join(remotes, 'workers'))).map(({ who, to }) => [who, to.version])).toEqual([
    ['image', '1.0.0-a'],
    ['image', '1.1.0-b'],
  ]);
  const back = { at: new Date(), who: 'team', what: 'rollback', to: { version: '1.0.0-a' } } as const;
  await movePointer(join(remotes, 'workers'), back);
  expect(await publishBundled(newer, remotes)).toEqual([]);
  expect(await readPointer(join(remotes, 'workers'))).toEqual({ version: '1.0.0-a' });
});
