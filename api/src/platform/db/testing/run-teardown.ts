/** jest's `globalTeardown`: removes what `run-setup.ts` started. */
import { run } from './run-setup';

export default async function tearDown(): Promise<void> {
  await run.cluster?.remove();
}
