/** Errors as RFC 9457 problem documents. `code` is a stable word the pages translate. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Problem } from '@pool/shared/api/contract';
import type { Refused } from '../../platform/refused';

export function sendProblem(reply: FastifyReply, { status, code, extra }: Refused): FastifyReply {
  const { detail, errors, retryAfter } = extra;
  if (retryAfter) reply.header('retry-after', retryAfter);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const problem: Problem = {
    ...{ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, code },
    ...(detail ? { detail } : {}),
    ...(errors ? { errors } : {}),
    // All 404s are the same bytes.
    ...(status === 404 ? {} : { requestId: String(reply.request.id) }),
  };
  // Bypasses the schema's serializer, which is for successful responses.
  return reply
    .code(status)
    .type('application/problem+json')
    .serializer((body: string) => body)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problem));
}
