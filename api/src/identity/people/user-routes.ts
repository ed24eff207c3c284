/** The signed-in user: names, password, passkeys, two-step sign-in, sessions on other devices. */
import { type Call, clientOf, ownOf, type Routes, signedIn } from '../calls';
import { setKnown } from '../cookies';
import { errors } from '../errors';
import {
  backupCodesJson,
  deviceJson,
  emailJson,
  NEW_EMAIL_ID,
  newEmailJson,
  passkeyJson,
  totpJson,
  userJson,
} from '../resources';
import type { OwnEmail } from '../mails/own-email';
import type { IdentityService } from '../service';
import { activeSessions, type ClientRow, type SignedIn, type UserRow } from '../store';

/** What confirms the address of a signed-in user. */
function ownAddress({ ownEmail }: IdentityService): OwnEmail {
  if (!ownEmail) throw errors.badStrategy();
  return ownEmail;
}
const idOf = ({ request }: Call): string => request.params.id ?? '';
const isNew = (call: Call): boolean => idOf(call) === NEW_EMAIL_ID;

/** `name`: what a device and an authenticator app call the pool. */
export function userRoutes(service: IdentityService, name: string): Routes {
  const { db, twoStep, passkeys } = service;
  const own = async (visitor: SignedIn) =>
    userJson(visitor.user, await ownOf(service, visitor), visitor.session.signedInAt);
  /** `changed`: what the call has made another one. */
  const answer = async (call: Call, response: unknown, changed: { user?: UserRow; client?: ClientRow } = {}) => ({
    response,
    client: await clientOf(service, { ...signedIn(call), ...changed }, call.origin),
  });

  return {
    'POST /v1/me/passkeys': async (call) => {
      const { client, flow } = await passkeys.begin(signedIn(call), name, call.origin);
      const now = new Date();
      const row = { id: flow.id, name: '', lastUsedAt: null, createdAt: now, updatedAt: now };
      return answer(call, passkeyJson(row, flow.passkey), { client });
    },
    'POST /v1/me/passkeys/:id/attempt_verification': async (call) => {
      const { body, origin, device } = call;
      const credential = body.public_key_credential;
      const { row, user } = await passkeys.finish(signedIn(call), idOf(call), credential, origin, device);
      return answer(call, passkeyJson(row), { user });
    },
    'PATCH /v1/me/passkeys/:id': async (call) => {
      const { row, user } = await passkeys.rename(signedIn(call), idOf(call), call.body.name);
      return answer(call, passkeyJson(row), { user });
    },
    'DELETE /v1/me/passkeys/:id': async (call) => {
      const { row, user } = await passkeys.remove(signedIn(call), idOf(call), call.device);
      return answer(call, { ...passkeyJson(row), deleted: true }, { user });
    },
    'GET /v1/me': async (call) => ({ response: await own(signedIn(call)), client: null }),
    'PATCH /v1/me': async (call) => {
      const { first_name: firstName, last_name: lastName } = call.body;
      const user = await service.updateNames(signedIn(call).user, { firstName, lastName });
      return answer(call, await own({ ...signedIn(call), user }), { user });
    },
    'POST /v1/me/change_password': async (call) => {
      const { current_password: current, new_password: next, sign_out_of_other_sessions: others } = call.body;
      const input = { current, next, signOutOthers: others !== 'false' };
      const user = await service.changePassword(signedIn(call), input, call.device);
      setKnown(call.request, call.reply, user, call.device.browser);
      return answer(call, await own({ ...signedIn(call), user }));
    },
    'POST /v1/me/email_addresses': async (call) => {
      const client = await ownAddress(service).change(signedIn(call), call.body.email_address);
      return answer(call, newEmailJson(call.body.email_address ?? ''), { client });
    },
    'POST /v1/me/email_addresses/:id/prepare_verification': async (call) => {
      const visitor = signedIn(call);
      const client = await ownAddress(service).sendCode(visitor, call.device, isNew(call));
      const { email } = client.flow as { email: string };
      return answer(call, isNew(call) ? newEmailJson(email) : emailJson(visitor.user), { client });
    },
    'POST /v1/me/email_addresses/:id/attempt_verification': async (call) => {
      const user = await ownAddress(service).attemptCode(signedIn(call), call.body.code, call.device, isNew(call));
      return answer(call, emailJson(user), { user });
    },
    'POST /v1/me/totp': async (call) => {
      const { user, ...found } = await twoStep.begin(signedIn(call), name);
      return answer(call, totpJson(user, found), { user });
    },
    'DELETE /v1/me/totp': async (call) => {
      const user = await twoStep.disable(signedIn(call), call.device.ip);
      return answer(call, { ...totpJson(user, {}), deleted: true }, { user });
    },
    'POST /v1/me/totp/attempt_verification': async (call) => {
      const { visitor, codes } = await twoStep.confirm(signedIn(call), call.body.code, call.device.ip);
      return answer(call, totpJson(visitor.user, { backup_codes: codes }), visitor);
    },
    'POST /v1/me/backup_codes/': async (call) => {
      const { user, codes } = await twoStep.renewCodes(signedIn(call), call.device.ip);
      return answer(call, backupCodesJson(user, codes), { user });
    },
    'GET /v1/me/sessions/active': async (call) => (await activeSessions(db, signedIn(call).user.id)).map(deviceJson),
    'POST /v1/me/sessions/:id/revoke': async (call) => {
      const { user } = signedIn(call);
      const found = (await activeSessions(db, user.id)).find(({ id }) => id === idOf(call));
      if (!found || !(await service.revoke(user, found.id))) throw errors.notFound();
      return answer(call, deviceJson({ ...found, status: 'revoked' }));
    },
  };
}
