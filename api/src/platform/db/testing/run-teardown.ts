/** jest's `globalTeardown`: removes what `run-setup.ts` made. */
import { rmSync } from 'node:fs';
import { run } from './run-setup';

export default async function tearDown(): Promise<void> {
  await run.cluster?.remove();
  rmSync(process.env.TEST_FOLDER ?? '', { recursive: true, force: true });
}
