import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UncountedFiles } from './uncounted';
import { encodeShare } from './journal/share-line';

const LINES = 100_000;
const line = (at: string): string =>
  encodeShare({
    subAccountId: 1,
    algorithm: 'SCRYPT',
    worker: 'rig',
    difficulty: 1,
    outcome: 'accepted',
    at: Date.parse(at),
  });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uncounted-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a long journal is read in many turns of the loop, and a file that is the same only once', async () => {
  const refused = join(folder, 'refused', `2026-11-20-${'ab'.repeat(8)}-0000000001.jsonl`);
  mkdirSync(join(folder, 'refused'));
  writeFileSync(refused, `${line('2026-11-20')}\n`.repeat(LINES));
  const time = new Date('2026-11-22');
  utimesSync(refused, time, time);
  const files = new UncountedFiles(folder);
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  });
  const day = { day: '2026-11-20', why: 'refused', lines: LINES, paths: [refused] };
  try {
    expect(await files.byDay()).toEqual([day]);
  } finally {
    clearInterval(count);
  }
  expect(turns).toBeGreaterThan(20);

  // Same size and time: not read.
  writeFileSync(refused, `${line('2026-11-21')}\n`.repeat(LINES));
  utimesSync(refused, time, time);
  expect(await files.byDay()).toEqual([day]);
  // Mended by a person.
  utimesSync(refused, time, new Date('2026-11-23'));
  expect(await files.byDay()).toEqual([{ ...day, day: '2026-11-21' }]);
  rmSync(refused);
  expect(await files.byDay()).toEqual([]);
});
