import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the folders of the tests of a run are; the run removes it (run-teardown.ts). */
const RUN = process.env.TEST_FOLDER ?? mkdtempSync(join(tmpdir(), 'pool-tests-'));
/** The folder of this process, which runs one file of tests after the other. */
const OWN = join(RUN, process.env.JEST_WORKER_ID ?? '1');
let isFirst = true;

/** Test helper: a new folder, which is there until the next file of tests asks for one. */
export function newFolder(): string {
  if (isFirst) rmSync(OWN, { recursive: true, force: true });
  isFirst = false;
  mkdirSync(OWN, { recursive: true });
  // Programs run by another user have files there.
  for (const folder of [RUN, OWN]) chmodSync(folder, 0o755);
  return mkdtempSync(join(OWN, 'test-'));
}
