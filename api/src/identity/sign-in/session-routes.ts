/** The browser and its session: state, tokens, sign-out, entering the password again. */
import { type Call, clientOf, type Handler, type Routes, shownOf, signedIn } from '../calls';
import { forget, setState } from '../cookies';
import { errors } from '../errors';
import { clientJson, sessionJson, verificationJson, type VerificationState } from '../resources';
import type { IdentityService } from '../service';
import { seen, type Challenge, type SignedIn } from '../store';

export function sessionRoutes(service: IdentityService): Routes {
  const { db } = service;
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
  const end =
    (status: 'ended' | 'removed'): Handler =>
    async (call) => {
      const visitor = signedIn(call);
      await service.signOut(visitor, status);
      forget(call.request, call.reply, { secret: true });
      const ended = { ...visitor, session: { ...visitor.session, status } };
      const nothing = { token: '', active: null, passkeys: [], memberships: [] };
      return {
        response: { ...sessionJson(ended, nothing), last_active_token: null },
        client: clientJson({ client: visitor.client, session: null, user: null }, null),
      };
    };
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
  return {
    'GET /v1/client': async ({ request, reply, visitor, origin }) => {
      setState(request, reply, visitor);
      if (visitor?.session) await seen(db, visitor.session);
      return { response: visitor ? await clientOf(service, visitor, origin) : null, client: null };
    },
    'DELETE /v1/client': signOut,
    'DELETE /v1/client/sessions': signOut,
    'POST /v1/client/sessions/:session/end': end('ended'),
    'POST /v1/client/sessions/:session/remove': end('removed'),
    'GET /v1/client/sessions/:session': async (call) => session(signedIn(call), call.origin),
    'POST /v1/client/sessions/:session/touch': async (call) => {
      const visitor = await service.actIn(signedIn(call), call.body.active_organization_id);
      await seen(db, visitor.session);
      return session(visitor, call.origin);
    },
    'POST /v1/client/sessions/:session/tokens': async (call) => {
      const visitor = signedIn(call);
      await seen(db, visitor.session);
      // Each tab of clerk-js asks for tokens of the organization that it shows.
      const active = await service.activeOf(visitor, call.body.organization_id);
      return { object: 'token', jwt: await service.token(visitor, call.origin, active) };
    },
    'POST /v1/client/sessions/:session/verify': async (call) =>
      verification(call, signedIn(call), 'needs_first_factor'),
    'POST /v1/client/sessions/:session/verify/prepare_first_factor': async (call) => {
      const visitor = signedIn(call);
      if (call.body.strategy !== 'passkey') throw errors.badStrategy();
      const { client, asked } = await service.passkeys.askAgain(visitor, call.origin);
      return verification(call, { ...visitor, client }, 'needs_first_factor', asked);
    },
    'POST /v1/client/sessions/:session/verify/attempt_first_factor': async (call) => {
      const { password, strategy, public_key_credential: answer } = call.body;
      const { ip } = call.device;
      if (strategy === 'passkey') {
        const proven = await service.passkeys.verifyAgain(signedIn(call), answer, call.origin, ip);
        return verification(call, proven, 'complete');
      }
      const visitor = await service.verifyAgain(signedIn(call), password, ip);
      return verification(call, visitor, visitor.user.totpSince ? 'needs_second_factor' : 'complete');
    },
    'POST /v1/client/sessions/:session/verify/attempt_second_factor': async (call) => {
      const { strategy, code } = call.body;
      const visitor = await service.twoStep.verifyAgain(signedIn(call), strategy, code, call.device.ip);
      return verification(call, visitor, 'complete');
    },
  };
}
