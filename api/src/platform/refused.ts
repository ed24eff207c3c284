/** Why something is not done, wherever that is found; the caller is told by a problem document (RFC 9457). */
import type { ErrorCode, Problem } from '@pool/shared/api/contract';

type Extra = { detail?: string; errors?: Problem['errors']; retryAfter?: number };

/** `status`: of the HTTP answer. `code`: a stable word the pages translate. */
export class Refused extends Error {
  override readonly name: string = 'Refused';
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
  notFound: (code: ErrorCode = 'not_found') => new Refused(404, code),
  signedOut: () => new Refused(401, 'unauthorized', { detail: 'Sign in first.' }),
  forbidden: (code: ErrorCode = 'forbidden', detail?: string): Refused => new Refused(403, code, { detail }),
  reverify: () => problems.forbidden('reverification_required', 'Give your password again, then repeat it.'),
  invalid: (detail: string, errors?: Problem['errors']) => new Refused(400, 'invalid_request', { detail, errors }),
  /** Every address that is not allowed gets the same answer. */
  address: (code: ErrorCode) =>
    new Refused(422, code, {
      detail: 'The address cannot be used: it must be a public one, on port 80, 443 or one from 1024 on.',
      errors: [{ path: 'url', message: 'is not allowed' }],
    }),
  conflict: (code: ErrorCode, detail?: string) => new Refused(409, code, { detail }),
  tooMany: (code: ErrorCode, retryAfter: number, detail?: string) => new Refused(429, code, { retryAfter, detail }),
  unavailable: (code: ErrorCode = 'service_unavailable', retryAfter = 5) =>
    new Refused(503, code, { retryAfter, detail: 'Try again in a moment.' }),
};

/** What was looked for; throws `notFound` without it. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw problems.notFound();
  return value;
}
