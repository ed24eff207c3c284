/** The API client of the shell and all remotes, typed by the contract. */
import type { z } from 'zod';
import { setByServer } from './clock';
import type { Call, Contract } from './contract';
import type { Problem } from './schemas';

type Part<C extends Call, K extends 'params' | 'query' | 'body'> = Contract[C] extends {
  [P in K]: infer S extends z.ZodType;
}
  ? z.input<S>
  : undefined;
type Field<C extends Call, K extends 'params' | 'query' | 'body'> =
  Part<C, K> extends undefined
    ? { [P in K]?: never }
    : Record<string, never> extends Part<C, K>
      ? { [P in K]?: Part<C, K> }
      : { [P in K]: Part<C, K> };
export type CallOptions<C extends Call> = Field<C, 'params'> &
  Field<C, 'query'> &
  Field<C, 'body'> & { signal?: AbortSignal };
export type Answer<C extends Call> = z.output<Contract[C]['response']>;

type OptionalIfEmpty<T> = Record<string, never> extends Omit<T, 'signal'> ? [options?: T] : [options: T];
/** `api('GET /liveWorkers/', { query: { algorithm }, signal })`; throws `ApiError` for an error response or none. */
export type ApiClient = <C extends Call>(call: C, ...options: OptionalIfEmpty<CallOptions<C>>) => Promise<Answer<C>>;

/** An error response with its problem document; `status` 0 and code `offline` when there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }
  get code(): string {
    return this.problem.code;
  }
  get status(): number {
    return this.problem.status;
  }
}

type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

/** Query string: arrays as `name[]`, without null and undefined. Empty, or starting with `?`. */
export function queryString(query: Record<string, QueryValue> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value)) value.forEach((item) => params.append(`${name}[]`, String(item)));
    else params.append(name, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

export type UrlParts = { params?: Record<string, string | number>; query?: Record<string, QueryValue> };

export function urlOf(call: string, { params, query }: UrlParts = {}, base = '/api'): string {
  const [, template = ''] = call.split(' ');
  return (
    base +
    template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name]))) +
    queryString(query)
  );
}

const cookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((c) => c.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const problemOf = (status: number, body: unknown): Problem =>
  typeof body === 'object' && body !== null && 'code' in body
    ? (body as Problem)
    : {
        type: 'about:blank',
        title: `HTTP ${status}`,
        status,
        code: status >= 500 ? 'server_error' : 'unexpected_answer',
      };

/** Something between the pool and the browser answered: a proxy, or the sign-in page of a network. */
const FOREIGN = Symbol('foreign answer');

/** JSON parsed, a PNG raw, else text. The pool never answers with HTML or with half of a JSON document. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) return FOREIGN;
  if (type.startsWith('image/png')) return response;
  if (!type.includes('json')) return response.text();
  return response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return FOREIGN;
    throw error;
  });
}

export type ClientConfig = {
  base?: string;
  /** Token of the signed-in session; null when signed out. */
  getToken(): Promise<string | null>;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Tests replace it. */
  fetch?: typeof fetch;
};

/** Calls that book money: the server does one that is sent again with its key once. */
const DONE_ONCE: ReadonlySet<Call> = new Set<Call>([
  'PUT /earnings/{day}',
  'PUT /payments/',
  'POST /paymentsHistory/{id}',
  'PUT /paymentsHistory/{id}',
  'PUT /bulkUpdatePayments',
  'POST /admin/stopPayoutRun',
  'PUT /admin/bonusRequests',
  'PUT /admin/referralPayments',
]);
/** Idempotency-Keys of such calls without an answer, by request. */
const pending: Record<string, string> = {};

/** Sets no timeout: the AbortSignal of its query ends a request. */
export function createApiClient({
  base,
  getToken,
  headers: always,
  fetch: send = (...args) => fetch(...args),
}: ClientConfig): ApiClient {
  return async (call, ...[options]) => {
    const { body, signal, ...parts } = (options ?? {}) as UrlParts & { body?: unknown; signal?: AbortSignal };
    const [method = 'GET'] = call.split(' ', 1);
    const url = urlOf(call, parts, base);
    const text = JSON.stringify(body);
    const write = method + url + text;
    const headers: Record<string, string> = { accept: 'application/json', ...always };
    const token = await getToken();
    if (token) headers.authorization = `Bearer ${token}`;
    if (method !== 'GET') headers['X-XSRF-TOKEN'] = decodeURIComponent(cookie('XSRF-TOKEN') ?? '');
    if (DONE_ONCE.has(call)) headers['Idempotency-Key'] = pending[write] ??= `${Date.now()}-${Math.random()}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    let response: Response;
    try {
      response = await send(url, { method, headers, signal, body: text });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError({ type: 'about:blank', title: 'No answer', status: 0, code: 'offline' });
    }
    setByServer(response.headers.get('date'));
    const answer = await bodyOf(response);
    if (!response.ok || answer === FOREIGN) throw new ApiError(problemOf(response.status, answer));
    delete pending[write];
    return answer as never;
  };
}
