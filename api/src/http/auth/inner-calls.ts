/** Calls that a first view may send, without HTTP: those that pages show and browsers may keep (kept.ts). */
import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { contract, type Endpoint } from '@pool/shared/api/contract';
import { arrayParameters } from '../server/guards';
import { problems } from '../../platform/refused';
import { serialiserOf } from '../server/server';
import { isKept } from './kept';
import { answerCall } from './answer';
import type { Principal } from './principal';
import type { Principals } from './principals';
import { authorise } from './authorise';
import { handleOf, queryOf, type Handlers, type Reply } from './route';

/** `kept`: the user's browser may keep the answer. */
type InnerAnswer = { body: string; kept: boolean };
/** Answers a GET as `me` for the page's `request`, or rejects. Null: there is no such call. */
export type InnerCalls = (me: Principal, url: string, request: FastifyRequest) => Promise<InnerAnswer> | null;

export function innerCalls(handlers: Handlers, principals: Principals): InnerCalls {
  const routes = new Map(
    Object.entries(contract as Record<string, Endpoint>)
      .filter(([call, endpoint]) => isKept(call, endpoint) && !endpoint.params)
      .map(([call, endpoint]) => {
        const path = call.slice(4);
        const url = `/api${path}`;
        const serialise = serialiserOf({ schema: endpoint.response, method: 'GET', url });
        const handle = handleOf(handlers[call as keyof Handlers]);
        const answer = async (me: Principal, search: string, request: FastifyRequest): Promise<InnerAnswer> => {
          authorise(endpoint, me);
          let kept = true;
          // A header that a handler sets or takes away says that its answer is not to be kept.
          const change = (): Reply => {
            kept = false;
            return reply;
          };
          const reply: Reply = { code: change, header: change, removeHeader: change };
          const { data: query, error } = queryOf(endpoint).safeParse(arrayParameters(parse(search)));
          if (error) throw problems.invalid('The query is not as it should be.');
          const asked = { params: undefined, query, body: undefined, me, request };
          const made = await answerCall(principals, { path, endpoint, ...asked }, () => handle({ ...asked, reply }));
          return { body: serialise(made), kept };
        };
        return [url.replace(/\/$/, ''), answer];
      }),
  );
  return (me, url, request) => {
    const [path = '', search = ''] = url.split('?', 2);
    return routes.get(path.replace(/\/$/, ''))?.(me, search, request) ?? null;
  };
}
