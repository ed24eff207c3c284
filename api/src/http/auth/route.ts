/** Registers routes from the contract: what it says about a call is checked, serialised and documented here. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { contract, type Call, type Contract, type Endpoint, type Who } from '@pool/shared/api/contract';
import { answerCall } from './answer';
import { guard } from './authorise';
import { isKept } from './kept';
import type { Principal } from './principal';
import { carryOut, keepWaiting, type Shown } from './waiting';
import type { Deps } from '../context/deps';
import type { Prepared } from '../server/prepared';
import type { ZodApp } from '../server/server';

type Part<C extends Call, K extends 'params' | 'query' | 'body'> = Contract[C] extends {
  [P in K]: infer S extends z.ZodType;
}
  ? z.output<S>
  : undefined;
/** `me` is null only for calls open to visitors. */
type Me<C extends Call> = Contract[C]['who'] extends 'visitor' ? Principal | null : Principal;

export type Context<C extends Call> = {
  params: Part<C, 'params'>;
  query: Part<C, 'query'>;
  body: Part<C, 'body'>;
  me: Me<C>;
  request: FastifyRequest;
  reply: Reply;
};
export type Reply = {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  removeHeader(name: string): Reply;
};
type Given<C extends Call> = z.input<Contract[C]['response']> | Prepared;
type Handler<C extends Call> = (context: Context<C>) => Promise<Given<C>> | Given<C>;
/** A call that may wait for another person says itself what it would change; null: this one waits for nobody. */
type WaitingHandler<C extends Call> = {
  shows(context: Context<C>): Promise<Shown | null> | Shown | null;
  handle: Handler<C>;
};
/** Every call of the contract but those that another one answers (`viewAs`); leaving one out does not compile. */
export type Handlers = {
  [C in Exclude<Call, `GET /userDashboard/${string}`>]: Contract[C] extends { waits: { for: readonly ['time'] } }
    ? Handler<C>
    : Contract[C] extends { waits: object }
      ? WaitingHandler<C>
      : Handler<C>;
};
type AnyHandler = (context: object) => Promise<unknown>;
/** What makes a call, once nobody has to confirm it any more. */
export const handleOf = (handler: unknown): AnyHandler =>
  (typeof handler === 'object' && handler !== null && 'handle' in handler ? handler.handle : handler) as AnyHandler;

/** A parameter that a call does not know is refused, also where the call has no parameters. */
const NO_QUERY = z.strictObject({});
export const queryOf = ({ query }: Endpoint): z.ZodObject => query ?? NO_QUERY;
const WHO: readonly Who[] = ['visitor', 'user', 'watcher'];

const SECURITY: Record<Who, { [scheme: string]: string[] }[]> = {
  visitor: [],
  user: [{ session: [] }],
  watcher: [{ session: [] }, { token: [] }],
};

/** Requests a minute for calls that could be used to guess secrets or look up names, or that others wait for. */
const TIGHT: Partial<Record<Call, number>> = {
  'POST /referral/activate': 10,
  'GET /organization/invitation': 30,
  'POST /organization/invitation': 30,
  'POST /organization/join': 30,
  'POST /subAccounts/': 30,
  'POST /watchers': 60,
  'POST /poolConfigs/': 300,
  'PUT /poolConfigs/{id}': 300,
  'POST /apiKeys': 60,
  'POST /telegram/': 30,
  'POST /telegram/{id}/test': 10,
  'POST /push': 30,
  'POST /webhooks': 30,
  'PUT /webhooks/{id}': 30,
  'POST /webhooks/{id}/test': 10,
  'POST /requestBonus': 30,
  // No share is counted while workers are joined or parted.
  'POST /workerJoins': 10,
  'POST /workerJoins/part': 30,
  'POST /client-errors': 120,
  'POST /exports': 60,
  'POST /remotes/token': 60,
};
/** Bytes of the body of calls that take less or more than others: 50,000 workers by number are 550 KB. */
const BODY_LIMITS: Partial<Record<Call, number>> = { 'POST /client-errors': 2048, 'POST /workers/bulk': 600 * 1024 };

type Needs = Pick<Deps, 'pool' | 'secrets' | 'principals'>;

function register(app: ZodApp, deps: Needs, call: Call, endpoint: Endpoint, handler: unknown): void {
  const { principals } = deps;
  const [method = '', path = ''] = call.split(' ');
  if (!WHO.includes(endpoint.who)) throw new Error(`${call} does not say who may call it`);
  if (endpoint.who !== 'visitor' && !endpoint.requires && endpoint.scope !== 'any')
    throw new Error(`${call} does not say what it requires`);
  if (endpoint.who === 'watcher' && !endpoint.scope) throw new Error(`${call} does not say which scope it needs`);
  const handle = handleOf(handler);
  if (typeof handle !== 'function') throw new Error(`${call} has no handler`);
  const { shows } = handler as Partial<WaitingHandler<never>>;
  const max = TIGHT[call];
  app.route({
    method,
    url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
    schema: {
      summary: endpoint.summary,
      ...(endpoint.sudo === true ? { description: 'Requires a sign-in of the last ten minutes.' } : {}),
      tags: [endpoint.requires?.subject ?? 'public'],
      security: SECURITY[endpoint.who],
      ...(endpoint.params ? { params: endpoint.params } : {}),
      querystring: queryOf(endpoint),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      response: { [endpoint.status ?? 200]: endpoint.response },
    },
    bodyLimit: BODY_LIMITS[call],
    ...(max ? { config: { rate: { name: call, perMinute: max } } } : {}),
    onRequest: guard(endpoint, principals, isKept(call, endpoint)),
    // A request without a body is one without fields: some calls need none.
    preValidation: async (request) => {
      if (endpoint.body && request.body === undefined) request.body = {};
    },
    preHandler: async (request) => {
      if (endpoint.viewAs) await principals.viewAs.become(request, endpoint.viewAs);
    },
    handler: (request, reply) => {
      const { params, query, body, principal: me } = request;
      const given = { path, endpoint, params, query, body, me, request };
      return answerCall(principals, given, async () => {
        const context = { params, query, body, me, request, reply };
        const confirmed = shows && me ? await keepWaiting(deps, call, { ...context, me }, shows) : null;
        return confirmed && me ? carryOut(deps, { me, request }, confirmed, () => handle(context)) : handle(context);
      });
    },
  });
}

/** Registers the whole contract. A call without `who` or without a handler stops the boot. */
export function registerContract(app: ZodApp, deps: Needs, handlers: Handlers): void {
  const unknown = Object.keys(handlers).filter((call) => !Object.hasOwn(contract, call));
  if (unknown.length) throw new Error(`not in the contract: ${unknown.join(', ')}`);
  for (const [call, endpoint] of Object.entries<Endpoint>(contract))
    register(app, deps, call as Call, endpoint, handlers[(endpoint.viewAs?.call ?? call) as keyof Handlers]);
}
