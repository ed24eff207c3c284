/** The browser and its session: state, tokens, sign-out, entering the password again. */
import { type Call, clientOf, type Register, signedIn } from './calls';
import { forget, setState } from './cookies';
import { clientJson, sessionJson, verificationJson } from './resources';
import type { IdentityService } from './service';
import { seen, type SignedIn } from './store';

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
    const token = await service.token(visitor, origin);
    return { response: sessionJson(visitor, token), client: clientJson(visitor, token) };
  };
  on('/v1/client/sessions/:session', { GET: async (call) => session(signedIn(call), call.origin) });
  on('/v1/client/sessions/:session/touch', {
    POST: async (call) => {
      const visitor = signedIn(call);
      await seen(db, visitor.session);
      return session(visitor, call.origin);
    },
  });
  on('/v1/client/sessions/:session/tokens', {
    POST: async (call) => {
      const visitor = signedIn(call);
      await seen(db, visitor.session);
      return { object: 'token', jwt: await service.token(visitor, call.origin) };
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
            ...sessionJson({ ...visitor, session: { ...visitor.session, status } }, ''),
            last_active_token: null,
          },
          client: clientJson({ client: visitor.client, session: null, user: null }, null),
        };
      },
    });
  }
  const verification = async (
    visitor: SignedIn,
    origin: string,
    status: 'needs_first_factor' | 'needs_second_factor' | 'complete',
  ) => {
    const token = await service.token(visitor, origin);
    return { response: verificationJson(visitor, token, status), client: clientJson(visitor, token) };
  };
  on('/v1/client/sessions/:session/verify', {
    POST: async (call) => verification(signedIn(call), call.origin, 'needs_first_factor'),
  });
  on('/v1/client/sessions/:session/verify/attempt_first_factor', {
    POST: async (call) => {
      const visitor = await service.verifyAgain(signedIn(call), call.body.password, call.device.ip ?? '');
      return verification(visitor, call.origin, visitor.user.totpSince ? 'needs_second_factor' : 'complete');
    },
  });
  on('/v1/client/sessions/:session/verify/attempt_second_factor', {
    POST: async (call) => {
      const { strategy, code } = call.body;
      const visitor = await service.twoStep.verifyAgain(signedIn(call), strategy, code, call.device.ip ?? '');
      return verification(visitor, call.origin, 'complete');
    },
  });
}
