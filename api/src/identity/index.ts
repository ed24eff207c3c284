/** Identifies callers: by the embedded sign-in service, or by the hosted one when a publishable key is configured. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PublicConfig } from '@pool/shared/config';
import type { Pool } from 'pg';
import type { Membership } from '../accounts/organizations/organizations';
import { every } from '../platform/every';
import type { Secrets } from '../platform/secrets';
import { originOf } from '../platform/origin-of';
import type { Mailer } from '../messages/mail';
import { clerkJsUrls, formPreloads } from './clerk-js';
import { clientSecret, forget, setSession, setState } from './cookies';
import { linkPages, recoveryPages } from './mails/plain-pages';
import { openKeys, publishableKey as embeddedKey, type SigningKeys } from './tokens/keys';
import { identityPlugin, type Retry } from './plugin';
import type { IdentityUrls } from './environment';
import { IdentityService } from './service';
import { findVisitor, provenAt, seen, workingSessions, type SignedIn } from './store';
import type { PoolAccounts } from './people/users';
import { createVerifier, type Verified, type VerifyToken } from './tokens/verify';

export { clerkJsPlugin } from './clerk-js';
export { IdentityError } from './errors';
export { SIGNING_KEY } from './tokens/keys';
export { RECENT_S, removeTwoStep, totpOwner } from './factors/two-step';
export { createIdentityUser, resetPassword, type AccountEvent, type PoolAccounts } from './people/users';
export { TokenError, type Verified } from './tokens/verify';

const RECOVERY_MS = 60_000;

export type IdentityOptions = {
  db: Pool;
  pool: PoolAccounts;
  /** Encrypts the secrets of authenticator apps. */
  secrets: Secrets;
  /** Publishable key of the hosted service; without it the embedded one is used. */
  publishableKey?: string;
  /** Sends codes; null: nothing is offered that needs a mail. */
  mailer?: Mailer | null;
  /** Address of the pages, for links in mails; without it mails have none. */
  publicUrl?: string;
  applicationName?: string;
  supportEmail: string;
  urls: IdentityUrls;
  /** Whom sessions that were ended are told, here and by other processes. */
  changes?: { callers(ended: readonly string[]): void; onCallers(listener: (ended: readonly string[]) => void): void };
};

export type Identity = {
  /** The `identity` part of the page's public config. */
  config: PublicConfig['identity'];
  /** Throws `TokenError`. */
  verifyToken: VerifyToken;
  /** Returns the sessions that have not ended; with the hosted service all, as it does not report their end. */
  workingSessions(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Call after sessions were ended in the database: their tokens are refused from now on. */
  sessionsEnded(ids: readonly string[]): void;
  /** Signs a token for another server, with the key at `/.well-known/jwks.json`, also where sign-in is hosted. */
  signFor: SigningKeys['signFor'];
  /** Registers the pool's keys, and the embedded service under `/__clerk`. */
  register(app: FastifyInstance, retry?: Retry): Promise<void>;
  /**
   * The caller of a page. Call it for every HTML response: it also puts a new session token into the `__session`
   * cookie, so that the page's first API calls need not wait for clerk-js. Null: a visitor, or not known before
   * clerk-js has run.
   */
  page(request: FastifyRequest, reply: FastifyReply): Promise<Verified | null>;
  /** Account of a request, by which it is counted: of its token, else of its browser's session. Null: a visitor's. */
  accountOf(request: FastifyRequest): Promise<string | null>;
  /** The caller of a file, from the cookies alone and without setting any. */
  who(request: FastifyRequest): Promise<Verified | null>;
  /** Sends notices of lost second factors, and removes those whose time is over. Done every minute by itself. */
  recover(): Promise<void>;
  /** `<link>` tags for the head of the page at `path`: the files that Clerk will request there. */
  preloads(path: string): string[];
};

async function accountOfToken(verifyToken: VerifyToken, request: FastifyRequest): Promise<string | null> {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? request.cookies.__session;
  const verified = token ? await verifyToken(token, request.host).catch(() => null) : null;
  return verified?.identityId ?? null;
}

export async function openIdentity({
  db,
  pool,
  secrets,
  publishableKey,
  mailer = null,
  publicUrl,
  applicationName = 'Mining Pool',
  supportEmail,
  urls,
  changes,
}: IdentityOptions): Promise<Identity> {
  const config = { ...urls, ...clerkJsUrls() };
  const keys = await openKeys(db, secrets);
  const publishKeys = (app: FastifyInstance, prefix = '') =>
    void app.get(`${prefix}/.well-known/jwks.json`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(keys.jwks),
    );
  const preloads = (path: string): string[] =>
    [config.signInUrl, config.signUpUrl].flatMap((form, index) =>
      path === form || path.startsWith(`${form}/`) ? formPreloads(index ? 'signup' : 'signin') : [],
    );
  if (publishableKey) {
    const verifyToken = createVerifier({ publishableKey });
    const caller = async (request: FastifyRequest): Promise<Verified | null> => {
      const token = request.cookies.__session;
      return token ? verifyToken(token, request.host).catch(() => null) : null;
    };
    return {
      config: { ...config, publishableKey },
      verifyToken,
      workingSessions: (ids) => Promise.resolve(new Set(ids)),
      sessionsEnded: () => undefined,
      signFor: keys.signFor,
      register: async (app) => publishKeys(app),
      recover: async () => undefined,
      page: caller,
      who: caller,
      accountOf: (request) => accountOfToken(verifyToken, request),
      preloads,
    };
  }
  const service = new IdentityService(db, keys, pool, secrets, mailer, publicUrl);
  if (changes) {
    service.tellEnded = (ids) => changes.callers(ids);
    changes.onCallers((ids) => service.noteEnded(ids));
  }
  const verified = (visitor: SignedIn, active: Membership | null): Verified => ({
    identityId: visitor.user.id,
    sessionId: visitor.session.id,
    signedInAt: provenAt(visitor),
    ...(active ? { organizationId: active.organization.id, organizationRole: active.member.role } : {}),
  });
  const verifyToken = createVerifier({ publishableKey: embeddedKey(), jwks: keys.jwks, session: service.session });
  return {
    config: { ...config, publishableKey: embeddedKey(), proxyUrl: '/__clerk', sendsMail: mailer !== null },
    verifyToken,
    preloads,
    recover: async () => service.recovery?.run(),
    workingSessions: (ids) => workingSessions(db, ids),
    sessionsEnded: (ids) => service.markEnded(ids),
    signFor: keys.signFor,
    register: async (app, retry = () => null) => {
      publishKeys(app);
      publishKeys(app, '/__clerk');
      await app.register(identityPlugin, { prefix: '/__clerk', service, applicationName, supportEmail, urls, retry });
      const { recovery } = service;
      const { signInUrl } = urls;
      if (!recovery) return;
      linkPages(app, { service, pool, signInUrl });
      recoveryPages(app, { service, recovery, signInUrl });
      const recoveries = every(RECOVERY_MS, () => recovery.run(), app.log, 'recoveries wait: it is tried again');
      app.addHook('onClose', () => recoveries.stop());
    },
    page: async (request, reply) => {
      const secret = clientSecret(request);
      const visitor = await findVisitor(db, secret);
      if (!visitor?.session) {
        forget(request, reply, { secret: secret !== undefined && !visitor });
        return null;
      }
      await seen(db, visitor.session);
      setState(request, reply, visitor);
      const active = await service.activeOf(visitor);
      setSession(request, reply, await service.pageToken(visitor, originOf(request), active));
      return verified(visitor, active);
    },
    accountOf: async (request) => {
      const secret = clientSecret(request);
      const ofBrowser = async (): Promise<string | null> => (await findVisitor(db, secret))?.user?.id ?? null;
      return (await accountOfToken(verifyToken, request)) ?? (secret ? ofBrowser().catch(() => null) : null);
    },
    who: async (request) => {
      const visitor = await findVisitor(db, clientSecret(request));
      return visitor?.session ? verified(visitor, await service.activeOf(visitor)) : null;
    },
  };
}
