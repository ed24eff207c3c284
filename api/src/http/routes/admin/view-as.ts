/** Calls of an admin that are answered by the user's own handlers, called as that user (http/auth/view-as.ts). */
import { ADMIN, type Call } from '@pool/shared/api/contract';
import type { Deps } from '../../context/deps';
import { problems } from '../../server/problem';
import { guard } from '../../auth/authorise';
import type { Context, Handlers } from '../../auth/route';
import { viewAsIsReadOnly } from '../../auth/view-as';
import type { ZodApp } from '../../server/server';

export type ViewCall = Extract<Call, `GET /userDashboard/${string}`>;
type Asked = Pick<Context<'GET /userDashboard/wallet'>, 'me' | 'request' | 'reply'> & {
  query: { userName: string; isMainAccount?: boolean } & Record<string, unknown>;
};

const OWN: Record<ViewCall, [call: Exclude<Call, ViewCall>, field?: string]> = {
  'GET /userDashboard/hashchart': ['GET /hashchart/'],
  'GET /userDashboard/liveHashchart': ['GET /liveHashchart/'],
  'GET /userDashboard/proxyHashchart': ['GET /proxyHashchart/'],
  'GET /userDashboard/proxyLiveHashchart': ['GET /proxyLiveHashchart/'],
  'GET /userDashboard/liveWorkers': ['GET /liveWorkers/'],
  'GET /userDashboard/connectionInfo': ['GET /connectionInfo/'],
  'GET /userDashboard/getUserInfo': ['GET /getUserInfo/'],
  'GET /userDashboard/wallet': ['GET /wallet/', 'accountName'],
  'GET /userDashboard/paymentsHistory': ['GET /paymentsHistory/', 'accountName'],
  'GET /userDashboard/payment': ['GET /payment/', 'currentAccount'],
  'GET /userDashboard/subAccounts': ['GET /subAccounts/'],
  'GET /userDashboard/workerGroups': ['GET /workerGroups/'],
};

export function viewAsRoutes(
  { principals: { viewAs } }: Deps,
  own: Omit<Handlers, ViewCall>,
): Pick<Handlers, ViewCall> {
  const answer = ([call, field = 'userName']: (typeof OWN)[ViewCall]) => {
    const handle = own[call] as (context: object) => unknown;
    return async ({ me, query, request, reply }: Asked) => {
      const { userName, isMainAccount } = query;
      const owner = await viewAs.ownerOf(userName);
      if (!owner || (isMainAccount && owner.userName !== userName)) throw problems.notFound();
      const viewed = await viewAs.look(me, owner, request);
      return handle({ me: viewed, query: { ...query, [field]: query[field] ?? userName }, request, reply });
    };
  };
  const entries = Object.entries(OWN).map(([call, to]) => [call, answer(to)]);
  return Object.fromEntries(entries) as Pick<Handlers, ViewCall>;
}

export function refuseWrites(app: ZodApp, principals: Deps['principals']): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/userDashboard/*',
    schema: { hide: true },
    onRequest: guard({ who: 'user', requires: ADMIN }, principals),
    handler: () => {
      throw viewAsIsReadOnly();
    },
  });
}
