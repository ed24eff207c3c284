import { z } from 'zod';
import * as s from '../schemas';
import { account } from './account';
import { ADMIN, userCall, type Endpoint } from './endpoint';
import { hashrate } from './hashrate';
import { payments } from './payments';
import { workers } from './workers';

/** `userName`: of a user, or of one of its sub-accounts unless `isMainAccount`, which is then shown. */
const viewedUser = { userName: s.accountName, isMainAccount: z.stringbool().optional() };
const none = z.strictObject({});

/** A user's call as an admin's call. */
const asAdmin = <Q extends z.ZodRawShape, R extends z.ZodType>(
  own: Omit<Endpoint, 'query'> & { query: z.ZodObject<Q>; response: R },
) =>
  userCall(ADMIN, {
    summary: `${own.summary}, as the user sees it`,
    query: own.query.extend(viewedUser),
    response: own.response,
  });

/** Calls of an admin who views the pages as a user: read-only and audited. */
export const viewAs = {
  'GET /userDashboard/hashchart': asAdmin(hashrate['GET /hashchart/']),
  'GET /userDashboard/liveHashchart': asAdmin(hashrate['GET /liveHashchart/']),
  'GET /userDashboard/proxyHashchart': asAdmin(hashrate['GET /proxyHashchart/']),
  'GET /userDashboard/proxyLiveHashchart': asAdmin(hashrate['GET /proxyLiveHashchart/']),
  'GET /userDashboard/liveWorkers': asAdmin(workers['GET /liveWorkers/']),
  'GET /userDashboard/connectionInfo': asAdmin(account['GET /connectionInfo/']),
  'GET /userDashboard/getUserInfo': asAdmin({ ...account['GET /getUserInfo/'], query: none }),
  'GET /userDashboard/wallet': asAdmin(account['GET /wallet/']),
  'GET /userDashboard/paymentsHistory': asAdmin(payments['GET /paymentsHistory/']),
  'GET /userDashboard/payment': asAdmin(payments['GET /payment/']),
  'GET /userDashboard/subAccounts': asAdmin({ ...account['GET /subAccounts/'], query: none }),
  'GET /userDashboard/workerGroups': asAdmin(workers['GET /workerGroups/']),
};
