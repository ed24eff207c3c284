/**
 * Lets an admin see a user's pages: the user's own handlers, called as that user, without a role and without any write.
 * Each access is recorded in the audit log, at most once in ten minutes per call.
 */
import { eq } from 'drizzle-orm';
import { writeAudit } from '../../../accounts/audit';
import { abilityFor } from '@pool/shared/ability';
import { ADMIN, type Contract } from '@pool/shared/api/contract';
import { appUser } from '../../../db/schema';
import { findSubAccount, type AppUser } from '../../../accounts/accounts';
import { Remembered } from '../../../remembered';
import type { Deps } from '../../context/deps';
import type { Principal } from '../../auth/principal';
import { problems } from '../../server/problem';
import { guard, type Context, type Handlers, type SomeHandlers } from '../../auth/route';
import type { ZodApp } from '../../server/server';

type Calls = Extract<keyof Contract, `GET /userDashboard/${string}`>;
type Own = Pick<
  Handlers,
  | 'GET /hashchart/'
  | 'GET /liveHashchart/'
  | 'GET /proxyHashchart/'
  | 'GET /proxyLiveHashchart/'
  | 'GET /liveWorkers/'
  | 'GET /connectionInfo/'
  | 'GET /getUserInfo/'
  | 'GET /wallet/'
  | 'GET /paymentsHistory/'
  | 'GET /payment/'
  | 'GET /subAccounts/'
  | 'GET /workerGroups/'
>;
type AdminContext = Pick<Context<Calls>, 'me' | 'request' | 'reply'> & {
  query: { userName: string; isMainAccount: boolean };
};

const RECORDED_MS = 600_000;

export function viewAsRoutes({ database: { db } }: Deps, own: Own): SomeHandlers<Calls> {
  const recorded = new Remembered<void>(RECORDED_MS, 10_000);

  const ownerOf = async ({ userName, isMainAccount }: AdminContext['query']): Promise<AppUser> => {
    const account = await findSubAccount(db, userName);
    const [owner] = account ? await db.select().from(appUser).where(eq(appUser.id, account.userId)) : [];
    if (!owner || (isMainAccount && owner.userName !== userName)) throw problems.notFound();
    return owner;
  };
  /** Context for the user's own handler: a read-only ability for the user's own accounts only. */
  const as = async ({ me, query, request, reply }: AdminContext, call: string) => {
    const owner = await ownerOf(query);
    await recorded.get(`${me.user.id} ${owner.id} ${call}`, async () => {
      const actor = { actorId: me.user.id, ip: request.ip };
      await writeAudit(db, actor, 'view_as.read', owner.userName, { after: { call } });
    });
    const seen: Principal = {
      user: owner,
      ability: abilityFor({ ...owner, readOnly: true }),
      identityId: owner.identityId,
      sessionId: '',
      signedInAt: new Date(0),
    };
    return { me: seen, request, reply, params: undefined, body: undefined };
  };

  return {
    'GET /userDashboard/hashchart': async (asked) =>
      own['GET /hashchart/']({ ...(await as(asked, 'hashchart')), query: asked.query }),
    'GET /userDashboard/liveHashchart': async (asked) =>
      own['GET /liveHashchart/']({ ...(await as(asked, 'liveHashchart')), query: asked.query }),
    'GET /userDashboard/proxyHashchart': async (asked) =>
      own['GET /proxyHashchart/']({ ...(await as(asked, 'proxyHashchart')), query: asked.query }),
    'GET /userDashboard/proxyLiveHashchart': async (asked) =>
      own['GET /proxyLiveHashchart/']({ ...(await as(asked, 'proxyLiveHashchart')), query: asked.query }),
    'GET /userDashboard/liveWorkers': async (asked) =>
      own['GET /liveWorkers/']({ ...(await as(asked, 'liveWorkers')), query: asked.query }),
    'GET /userDashboard/connectionInfo': async (asked) =>
      own['GET /connectionInfo/']({ ...(await as(asked, 'connectionInfo')), query: asked.query }),
    'GET /userDashboard/getUserInfo': async (asked) => {
      return own['GET /getUserInfo/']({ ...(await as(asked, 'getUserInfo')), query: undefined });
    },
    'GET /userDashboard/wallet': async (asked) =>
      own['GET /wallet/']({ ...(await as(asked, 'wallet')), query: { accountName: named(asked.query) } }),
    'GET /userDashboard/paymentsHistory': async (asked) =>
      own['GET /paymentsHistory/']({
        ...(await as(asked, 'paymentsHistory')),
        query: { ...asked.query, accountName: named(asked.query) },
      }),
    'GET /userDashboard/payment': async (asked) =>
      own['GET /payment/']({
        ...(await as(asked, 'payment')),
        query: { currentAccount: asked.query.isMainAccount ? asked.query.currentAccount : asked.query.userName },
      }),
    'GET /userDashboard/subAccounts': async (asked) =>
      own['GET /subAccounts/']({ ...(await as(asked, 'subAccounts')), query: undefined }),
    'GET /userDashboard/workerGroups': async (asked) =>
      own['GET /workerGroups/']({ ...(await as(asked, 'workerGroups')), query: asked.query }),
  };
}

/** The sub-account of the request: the one the query names within a user's account, else the named account itself. */
const named = ({
  userName,
  isMainAccount,
  accountName,
}: AdminContext['query'] & { accountName?: string }): string | undefined => (isMainAccount ? accountName : userName);

/** Refuses every write below /userDashboard. */
export function viewAsIsReadOnly(app: ZodApp, principals: Deps['principals']): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/userDashboard/*',
    schema: { hide: true },
    onRequest: guard({ who: 'user', requires: ADMIN }, principals),
    handler: () => {
      throw problems.forbidden('view_as_read_only', "Another user's pages are only looked at.");
    },
  });
}
