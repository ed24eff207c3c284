/** Child process of the kill test: closes days, opens payments, and reports `closing` and `done`. */
import { Bus } from '../../../platform/bus';
import { openDatabase } from '../../../platform/db/database';
import { dayCloser } from '../close-days';

export type ClosingArguments = { folder: string; now: number; poolFeePercent: number };

const { folder, now, poolFeePercent } = JSON.parse(process.argv[2] ?? '') as ClosingArguments;
const { pool, close } = await openDatabase({ folder });
process.send?.('closing');
await dayCloser({
  pool,
  bus: new Bus(),
  terms: { poolFeePercent },
  uncounted: async () => [],
  needsPrices: async () => false,
  now: async () => now,
})();
await close();
process.send?.('done');
process.disconnect();
