/** Turns every error of a request into a problem document; internal errors are logged and never shown. */
import type { ErrorCode } from '@pool/shared/api/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { absenceOf } from '../../platform/db/away';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { Refused, problems } from '../../platform/refused';
import { sendProblem } from './problem';

const BY_FASTIFY_CODE: Record<string, [status: number, code: ErrorCode]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'payload_too_large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'invalid_request'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'invalid_request'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'invalid_request'],
};

/** Cancelled after the time of a statement or of a wait for a lock; a deadlock, or a transaction that lost to another. */
const TOO_LONG = new Set(['57014', '55P03', '40P01', '40001']);
type Cause = { code?: string; message?: string; cause?: Cause };

/** Whether it is a text that cannot be stored: a NUL, or half a surrogate pair, which JSON is refused for. */
const isUnstorable = ({ code = '', message = '' }: Cause): boolean =>
  code === '22021' || code === '22P05' || (code === '22P02' && message.endsWith('for type json'));

function databaseProblem(error: Error): Refused | null {
  if (absenceOf(error)) return problems.unavailable('database_unavailable');
  for (let cause = error as Cause | undefined; cause; cause = cause.cause) {
    const code = cause.code ?? '';
    if (isUnstorable(cause)) return problems.invalid('The text has a character that cannot be stored.');
    if (TOO_LONG.has(code)) return problems.unavailable('timeout');
  }
  return null;
}

export function problemOf(error: FastifyError | Refused): Refused {
  if (error instanceof Refused) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.slice(0, 20).map((issue) => ({
      path: issue.instancePath.slice(1).replaceAll('/', '.'),
      message: issue.message ?? 'is not valid',
    }));
    return problems.invalid(`The ${error.validationContext ?? 'request'} is not as it should be.`, errors);
  }
  const known = BY_FASTIFY_CODE[error.code];
  if (known) return new Refused(known[0], known[1]);
  const away = databaseProblem(error);
  if (away) return away;
  if (error.statusCode === 503) return problems.unavailable();
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new Refused(error.statusCode, 'invalid_request');
  return new Refused(500, 'server_error', { detail: 'Something went wrong here. It has been noted.' });
}

/** When to try again after too many requests (429), or when the server or its database is unavailable (503); else null. */
export function retryOf(error: Error): { status: number; seconds: number } | null {
  const { status, extra } = problemOf(error as FastifyError);
  return extra.retryAfter ? { status, seconds: extra.retryAfter } : null;
}

export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
  return sendProblem(reply, problem);
}
