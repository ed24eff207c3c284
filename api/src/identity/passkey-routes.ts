/** The passkeys of the signed-in user. */
import { type Call, clientOf, type Register, signedIn } from './calls';
import { passkeyJson } from './resources';
import type { IdentityService } from './service';
import type { PasskeyRow } from './passkeys';
import type { UserRow } from './store';

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
