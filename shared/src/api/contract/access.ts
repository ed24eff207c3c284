import { z } from 'zod';
import { otherOrigin, remoteManifest } from '../../contract/remote-schema';
import * as s from '../schemas';
import { manages, reads, byId, anyWatcherCall, cursorPage, page, userCall } from './endpoint';

const newToken = z.strictObject({
  name: s.label,
  scopes: z.array(s.scope).min(1).max(3),
  expiresAt: s.isoTime.nullable().optional(),
});
const tokens = z.array(s.accessToken);
/** The only response that contains the token. */
const made = s.accessToken.extend({ token: z.string() });
const revoked = z.object({ revoked: z.literal(true) });

/** Watcher links, API keys, tokens for other servers, and the audit log. */
export const access = {
  'GET /watch': anyWatcherCall({
    summary: 'Get what a watcher link shows: whose accounts, its scopes, permissions and expiry, the remotes to load',
    response: z.object({
      userName: s.accountName,
      isLegacyUser: z.boolean(),
      scopes: z.array(s.scope),
      expiresAt: s.isoTime.nullable(),
      rules: z.array(z.object({ action: z.string(), subject: z.string() })),
      subAccounts: z.array(s.subAccount.pick({ id: true, name: true })),
      remotes: z.array(remoteManifest),
    }),
  }),
  'GET /watchers': userCall(reads('access'), { summary: 'List my watcher links', response: tokens }),
  'POST /watchers': userCall(manages('access'), {
    sudo: true,
    summary: 'Create a watcher link',
    body: newToken,
    response: made,
  }),
  'DELETE /watchers/{id}': userCall(manages('access'), {
    summary: 'Revoke a watcher link',
    params: byId,
    response: revoked,
  }),
  'GET /apiKeys': userCall(reads('access'), { summary: 'List my API keys', response: tokens }),
  'POST /apiKeys': userCall(manages('access'), {
    sudo: true,
    summary: 'Create an API key',
    body: newToken,
    response: made,
  }),
  'DELETE /apiKeys/{id}': userCall(manages('access'), {
    summary: 'Revoke an API key',
    params: byId,
    response: revoked,
  }),
  'POST /remotes/token': userCall(manages('person'), {
    summary:
      "Get a token for an API of a remote's team, which says who asks and what he may do. The operator has allowed its origin",
    body: z.strictObject({ origin: otherOrigin }),
    /** `token`: a JWT (RS256, keys at `/.well-known/jwks.json`) of five minutes with the origin as its audience. */
    response: z.object({ token: z.string() }),
  }),
  'GET /audit': userCall(reads('log'), {
    summary:
      'List audit log entries, newest first: own ones, for an admin those of all users. `total` counts at most 10,000',
    query: z.strictObject({
      userName: s.accountName.optional(),
      action: z
        .string()
        .regex(/^[a-z_.]{1,64}$/)
        .optional(),
      subject: z.string().max(64).optional(),
      from: s.day.optional(),
      to: s.day.optional(),
      ...cursorPage,
    }),
    response: page(s.auditEntry),
  }),
};
