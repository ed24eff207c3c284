/** The demo's past payouts: the accounting closes each day; payments open at the threshold, are sent and confirmed. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { ALGORITHM_NAMES, ALGORITHMS } from '@pool/shared/domain';
import { transaction } from '../platform/db/transaction';
import { closeDays, type ClosingTerms } from '../money/accounting/earnings';
import { bitcoinPrice } from '../money/accounting/prices';
import { openPayments } from '../money/payouts/open-payments';
import { movePayment } from '../money/payouts/payment-changes';
import { addDays, dayOf, startOfDay } from '../platform/days';
import { stream } from './random';
import { hasRow, sql } from '../platform/db/querier';

const DAYS = 91;
const PAID_AFTER_S = 1800;
const CONFIRMED_AFTER_S = 3600;
const BTC_NOW = 97_240;
const SETTING = 'demo.money';

/** A random walk of the bitcoin price, backwards from today; the price of work follows it weakly. */
async function seedPrices(pool: Pool, today: string): Promise<void> {
  const random = stream(20_260_102);
  let btc = BTC_NOW;
  let work = 1;
  for (let ago = 0; ago <= DAYS; ago += 1) {
    for (const algorithm of ALGORITHM_NAMES) {
      await pool.query(
        `insert into day_price (day, algorithm, price_btc, btc_price_usd, source)
         values ($1, $2, $3, $4, 'demo')
         on conflict do nothing`,
        [
          addDays(today, -ago),
          algorithm,
          Number((ALGORITHMS[algorithm].defaultPriceBtc * work).toPrecision(4)),
          Math.round(btc),
        ],
      );
    }
    btc *= 1 + (random() - 0.5) * 0.03;
    work *= 1 + (random() - 0.5) * 0.006;
  }
}

/** Idempotent: a day is closed once, a payment is opened and moved once. `start`: the demo's start, Unix seconds. */
export async function seedMoney(pool: Pool, terms: ClosingTerms, start: number): Promise<void> {
  if (await hasRow(pool)`select from setting where name = ${SETTING}`) return;
  const today = dayOf(start);
  await seedPrices(pool, today);
  for (let ago = DAYS; ago >= 1; ago -= 1) {
    const closing = startOfDay(addDays(today, 1 - ago)) + PAID_AFTER_S;
    if (closing > start) break;
    await closeDays(pool, terms, closing);
    for (const { id } of await openPayments(pool, closing)) {
      // The last payment stays pending, so that the admin has one to approve.
      if (ago === 1) continue;
      const txid = createHash('sha256').update(`demo ${id}`).digest('hex');
      await transaction(pool, async (client) => {
        const usdAtSend = (await bitcoinPrice(client, closing)).price;
        const sent = { status: 'sent', txid, networkFeeSat: 1410, usdAtSend } as const;
        let { version } = await movePayment(client, id, { status: 'queued', version: 1 }, closing);
        ({ version } = await movePayment(client, id, { ...sent, version }, closing));
        await movePayment(client, id, { status: 'confirmed', version }, closing + CONFIRMED_AFTER_S);
      });
    }
  }
  await pool.query(sql`insert into setting (name, value) values (${SETTING}, 'true') on conflict do nothing`);
}
