/** The signed-in user: names, password, two-step sign-in, sessions on other devices. */
import { type Call, clientOf, ownOf, type Register, signedIn } from './calls';
import { setKnown } from './cookies';
import { errors } from './errors';
import {
  backupCodesJson,
  deviceJson,
  emailJson,
  NEW_EMAIL_ID,
  newEmailJson,
  passkeyJson,
  totpJson,
  userJson,
} from './resources';
import type { OwnEmail } from './own-email';
import type { IdentityService } from './service';
import { activeSessions, type SignedIn, type UserRow } from './store';
import type { PasskeyRow } from './passkeys';

/** `name`: what a device calls the pool. */
export function passkeyRoutes(on: Register, service: IdentityService, name: string): void {
  const { passkeys } = service;
  const answer = async (call: Call, { row, user }: { row: PasskeyRow; user: UserRow }, more = {}) => ({
    response: { ...passkeyJson(row), ...more },
    client: await clientOf(service, { ...signedIn(call), user }, call.origin),
  });
  const idOf = ({ request }: Call): string => request.params.id ?? '';

  on('/v1/me/passkeys', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const { client, flow } = await passkeys.begin(visitor, name, call.origin);
      const now = new Date();
      const row = { id: flow.id, name: '', lastUsedAt: null, createdAt: now, updatedAt: now };
      return {
        response: passkeyJson(row, flow.passkey),
        client: await clientOf(service, { ...visitor, client }, call.origin),
      };
    },
  });
  on('/v1/me/passkeys/:id/attempt_verification', {
    POST: async (call) => {
      const { body, origin, device } = call;
      return answer(
        call,
        await passkeys.finish(signedIn(call), idOf(call), body.public_key_credential, origin, device),
      );
    },
  });
  on('/v1/me/passkeys/:id', {
    PATCH: async (call) => answer(call, await passkeys.rename(signedIn(call), idOf(call), call.body.name)),
    DELETE: async (call) =>
      answer(call, await passkeys.remove(signedIn(call), idOf(call), call.device), { deleted: true }),
  });
}

/** What confirms the address of a signed-in user. */
function ownAddress({ ownEmail }: IdentityService): OwnEmail {
  if (!ownEmail) throw errors.badStrategy();
  return ownEmail;
}
const addressOf = ({ device }: Call): string => device.ip ?? '';

/** `issuer`: what an authenticator app calls the pool. */
export function userRoutes(on: Register, service: IdentityService, issuer: string): void {
  const { db, twoStep } = service;
  const own = async (visitor: SignedIn) =>
    userJson(visitor.user, await ownOf(service, visitor), visitor.session.signedInAt);
  on('/v1/me', {
    GET: async (call) => {
      const visitor = signedIn(call);
      return { response: await own(visitor), client: null };
    },
    PATCH: async (call) => {
      const visitor = signedIn(call);
      const user = await service.updateNames(visitor.user, {
        firstName: call.body.first_name,
        lastName: call.body.last_name,
      });
      return {
        response: await own({ ...visitor, user }),
        client: await clientOf(service, { ...visitor, user }, call.origin),
      };
    },
  });
  on('/v1/me/change_password', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const { current_password: current, new_password: next, sign_out_of_other_sessions: others } = call.body;
      const user = await service.changePassword(
        visitor,
        { current, next, signOutOthers: others !== 'false' },
        call.device,
      );
      setKnown(call.request, call.reply, user, call.device.browser);
      return {
        response: await own({ ...visitor, user }),
        client: await clientOf(service, visitor, call.origin),
      };
    },
  });
  const isNew = ({ request }: Call): boolean => request.params.id === NEW_EMAIL_ID;
  on('/v1/me/email_addresses', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const client = await ownAddress(service).change(visitor, call.body.email_address);
      return {
        response: newEmailJson(call.body.email_address ?? ''),
        client: await clientOf(service, { ...visitor, client }, call.origin),
      };
    },
  });
  on('/v1/me/email_addresses/:id/prepare_verification', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const client = await ownAddress(service).sendCode(visitor, call.device, isNew(call));
      return {
        response: isNew(call) ? newEmailJson((client.flow as { email: string }).email) : emailJson(visitor.user),
        client: await clientOf(service, { ...visitor, client }, call.origin),
      };
    },
  });
  on('/v1/me/email_addresses/:id/attempt_verification', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const user = await ownAddress(service).attemptCode(visitor, call.body.code, call.device, isNew(call));
      return { response: emailJson(user), client: await clientOf(service, { ...visitor, user }, call.origin) };
    },
  });
  on('/v1/me/totp', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const { user, ...found } = await twoStep.begin(visitor, issuer);
      return { response: totpJson(user, found), client: await clientOf(service, { ...visitor, user }, call.origin) };
    },
    DELETE: async (call) => {
      const visitor = signedIn(call);
      const user = await twoStep.disable(visitor, addressOf(call));
      return {
        response: { ...totpJson(user, {}), deleted: true },
        client: await clientOf(service, { ...visitor, user }, call.origin),
      };
    },
  });
  on('/v1/me/totp/attempt_verification', {
    POST: async (call) => {
      const { visitor, codes } = await twoStep.confirm(signedIn(call), call.body.code, addressOf(call));
      return {
        response: totpJson(visitor.user, { backup_codes: codes }),
        client: await clientOf(service, visitor, call.origin),
      };
    },
  });
  on('/v1/me/backup_codes/', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const { user, codes } = await twoStep.renewCodes(visitor, addressOf(call));
      return {
        response: backupCodesJson(user, codes),
        client: await clientOf(service, { ...visitor, user }, call.origin),
      };
    },
  });
  on('/v1/me/sessions/active', {
    GET: async (call) => (await activeSessions(db, signedIn(call).user.id)).map(deviceJson),
  });
  on('/v1/me/sessions/:id/revoke', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const [found] = (await activeSessions(db, visitor.user.id)).filter((row) => row.id === call.request.params.id);
      if (!found || !(await service.revoke(visitor.user, found.id))) throw errors.notFound();
      return {
        response: deviceJson({ ...found, status: 'revoked' }),
        client: await clientOf(service, visitor, call.origin),
      };
    },
  });
}
