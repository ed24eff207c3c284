import { z } from 'zod';
import * as s from '../schemas';
import { account } from './account';
import { ADMIN, endpoint, type Endpoint } from './endpoint';
import { hashrate } from './hashrate';
import { payments } from './payments';
import { workers } from './workers';

/**
 * The user to view as: `userName` is a user's name, or the name of one of its sub-accounts unless `isMainAccount` is
 * true. The account shown is that one where the query names no other.
 */
const viewedUser = { userName: s.accountName, isMainAccount: z.stringbool().optional() };
const withViewedUser = <Q extends z.ZodRawShape>(query: z.ZodObject<Q>) => query.extend(viewedUser);
const none = z.strictObject({});

/** A user's call as an admin's call. */
const asAdmin = <Q extends z.ZodRawShape, R extends z.ZodType>(
  own: Endpoint & { response: R },
  query: z.ZodObject<Q>,
) =>
  endpoint({
    who: 'user',
    requires: ADMIN,
    summary: `${own.summary}, as the user sees it`,
    query: withViewedUser(query),
    response: own.response,
  });

/** Calls of an admin who views the pages as a user: read-only and audited. */
export const viewAs = {
  'GET /userDashboard/hashchart': asAdmin(hashrate['GET /hashchart/'], hashrate['GET /hashchart/'].query),
  'GET /userDashboard/liveHashchart': asAdmin(hashrate['GET /liveHashchart/'], hashrate['GET /liveHashchart/'].query),
  'GET /userDashboard/proxyHashchart': asAdmin(
    hashrate['GET /proxyHashchart/'],
    hashrate['GET /proxyHashchart/'].query,
  ),
  'GET /userDashboard/proxyLiveHashchart': asAdmin(
    hashrate['GET /proxyLiveHashchart/'],
    hashrate['GET /proxyLiveHashchart/'].query,
  ),
  'GET /userDashboard/liveWorkers': asAdmin(workers['GET /liveWorkers/'], workers['GET /liveWorkers/'].query),
  'GET /userDashboard/connectionInfo': asAdmin(account['GET /connectionInfo/'], account['GET /connectionInfo/'].query),
  'GET /userDashboard/getUserInfo': asAdmin(account['GET /getUserInfo/'], none),
  'GET /userDashboard/wallet': asAdmin(account['GET /wallet/'], account['GET /wallet/'].query),
  'GET /userDashboard/paymentsHistory': asAdmin(
    payments['GET /paymentsHistory/'],
    payments['GET /paymentsHistory/'].query,
  ),
  'GET /userDashboard/payment': asAdmin(payments['GET /payment/'], payments['GET /payment/'].query),
  'GET /userDashboard/subAccounts': asAdmin(account['GET /subAccounts/'], none),
  'GET /userDashboard/workerGroups': asAdmin(workers['GET /workerGroups/'], workers['GET /workerGroups/'].query),
};
