/** Calls of an admin that are answered by the user's own handlers, called as that user (http/auth/view-as.ts). */
import { ADMIN } from '@pool/shared/api/contract';
import type { AppUser } from '../../../accounts/accounts';
import type { Deps } from '../../context/deps';
import { problems } from '../../server/problem';
import { guard, type Context, type Handlers } from '../../auth/route';
import { viewAsIsReadOnly } from '../../auth/view-as';
import type { ZodApp } from '../../server/server';

/** Handlers of calls that are not an admin's view. */
type Own = Omit<Handlers, `GET /userDashboard/${string}`>;
type AdminContext = Pick<Context<'GET /userDashboard/wallet'>, 'me' | 'request' | 'reply'> & {
  query: { userName: string; isMainAccount?: boolean };
};

export function viewAsRoutes({ principals }: Deps, own: Own) {
  const ownerOf = async ({ userName, isMainAccount }: AdminContext['query']): Promise<AppUser> => {
    const owner = await principals.viewAs.ownerOf(userName);
    if (!owner || (isMainAccount && owner.userName !== userName)) throw problems.notFound();
    return owner;
  };
  /** Context for the user's own handler. */
  const as = async ({ me, query, request, reply }: AdminContext) => ({
    me: await principals.viewAs.look(me, await ownerOf(query), request),
    request,
    reply,
    params: undefined,
    body: undefined,
  });

  return {
    'GET /userDashboard/hashchart': async (asked) =>
      own['GET /hashchart/']({ ...(await as(asked)), query: asked.query }),
    'GET /userDashboard/liveHashchart': async (asked) =>
      own['GET /liveHashchart/']({ ...(await as(asked)), query: asked.query }),
    'GET /userDashboard/proxyHashchart': async (asked) =>
      own['GET /proxyHashchart/']({ ...(await as(asked)), query: asked.query }),
    'GET /userDashboard/proxyLiveHashchart': async (asked) =>
      own['GET /proxyLiveHashchart/']({ ...(await as(asked)), query: asked.query }),
    'GET /userDashboard/liveWorkers': async (asked) =>
      own['GET /liveWorkers/']({ ...(await as(asked)), query: asked.query }),
    'GET /userDashboard/connectionInfo': async (asked) =>
      own['GET /connectionInfo/']({ ...(await as(asked)), query: asked.query }),
    'GET /userDashboard/getUserInfo': async (asked) =>
      own['GET /getUserInfo/']({ ...(await as(asked)), query: undefined }),
    'GET /userDashboard/wallet': async (asked) =>
      own['GET /wallet/']({
        ...(await as(asked)),
        query: { accountName: asked.query.accountName ?? asked.query.userName },
      }),
    'GET /userDashboard/paymentsHistory': async (asked) =>
      own['GET /paymentsHistory/']({
        ...(await as(asked)),
        query: { ...asked.query, accountName: asked.query.accountName ?? asked.query.userName },
      }),
    'GET /userDashboard/payment': async (asked) =>
      own['GET /payment/']({
        ...(await as(asked)),
        query: { currentAccount: asked.query.currentAccount ?? asked.query.userName },
      }),
    'GET /userDashboard/subAccounts': async (asked) =>
      own['GET /subAccounts/']({ ...(await as(asked)), query: undefined }),
    'GET /userDashboard/workerGroups': async (asked) =>
      own['GET /workerGroups/']({ ...(await as(asked)), query: asked.query }),
  } satisfies Partial<Handlers>;
}

/** Refuses every write below /userDashboard. */
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
