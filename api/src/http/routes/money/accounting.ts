import { ALL_ACCOUNTS, DEFAULT_ALGORITHM } from '@pool/shared/domain';
import type { FastifyRequest } from 'fastify';
import { transaction } from '../../../platform/db/transaction';
import { findSubAccount } from '../../../accounts/accounts';
import { writeAudit } from '../../../platform/audit';
import { adjustEarning } from '../../../money/accounting/adjust';
import { beginEarning } from '../../../money/accounting/earnings';
import { changesOn } from '../../../money/accounting/compare';
import { mathOf } from '../../../money/accounting/math';
import { dayOf, addDays } from '../../../platform/days';
import { priceInBounds, pricesSince, setPrice } from '../../../money/accounting/prices';
import { nextTerm, setTerm, termOn, type PoolTerm } from '../../../money/accounting/terms';
import { readableAccount, readableAccounts } from '../../context/readable-accounts';
import type { Deps } from '../../context/deps';
import { once } from '../../auth/idempotency';
import { actorOf, type Principal } from '../../auth/principal';
import { found, problems } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';

const PRICE_DAYS = 60;
const CLOSED = 'That day is closed: its price stays. Correct single earnings instead.';

export function accountingRoutes(deps: Deps) {
  const { pool, config, now } = deps;
  const fallback = (name: PoolTerm): number => (name === 'pool_fee' ? config.POOL_FEE_PERCENT : 0);
  const today = (): string => dayOf(now());
  const read = (name: PoolTerm) => async () => ({
    ...(await termOn(pool, name, today(), fallback(name))),
    next: await nextTerm(pool, name, today()),
  });
  const write = (name: PoolTerm) => (context: { me: Principal; request: FastifyRequest; body: { value: number } }) =>
    transaction(pool, async (client) => {
      // Today keeps the terms it began with.
      const after = { value: context.body.value, since: addDays(today(), 1) };
      const before = await setTerm(client, name, after.value, after.since, fallback(name));
      await writeAudit(client, actorOf(context), 'terms.change', name, { before, after });
      return { ...after, next: null };
    });
  return {
    'GET /newbeeCost/': read('newbee_cost'),
    'PUT /newbeeCost/': write('newbee_cost'),
    'GET /newbeeAdjust/': read('newbee_adjust'),
    'PUT /newbeeAdjust/': write('newbee_adjust'),
    'GET /poolFee': read('pool_fee'),
    'PUT /poolFee': write('pool_fee'),
    'GET /prices': () => pricesSince(pool, addDays(today(), -PRICE_DAYS)),
    'PUT /prices': (context) => {
      const { day = today(), ...price } = context.body;
      if (!priceInBounds(price))
        throw problems.invalid('The price is far from anything such work was ever worth.', [
          { path: 'priceBtc', message: 'is out of bounds' },
        ]);
      if (day > today())
        throw problems.invalid('That day has not begun.', [{ path: 'day', message: 'is in the future' }]);
      return transaction(pool, async (client) => {
        const done = await setPrice(client, day, price, 'manual', now());
        if (!done) throw problems.conflict('day_closed', CLOSED);
        await writeAudit(client, actorOf(context), 'price.change', `${price.algorithm}/${day}`, done);
        return done.after;
      });
    },
    'GET /earnings/{day}/math': async ({ me, params: { day }, query: { accountName, algorithm } }) => {
      const account = await readableAccount(deps, me, accountName);
      return found(await mathOf(pool, account, algorithm ?? DEFAULT_ALGORITHM, day));
    },
    'GET /earnings/{day}/changes': async ({
      me,
      params: { day },
      query: { accountName = ALL_ACCOUNTS, algorithm },
    }) => {
      const accounts = (await readableAccounts(deps, me, accountName)).map(({ id }) => id);
      const [changes] = (await changesOn(pool, accounts, day, algorithm)).values();
      return changes ?? { day, netSat: 0, against: [] };
    },
    'PUT /earnings/{day}': async (context) => {
      const { params, body, me } = context;
      const { day } = params;
      const account = found(await findSubAccount(pool, body.account));
      const { answer } = await once(pool, me, context.request, now(), async (client) => {
        const { algorithm, paidWork } = body;
        if (paidWork !== undefined)
          await beginEarning(
            client,
            { subAccountId: account.id, algorithm, day },
            { poolFeePercent: config.POOL_FEE_PERCENT },
          );
        const done = await adjustEarning(client, { ...body, day, userId: me.user.id }, now());
        const math = done && (await mathOf(client, account, algorithm, day));
        if (!done || !math) throw problems.notFound();
        await writeAudit(client, actorOf(context), 'earning.adjust', `${body.account}/${algorithm}/${day}`, {
          before: done.before,
          after: { ...done.after, note: body.note },
        });
        return math;
      });
      return answer;
    },
  } satisfies Partial<Handlers>;
}
