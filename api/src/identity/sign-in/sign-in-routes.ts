/** Sign-in and sign-up: each is a flow that the browser may continue later. */
import { OPERATOR_COOKIE } from '@pool/shared/page-start';
import { type Call, clientOf, type Handler, type Routes } from '../calls';
import { setKnown, setSecret, setState } from '../cookies';
import { errors } from '../errors';
import { clientJson, RESET, signInJson, signUpJson } from '../resources';
import type { IdentityService } from '../service';
import type { Begun, Entered, EntryFlow } from './sign-in';
import type { Flow } from '../store';

const answerOf = (flow: EntryFlow) => (flow.kind === 'sign_in' ? signInJson(flow) : signUpJson(flow));

export function signInRoutes(service: IdentityService): Routes {
  const { signIn } = service;
  const begun = ({ client, flow, secret }: Begun, { request, reply }: Call) => {
    if (secret) setSecret(request, reply, secret);
    return { response: answerOf(flow), client: clientJson({ client, session: null, user: null }, null) };
  };
  const entered = async ({ visitor, secret }: Entered, { request, reply, origin, device }: Call) => {
    setSecret(request, reply, secret);
    setState(request, reply, visitor);
    setKnown(request, reply, visitor.user, device.browser);
    return { response: answerOf(visitor.client.flow as EntryFlow), client: await clientOf(service, visitor, origin) };
  };

  const after = (result: Begun | Entered, call: Call) =>
    'visitor' in result ? entered(result, call) : begun(result, call);

  /** The browser's flow of the path. */
  const flowOf = <K extends EntryFlow['kind']>({ visitor, request }: Call, kind: K) => {
    const flow = visitor?.client.flow as Flow | null | undefined;
    if (!visitor || flow?.kind !== kind || flow.id !== request.params.id) throw errors.notFound();
    return { flow: flow as Extract<EntryFlow, { kind: K }>, client: visitor.client };
  };
  const openSignIn = (call: Call) => {
    const open = flowOf(call, 'sign_in');
    if (call.visitor?.session) throw errors.signedIn();
    return open;
  };

  const signUp: Handler = async (call) => {
    const { username: userName, email_address: email, first_name: firstName, last_name: lastName } = call.body;
    const { password } = call.body;
    const operatorCode = call.request.cookies[OPERATOR_COOKIE];
    const input = { userName, email, firstName, lastName, password, operatorCode };
    return after(await service.signUp.attempt(call.visitor, input, call.device), call);
  };
  return {
    'POST /v1/client/sign_ins': async (call) => {
      const { body, visitor, device, origin } = call;
      if (body.strategy === 'passkey') return begun(await signIn.beginPasskey(visitor, origin, device.ip), call);
      const start = await signIn.begin(visitor, body.identifier, device.ip);
      if (!body.password) return begun(start, call);
      return after(await signIn.attemptPassword(start, body.password, device, errors.wrongPair), call);
    },
    'GET /v1/client/sign_ins/:id': async (call) => ({
      response: signInJson(flowOf(call, 'sign_in').flow),
      client: null,
    }),
    'POST /v1/client/sign_ins/:id/prepare_first_factor': async (call) => {
      const { flow, client } = openSignIn(call);
      if (!service.reset || call.body.strategy !== RESET) throw errors.badStrategy();
      return begun(await service.reset.sendCode(client, flow, call.device), call);
    },
    'POST /v1/client/sign_ins/:id/attempt_first_factor': async (call) => {
      const open = openSignIn(call);
      const { strategy, code, public_key_credential: answer } = call.body;
      if (open.flow.strategy === 'passkey' && strategy === 'passkey')
        return entered(await signIn.attemptPasskey(open, answer, call.origin, call.device), call);
      if (service.reset && strategy === RESET)
        return begun(await service.reset.attemptCode(open.client, open.flow, code, call.device), call);
      if (strategy !== 'password') throw errors.badStrategy();
      return after(await signIn.attemptPassword(open, call.body.password, call.device), call);
    },
    'POST /v1/client/sign_ins/:id/reset_password': async (call) => {
      const { flow, client } = openSignIn(call);
      if (!service.reset) throw errors.badStrategy();
      return after(await service.reset.setPassword(client, flow, call.body.password, call.device), call);
    },
    'POST /v1/client/sign_ins/:id/attempt_second_factor': async (call) => {
      const { flow, client } = openSignIn(call);
      return entered(await signIn.attemptCode(client, flow, call.body, call.device), call);
    },
    'POST /v1/client/sign_ups': signUp,
    'GET /v1/client/sign_ups/:id': async (call) => ({
      response: signUpJson(flowOf(call, 'sign_up').flow),
      client: null,
    }),
    'PATCH /v1/client/sign_ups/:id': signUp,
    'POST /v1/client/sign_ups/:id/prepare_verification': async (call) => {
      const { flow, client } = flowOf(call, 'sign_up');
      return begun(await service.signUp.sendCode(client, flow, call.device), call);
    },
    'POST /v1/client/sign_ups/:id/attempt_verification': async (call) => {
      const { flow, client } = flowOf(call, 'sign_up');
      return entered(await service.signUp.attemptCode(client, flow, call.body.code, call.device), call);
    },
  };
}
