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

/** A user's call as an admin's call. `field`: of its query, which names the account. */
const asAdmin = <const C extends `GET ${string}`, Q extends z.ZodRawShape, R extends z.ZodType>(
  call: C,
  own: Omit<Endpoint, 'query'> & { query: z.ZodObject<Q>; response: R },
  field = 'userName',
) =>
  userCall(ADMIN, {
    viewAs: { call, field },
    summary: `${own.summary}, as the user sees it`,
    query: own.query.extend(viewedUser),
    response: own.response,
  });

/** Calls of an admin who views the pages as a user: read-only and audited. */
export const viewAs = {
  'GET /userDashboard/hashchart': asAdmin('GET /hashchart/', hashrate['GET /hashchart/']),
  'GET /userDashboard/liveHashchart': asAdmin('GET /liveHashchart/', hashrate['GET /liveHashchart/']),
  'GET /userDashboard/proxyHashchart': asAdmin('GET /proxyHashchart/', hashrate['GET /proxyHashchart/']),
  'GET /userDashboard/proxyLiveHashchart': asAdmin('GET /proxyLiveHashchart/', hashrate['GET /proxyLiveHashchart/']),
  'GET /userDashboard/liveWorkers': asAdmin('GET /liveWorkers/', workers['GET /liveWorkers/']),
  'GET /userDashboard/connectionInfo': asAdmin('GET /connectionInfo/', account['GET /connectionInfo/']),
  'GET /userDashboard/getUserInfo': asAdmin('GET /getUserInfo/', { ...account['GET /getUserInfo/'], query: none }),
  'GET /userDashboard/wallet': asAdmin('GET /wallet/', account['GET /wallet/'], 'accountName'),
  'GET /userDashboard/paymentsHistory': asAdmin(
    'GET /paymentsHistory/',
    payments['GET /paymentsHistory/'],
    'accountName',
  ),
  'GET /userDashboard/payment': asAdmin('GET /payment/', payments['GET /payment/'], 'currentAccount'),
  'GET /userDashboard/subAccounts': asAdmin('GET /subAccounts/', { ...account['GET /subAccounts/'], query: none }),
  'GET /userDashboard/workerGroups': asAdmin('GET /workerGroups/', workers['GET /workerGroups/']),
};
