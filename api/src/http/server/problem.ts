/** Errors as RFC 9457 problem documents. `code` is a stable word the pages translate. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Problem } from '@pool/shared/api/contract';
import type { Refused } from '../../platform/refused';

/** The body of an error. A 404 carries no request id, so that all 404s are the same bytes. */
function problemBody({ status, code, extra }: Refused, requestId: string): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    ...(extra.detail ? { detail: extra.detail } : {}),
    ...(extra.errors ? { errors: extra.errors } : {}),
    ...(status === 404 ? {} : { requestId }),
  };
}

export function sendProblem(reply: FastifyReply, problem: Refused): FastifyReply {
  if (problem.extra.retryAfter) reply.header('retry-after', problem.extra.retryAfter);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  // Bypasses the schema's serializer, which is for successful responses.
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .serializer((body: string) => body)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problemBody(problem, String(reply.request.id))));
}
