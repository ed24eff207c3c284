/** Child process of the kill test: sends what waits, until it is killed. `offset`: seconds that its clock is ahead. */
import { Bus } from '../../../platform/bus';
import { openDatabase } from '../../../platform/db/database';
import { createLog } from '../../../platform/log';
import { mailDelivery } from '../../mail/delivery';
import { pushDelivery } from '../../push/delivery';
import { openVapid } from '../../push/vapid';
import { Secrets } from '../../../platform/secrets';
import { resolveOutbound } from '../../../platform/outbound';
import { hookDelivery } from '../../webhooks/delivery';
import { Sender } from '../sender';

export type SenderArguments = { databaseUrl: string; smtpUrl: string; key: string; offset: number };

const { databaseUrl, smtpUrl, key, offset } = JSON.parse(process.argv[2] ?? '') as SenderArguments;
const { pool } = await openDatabase({ url: databaseUrl });
const secrets = new Secrets([Buffer.from(key, 'base64')]);
const bus = new Bus();
const log = createLog('silent');
const outbound = {
  resolve: (host: string, port: number) => resolveOutbound(host, port, { allowPrivate: true }),
};
const vapid = await openVapid(pool, secrets);
const remotes = { allFor: async () => [] };
const deliveries = [
  mailDelivery(pool, { url: smtpUrl, from: 'Pool <mail@pool.example>' }),
  hookDelivery({ pool, bus, secrets, outbound }),
  pushDelivery({ pool, bus, vapid, contact: 'mailto:a@pool.example', outbound, remotes }),
];
const now = (): number => Date.now() / 1000 + offset;
for (const delivery of deliveries) {
  // Rounds without a pause: the test looks at what a kill leaves, not at the pace.
  const pace = { ...delivery.pace, targetGapS: 0, gapMs: 0, roundMs: 0 };
  new Sender({ pool, bus, log, delivery: { ...delivery, pace }, now }).wake();
}
process.send?.('sending');
