type ProblemMeta = { param_name?: string; zxcvbn?: { suggestions: { code: string; message: string }[] } };
/** Errors in the shape of Clerk's Frontend API: `{errors: [{code, message, long_message, meta}]}`. */
export type IdentityProblem = { code: string; message: string; long_message: string; meta?: ProblemMeta };

export class IdentityError extends Error {
  constructor(
    readonly status: number,
    readonly problems: IdentityProblem[],
    readonly retryAfterSeconds?: number,
  ) {
    super(problems[0]?.long_message);
  }
}

const problem = (code: string, text: string, param?: string): IdentityProblem => ({
  code,
  message: text,
  long_message: text,
  ...(param ? { meta: { param_name: param } } : {}),
});

const refusal = (status: number, code: string, text: string, param?: string): IdentityError =>
  new IdentityError(status, [problem(code, text, param)]);
const later = (status: number, code: string, text: string, retryAfterSeconds: number): IdentityError =>
  new IdentityError(status, [problem(code, text)], retryAfterSeconds);

/** An invalid form field: shown under that field. `param` is the field's name on the wire. */
export const fieldError = (code: string, param: string, text: string): IdentityError => refusal(422, code, text, param);

/** Results of all `checks`; throws one error with the problems of those that refuse. */
export function together<R extends unknown[]>(...checks: { [I in keyof R]: () => R[I] }): R {
  const problems: IdentityProblem[] = [];
  const results = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  });
  if (problems.length > 0) throw new IdentityError(422, problems);
  return results as R;
}

/** clerk-js makes its message about a weak password, in the page's language, from `suggestions` (zxcvbn's codes). */
export function weakPassword(param: string, suggestions: readonly string[]): IdentityError {
  const codes = suggestions.length ? suggestions : ['anotherWord'];
  const zxcvbn = { suggestions: codes.map((one) => ({ code: one, message: one })) };
  const weak = problem('form_password_not_strong_enough', 'Your password is not strong enough.');
  return new IdentityError(422, [{ ...weak, meta: { param_name: param, zxcvbn } }]);
}

export const errors = {
  missing: (param: string) => fieldError('form_param_nil', param, 'Enter a value.'),
  taken: (param: string, what: string) =>
    fieldError('form_identifier_exists', param, `That ${what} is taken. Please try another.`),
  /** The same message whether the account exists or not. */
  wrongPassword: (param = 'password') =>
    fieldError('form_password_incorrect', param, 'Password is incorrect. Try again.'),
  /**
   * Name and password came in one step. Another code, because on the one above clerk-js asks for the password on a
   * second page, which does not mention the first try.
   */
  wrongPair: () =>
    fieldError(
      'form_password_or_identifier_incorrect',
      'password',
      'Name, e-mail address or password is incorrect. Try again.',
    ),
  operatorCodeUsed: () => refusal(422, 'operator_code_used', 'This code makes nobody an administrator any more.'),
  /** Only who knows the password hears it. */
  disabled: () => fieldError('user_disabled', 'identifier', 'This account is disabled. Ask the pool’s support.'),
  wrongCode: () => fieldError('form_code_incorrect', 'code', 'Incorrect code. Each code works once.'),
  codeExpired: () => fieldError('verification_expired', 'code', 'This code is not valid any more. Ask for another.'),
  signInOver: () => refusal(422, 'sign_in_over', 'This sign-in took too long. Go back and start again.'),
  /** The same for one that nobody has, a wrong answer and one that came too late. */
  wrongPasskey: () => refusal(422, 'passkey_refused', 'This passkey was not accepted. Try again, or use the password.'),
  passkeyLimit: (max: number) =>
    refusal(422, 'passkey_limit', `An account has at most ${max} passkeys. Remove one first.`),
  /** On this code clerk-js asks for the password, and the code, and repeats the call. */
  reverify: () => refusal(403, 'session_reverification_required', 'Give your password again, then repeat it.'),
  twoStepOn: () => refusal(409, 'two_step_on', 'Two-step sign-in is on already.'),
  signedOut: () => refusal(401, 'authentication_invalid', 'You are signed out.'),
  signedIn: () => refusal(400, 'session_exists', 'You are already signed in.'),
  notMember: () => refusal(404, 'organization_not_found_or_unauthorized', 'You are a member of no such organization.'),
  notFound: () => refusal(404, 'resource_not_found', 'Not found.'),
  badStrategy: () => fieldError('strategy_for_user_invalid', 'strategy', 'This way to sign in is not offered here.'),
  foreignOrigin: () => refusal(403, 'origin_invalid', 'This address may not sign in here.'),
  badRequest: (status: number) => refusal(status, 'request_invalid', 'The request could not be read.'),
  failed: () => refusal(500, 'internal_error', 'Something went wrong. Try again in a moment.'),
  unavailable: (seconds: number) =>
    later(503, 'service_unavailable', 'The server is busy. Try again in a moment.', seconds),
  mailDown: () =>
    refusal(503, 'mail_unavailable', 'No mail can be sent at the moment. Ask for the code again in a few minutes.'),
  tooMany: (seconds: number) =>
    later(429, 'too_many_requests', `Too many attempts. Try again in ${seconds} s.`, seconds),
};
