/** Sign-in and sign-up: each is a flow that the browser may continue later. */
import { OPERATOR_COOKIE } from '@pool/shared/page-start';
import { type Call, clientOf, type Handler, type Register } from './calls';
import { setKnown, setSecret, setState } from './cookies';
import { errors } from './errors';
import { clientJson, RESET, signInJson, signUpJson } from './resources';
import type { IdentityService } from './service';
import type { Begun, Entered, EntryFlow } from './sign-in';
import type { Flow } from './store';

const answerOf = (flow: EntryFlow) => (flow.kind === 'sign_in' ? signInJson(flow) : signUpJson(flow));

export function signInRoutes(on: Register, service: IdentityService): void {
  const { signIn } = service;
  const begun = ({ client: row, flow, secret }: Begun, { request, reply }: Call) => {
    if (secret) setSecret(request, reply, secret);
    return {
      response: answerOf(flow),
      client: clientJson({ client: row, session: null, user: null }, null),
    };
  };
  const entered = async ({ visitor, secret }: Entered, { request, reply, origin, device }: Call) => {
    setSecret(request, reply, secret);
    setState(request, reply, visitor);
    setKnown(request, reply, visitor.user, device.browser);
    return {
      response: answerOf(visitor.client.flow as EntryFlow),
      client: await clientOf(service, visitor, origin),
    };
  };

  const after = (result: Begun | Entered, call: Call) =>
    'visitor' in result ? entered(result, call) : begun(result, call);

  on('/v1/client/sign_ins', {
    POST: async (call) => {
      const { body, visitor, device, origin } = call;
      if (body.strategy === 'passkey') return begun(await signIn.beginPasskey(visitor, origin, device.ip ?? ''), call);
      const start = await signIn.begin(visitor, body.identifier, device.ip ?? '');
      if (!body.password) return begun(start, call);
      return after(await signIn.attemptPassword(start, body.password, device, errors.wrongPair), call);
    },
  });
  const signInFlow = ({ visitor, request }: Call) => {
    const flow = visitor?.client.flow as Flow | null | undefined;
    if (!visitor || flow?.kind !== 'sign_in' || flow.id !== request.params.id) throw errors.notFound();
    return { flow, visitor };
  };
  const openSignIn = (call: Call) => {
    const { flow, visitor } = signInFlow(call);
    if (visitor.session) throw errors.signedIn();
    return { flow, visitor };
  };
  on('/v1/client/sign_ins/:id', {
    GET: async (call) => ({ response: signInJson(signInFlow(call).flow), client: null }),
  });
  on('/v1/client/sign_ins/:id/prepare_first_factor', {
    POST: async (call) => {
      const { flow, visitor } = openSignIn(call);
      if (!service.reset || call.body.strategy !== RESET) throw errors.badStrategy();
      return begun(await service.reset.sendCode(visitor.client, flow, call.device), call);
    },
  });
  on('/v1/client/sign_ins/:id/attempt_first_factor', {
    POST: async (call) => {
      const { flow, visitor } = openSignIn(call);
      const { strategy, code, public_key_credential: answer } = call.body;
      if (flow.strategy === 'passkey' && strategy === 'passkey') {
        const client = visitor.client;
        return entered(await signIn.attemptPasskey({ client, flow }, answer, call.origin, call.device), call);
      }
      if (service.reset && strategy === RESET)
        return begun(await service.reset.attemptCode(visitor.client, flow, code, call.device), call);
      if (strategy !== 'password') throw errors.badStrategy();
      const begins = { client: visitor.client, flow };
      return after(await signIn.attemptPassword(begins, call.body.password, call.device), call);
    },
  });
  on('/v1/client/sign_ins/:id/reset_password', {
    POST: async (call) => {
      const { flow, visitor } = openSignIn(call);
      if (!service.reset) throw errors.badStrategy();
      return after(await service.reset.setPassword(visitor.client, flow, call.body.password, call.device), call);
    },
  });
  on('/v1/client/sign_ins/:id/attempt_second_factor', {
    POST: async (call) => {
      const { flow, visitor } = openSignIn(call);
      return entered(await signIn.attemptCode(visitor.client, flow, call.body, call.device), call);
    },
  });

  const signUp: Handler = async (call) => {
    const { body, visitor, device, request } = call;
    const result = await service.signUp.attempt(
      visitor,
      {
        userName: body.username,
        email: body.email_address,
        firstName: body.first_name,
        lastName: body.last_name,
        password: body.password,
        operatorCode: request.cookies[OPERATOR_COOKIE],
      },
      device,
    );
    return after(result, call);
  };
  on('/v1/client/sign_ups', { POST: signUp });
  const signUpFlow = ({ visitor, request }: Call) => {
    const flow = visitor?.client.flow as Flow | null | undefined;
    if (!visitor || flow?.kind !== 'sign_up' || flow.id !== request.params.id) throw errors.notFound();
    return { flow, client: visitor.client };
  };
  on('/v1/client/sign_ups/:id', {
    GET: async (call) => ({ response: signUpJson(signUpFlow(call).flow), client: null }),
    PATCH: signUp,
  });
  on('/v1/client/sign_ups/:id/prepare_verification', {
    POST: async (call) => {
      const { flow, client } = signUpFlow(call);
      return begun(await service.signUp.sendCode(client, flow, call.device), call);
    },
  });
  on('/v1/client/sign_ups/:id/attempt_verification', {
    POST: async (call) => {
      const { flow, client } = signUpFlow(call);
      return entered(await service.signUp.attemptCode(client, flow, call.body.code, call.device), call);
    },
  });
}
