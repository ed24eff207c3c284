import { z } from 'zod';
import * as s from '../schemas';
import { account } from './account';
import { ADMIN, endpoint, type Endpoint } from './endpoint';
import { hashrate } from './hashrate';
import { payments } from './payments';
import { workers } from './workers';

/** Whose pages: `userName` is a user's, or with `isMainAccount=false` the name of one of its sub-accounts. */
const whose = { userName: s.accountName, isMainAccount: z.stringbool().default(true) };
const withWhose = <Q extends z.ZodRawShape>(query: z.ZodObject<Q>) => query.extend(whose);
const none = z.strictObject({});

/** A user's own call, as an admin sees it. */
const seen = <Q extends z.ZodRawShape, R extends z.ZodType>(own: Endpoint & { response: R }, query: z.ZodObject<Q>) =>
  endpoint({
    who: 'user',
    requires: ADMIN,
    summary: `${own.summary}, as the user sees it`,
    query: withWhose(query),
    response: own.response,
  });

/** What an admin sees of a user: the user's own calls, read-only and audited. */
export const viewAs = {
  'GET /userDashboard/hashchart': seen(hashrate['GET /hashchart/'], hashrate['GET /hashchart/'].query),
  'GET /userDashboard/liveHashchart': seen(hashrate['GET /liveHashchart/'], hashrate['GET /liveHashchart/'].query),
  'GET /userDashboard/proxyHashchart': seen(hashrate['GET /proxyHashchart/'], hashrate['GET /proxyHashchart/'].query),
  'GET /userDashboard/proxyLiveHashchart': seen(
    hashrate['GET /proxyLiveHashchart/'],
    hashrate['GET /proxyLiveHashchart/'].query,
  ),
  'GET /userDashboard/liveWorkers': seen(workers['GET /liveWorkers/'], workers['GET /liveWorkers/'].query),
  'GET /userDashboard/connectionInfo': seen(account['GET /connectionInfo/'], account['GET /connectionInfo/'].query),
  'GET /userDashboard/getUserInfo': seen(account['GET /getUserInfo/'], none),
  'GET /userDashboard/wallet': seen(account['GET /wallet/'], account['GET /wallet/'].query),
  'GET /userDashboard/paymentsHistory': seen(
    payments['GET /paymentsHistory/'],
    payments['GET /paymentsHistory/'].query,
  ),
  'GET /userDashboard/payment': seen(payments['GET /payment/'], payments['GET /payment/'].query),
  'GET /userDashboard/subAccounts': seen(account['GET /subAccounts/'], none),
  'GET /userDashboard/workerGroups': seen(workers['GET /workerGroups/'], workers['GET /workerGroups/'].query),
};
