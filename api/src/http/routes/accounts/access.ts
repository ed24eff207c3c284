import { isAdmin, withSubjects } from '@pool/shared/ability';
import { subAccountsOf } from '../../../accounts/accounts';
import { auditPage } from '../../../platform/audit';
import { makeToken, revokeToken, tokensOf, type TokenKind } from '../../../accounts/access-tokens';
import { cursorAt, offsetOf } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import { personOf, type Principal } from '../../auth/principal';
import { poolOrigin } from '../../../platform/origin-of';
import { accountsOf, rulesOf } from '../../context/readable-accounts';
import { problems } from '../../../platform/refused';
import type { Context, Handlers } from '../../auth/route';

export function accessRoutes(deps: Deps) {
  const { pool, principals, remotes, signFor, now } = deps;
  const list =
    (kind: TokenKind) =>
    ({ me }: { me: Principal }) =>
      tokensOf(pool, me.user.id, kind);
  const make =
    (kind: TokenKind) =>
    async ({ me, body, request }: Pick<Context<'POST /watchers'>, 'me' | 'body' | 'request'>) => {
      const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
      if (expiresAt && expiresAt.getTime() <= now() * 1000)
        throw problems.invalid('The expiry is in the past.', [{ path: 'expiresAt', message: 'is in the past' }]);
      const holder = { userId: me.user.id, madeBy: personOf(me).id, ip: request.ip };
      return makeToken(pool, holder, kind, { ...body, expiresAt });
    };
  const revoke =
    (kind: TokenKind) =>
    async ({ me, params, request }: Pick<Context<'DELETE /watchers/{id}'>, 'me' | 'params' | 'request'>) => {
      await revokeToken(pool, me.user.id, kind, params.id, request.ip);
      principals.forget();
      return { revoked: true as const };
    };
  return {
    'GET /watch': async ({ me }) => {
      const { user, ability, token } = me;
      if (!token) throw problems.notFound();
      return {
        userName: user.userName,
        isLegacyUser: user.isLegacyUser,
        scopes: [...token.scopes],
        expiresAt: token.expiresAt?.toISOString() ?? null,
        rules: rulesOf(ability),
        subAccounts: (await subAccountsOf(pool, user.id)).map(({ id, name }) => ({ id, name })),
        remotes: await remotes.listFor(me),
      };
    },
    'POST /remotes/token': async ({ me, body: { origin }, request }) => {
      const asking = (await remotes.listFor(me)).filter(({ connect }) => connect?.includes(origin));
      if (asking.length === 0) throw problems.forbidden();
      const { user, member, identityId, ability } = me;
      const claims = {
        iss: poolOrigin(deps, request),
        sub: identityId,
        aud: origin,
        name: personOf(me).userName,
        account: user.userName,
        ...(member && { organization: { id: member.organizationId, role: member.role } }),
        // A role may be limited to some sub-accounts.
        ...(member?.accounts && { accounts: (await accountsOf(pool, me)).map(({ name }) => name) }),
        can: Object.fromEntries(
          rulesOf(asking.reduce(withSubjects, ability)).map(({ action, subject }) => [subject, action]),
        ),
      };
      return { token: await signFor(claims) };
    },
    'GET /watchers': list('watcher'),
    'POST /watchers': make('watcher'),
    'DELETE /watchers/{id}': revoke('watcher'),
    'GET /apiKeys': list('api_key'),
    'POST /apiKeys': make('api_key'),
    'DELETE /apiKeys/{id}': revoke('api_key'),
    'GET /audit': async ({ me, query: { cursor, limit, ...filter } }) => {
      // The cursor is the id of the last row: a page far back costs as much as the first one.
      const { rows, total, more } = await auditPage(pool, isAdmin(me.ability) ? null : me.user.id, filter, {
        limit,
        before: offsetOf(cursor) || null,
      });
      return { rows, total, nextCursor: more ? cursorAt(rows.at(-1)?.id ?? 0) : null };
    },
  } satisfies Partial<Handlers>;
}
