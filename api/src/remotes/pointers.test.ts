import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { newFolder } from '../testing/folder';
import { movePointer, readHistory, standingVersions, withFolderLock, type Move } from './pointers';

const move = (what: Move['what'], version: string): Move => ({ at: '', who: 'team', what, to: { version } });
const standing = (...moves: Move[]): string[] => standingVersions(moves);

test('a rollback takes back what came since its version; one that nobody had takes back the served one only', () => {
  const published = ['1', '2', '3'].map((version) => move('publish', version));
  expect(standing(...published, move('rollback', '1'))).toEqual(['1']);
  expect(standing(...published, move('rollback', '0'))).toEqual(['1', '2', '0']);
  expect(standing(...published, move('publish', '1'))).toEqual(['2', '3', '1']);
  // Neither switched slots nor a withdrawal serve another version.
  expect(standing(...published, move('slots', '3'), move('withdraw', '3'))).toEqual(['1', '2', '3']);
});

test('whatever was moved, the served version stands last and none stands twice', () => {
  const moves = fc.array(fc.tuple(fc.constantFrom('publish', 'rollback'), fc.constantFrom('1', '2', '3')), {
    minLength: 1,
  });
  fc.assert(
    fc.property(moves, (made) => {
      const versions = standing(...made.map(([what, version]) => move(what, version)));
      expect(versions.at(-1)).toBe(made.at(-1)?.[1]);
      expect(new Set(versions).size).toBe(versions.length);
    }),
  );
});

test('the last five hundred moves are kept', async () => {
  const folder = newFolder();
  const at = new Date();
  const moves = Array.from({ length: 500 }, (_, n) => ({ ...move('publish', `${n}`), at: at.toISOString() }));
  writeFileSync(join(folder, 'history.json'), JSON.stringify(moves));
  await movePointer(folder, { ...move('publish', '500'), at });
  expect((await readHistory(folder)).map(({ to }) => Number(to.version))).toEqual(moves.map((_, n) => n + 1));
});

test('a folder is one process’s at a time, and is gone after work that left nothing in it', async () => {
  const folder = join(newFolder(), 'map');
  await withFolderLock(folder, () =>
    expect(withFolderLock(folder, async () => 'both', 20)).rejects.toThrow('is being changed by another process'),
  );
  expect(existsSync(folder)).toBe(false);
});
