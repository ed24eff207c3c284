/** Child process of the kill test: sends what waits, until it is killed. `offset`: seconds that its clock is ahead. */
import { Bus } from '../../bus';
import { openDatabase } from '../../db/database';
import { createLog } from '../../log';
import { Sender } from '../../outbox/sender';
import { mailDelivery } from '../delivery';

export type SenderArguments = { databaseUrl: string; smtpUrl: string; offset: number };

const { databaseUrl, smtpUrl, offset } = JSON.parse(process.argv[2] ?? '') as SenderArguments;
const { pool } = await openDatabase({ url: databaseUrl });
const delivery = mailDelivery(pool, { url: smtpUrl, from: 'Pool <mail@pool.example>' });
// Rounds without a pause: the test looks at what a kill leaves, not at the pace.
const pace = { targetGapS: 0, gapMs: 0, roundMs: 0 };
const now = (): number => Date.now() / 1000 + offset;
new Sender({ pool, bus: new Bus(), log: createLog('silent'), delivery: { ...delivery, pace }, now }).wake();
process.send?.('sending');
