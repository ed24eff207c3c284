/** Errors as RFC 9457 problem documents. `code` is a stable word the pages translate. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ErrorCode, Problem } from '@pool/shared/api/contract';

type Extra = { detail?: string; errors?: Problem['errors']; retryAfter?: number };

export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    readonly extra: Extra = {},
  ) {
    super(extra.detail ?? code);
  }
}

export const problems = {
  /** The same error for foreign, missing and unknown things, so that they cannot be distinguished. */
  notFound: () => new HttpProblem(404, 'not_found'),
  signedOut: () => new HttpProblem(401, 'unauthorized', { detail: 'Sign in first.' }),
  forbidden: (code: ErrorCode = 'forbidden', detail?: string) => new HttpProblem(403, code, { detail }),
  invalid: (detail: string, errors?: Problem['errors']) => new HttpProblem(400, 'invalid_request', { detail, errors }),
  /** Every address that is not allowed gets the same answer. */
  address: (code: ErrorCode) =>
    new HttpProblem(422, code, {
      detail: 'The address cannot be used: it must be a public one, on port 80, 443 or one from 1024 on.',
      errors: [{ path: 'url', message: 'is not allowed' }],
    }),
  conflict: (code: ErrorCode, detail?: string) => new HttpProblem(409, code, { detail }),
  /** The error for what was refused: what is not there is not found, everything else is a conflict. */
  refused: (code: ErrorCode, details: Record<string, string> = {}) =>
    code === 'not_found' ? problems.notFound() : problems.conflict(code, details[code]),
  tooMany: (code: ErrorCode, retryAfter: number, detail?: string) => new HttpProblem(429, code, { retryAfter, detail }),
  unavailable: (code: ErrorCode = 'service_unavailable', retryAfter = 5) =>
    new HttpProblem(503, code, { retryAfter, detail: 'Try again in a moment.' }),
};

/** What was looked for; throws `notFound` without it. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw problems.notFound();
  return value;
}

/** The body of an error. A 404 carries no request id, so that all 404s are the same bytes. */
function problemBody({ status, code, extra }: HttpProblem, requestId: string): Problem {
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

export function sendProblem(reply: FastifyReply, problem: HttpProblem): FastifyReply {
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
