/** The browser and its session: state, tokens, sign-out, entering the password again. */
import { type Call, clientOf, type Register, shownOf, signedIn } from '../calls';
import { forget, setState } from '../cookies';
import { errors } from '../errors';
import { clientJson, sessionJson, verificationJson, type VerificationState } from '../resources';
import type { IdentityService } from '../service';
import { seen, type Challenge, type SignedIn } from '../store';

export function sessionRoutes(on: Register, service: IdentityService): void {
  const { db } = service;
  on('/v1/client', {
    GET: async ({ request, reply, visitor, origin }) => {
      setState(request, reply, visitor);
      if (visitor?.session) await seen(db, visitor.session);
      return { response: visitor ? await clientOf(service, visitor, origin) : null, client: null };
    },
    DELETE: async (call) => signOut(call),
  });
  on('/v1/client/sessions', { DELETE: async (call) => signOut(call) });

  const signOut = async ({ visitor, request, reply }: Call) => {
    if (visitor?.session) await service.signOut(visitor);
    forget(request, reply, { secret: true });
    return {
      response: visitor
        ? clientJson({ client: { ...visitor.client, flow: null }, session: null, user: null }, null)
        : null,
      client: null,
    };
  };

  const session = async (visitor: SignedIn, origin: string) => {
    const shown = await shownOf(service, visitor, origin);
    return { response: sessionJson(visitor, shown), client: clientJson(visitor, shown) };
  };
  on('/v1/client/sessions/:session', { GET: async (call) => session(signedIn(call), call.origin) });
  on('/v1/client/sessions/:session/touch', {
    POST: async (call) => {
      const visitor = await service.actIn(signedIn(call), call.body.active_organization_id);
      await seen(db, visitor.session);
      return session(visitor, call.origin);
    },
  });
  on('/v1/client/sessions/:session/tokens', {
    POST: async (call) => {
      const visitor = signedIn(call);
      await seen(db, visitor.session);
      // Each tab of clerk-js asks for tokens of the organization that it shows.
      const active = await service.activeOf(visitor, call.body.organization_id);
      return { object: 'token', jwt: await service.token(visitor, call.origin, active) };
    },
  });
  for (const [action, status] of [
    ['end', 'ended'],
    ['remove', 'removed'],
  ] as const) {
    on(`/v1/client/sessions/:session/${action}`, {
      POST: async (call) => {
        const visitor = signedIn(call);
        await service.signOut(visitor, status);
        forget(call.request, call.reply, { secret: true });
        return {
          response: {
            ...sessionJson(
              { ...visitor, session: { ...visitor.session, status } },
              { token: '', active: null, passkeys: [], memberships: [] },
            ),
            last_active_token: null,
          },
          client: clientJson({ client: visitor.client, session: null, user: null }, null),
        };
      },
    });
  }
  const verification = async (
    { origin }: Call,
    visitor: SignedIn,
    status: VerificationState['status'],
    asked?: Challenge,
  ) => {
    const shown = await shownOf(service, visitor, origin);
    const offered = service.passkeys.isOffered(origin) && shown.passkeys.length > 0;
    return {
      response: verificationJson(visitor, shown, { status, offered, asked }),
      client: clientJson(visitor, shown),
    };
  };
  on('/v1/client/sessions/:session/verify', {
    POST: async (call) => verification(call, signedIn(call), 'needs_first_factor'),
  });
  on('/v1/client/sessions/:session/verify/prepare_first_factor', {
    POST: async (call) => {
      const visitor = signedIn(call);
      if (call.body.strategy !== 'passkey') throw errors.badStrategy();
      const { client, asked } = await service.passkeys.askAgain(visitor, call.origin);
      return verification(call, { ...visitor, client }, 'needs_first_factor', asked);
    },
  });
  on('/v1/client/sessions/:session/verify/attempt_first_factor', {
    POST: async (call) => {
      const { password, strategy, public_key_credential: answer } = call.body;
      const ip = call.device.ip ?? '';
      if (strategy === 'passkey') {
        const proven = await service.passkeys.verifyAgain(signedIn(call), answer, call.origin, ip);
        return verification(call, proven, 'complete');
      }
      const visitor = await service.verifyAgain(signedIn(call), password, ip);
      return verification(call, visitor, visitor.user.totpSince ? 'needs_second_factor' : 'complete');
    },
  });
  on('/v1/client/sessions/:session/verify/attempt_second_factor', {
    POST: async (call) => {
      const { strategy, code } = call.body;
      const visitor = await service.twoStep.verifyAgain(signedIn(call), strategy, code, call.device.ip ?? '');
      return verification(call, visitor, 'complete');
    },
  });
}
