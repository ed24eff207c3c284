/** Stratum V1 messages: one JSON object a line. All input is untrusted. */

export const ERROR = {
  other: 20,
  stale: 21,
  duplicate: 22,
  lowDifficulty: 23,
  unauthorised: 24,
  notSubscribed: 25,
} as const;
export type ErrorCode = (typeof ERROR)[keyof typeof ERROR];
type StratumError = readonly [code: ErrorCode, message: string, trace: null];

/** A bigint where a number would not keep all digits: the other side looks for the id that it sent. */
export type Id = number | bigint | string | null;
export type Request = { kind: 'request'; id: Id; method: string; params: unknown[] };
/** `result` undefined: it has none, not even null. */
export type Answer = { kind: 'answer'; id: Id; result: unknown; error: unknown };
export type Message = Request | Answer;

const isId = (value: unknown): value is Id =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

const LARGE_ID = /"id"\s*:\s*(-?\d+)\s*[,}]/;
const exact = (id: Id, line: string): Id => {
  if (typeof id !== 'number' || Math.abs(id) <= Number.MAX_SAFE_INTEGER) return id;
  const [, digits] = LARGE_ID.exec(line) ?? [];
  return digits === undefined ? id : BigInt(digits);
};

/** The value of a line of JSON; undefined when the line is not JSON. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Some pools written in C also send the end of their string.
    return line.includes('\0') ? parseJson(line.replaceAll('\0', '')) : undefined;
  }
}

/** A line as a request or an answer; null when it is neither. */
export function parseLine(line: string): Message | null {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const message = value as { id?: unknown; method?: unknown; params?: unknown; result?: unknown; error?: unknown };
  const sent = message.id ?? null;
  if (!isId(sent)) return null;
  const id = exact(sent, line);
  if (typeof message.method === 'string') {
    const params = message.params ?? [];
    return Array.isArray(params) ? { kind: 'request', id, method: message.method, params } : null;
  }
  if (message.method !== undefined || !('result' in message || 'error' in message)) return null;
  return { kind: 'answer', id, result: message.result, error: message.error ?? null };
}

/** The line that answers a request, with its id as it was sent. */
export const answerLine = (id: Id, result: unknown, error: StratumError | null = null): string =>
  `{"id":${typeof id === 'bigint' ? id : JSON.stringify(id)},"result":${JSON.stringify(result)},"error":${JSON.stringify(error)}}`;

/** Words of pools that send no code, or one of their own: ckpool, NOMP and their descendants. */
const WORDS: readonly [RegExp, ErrorCode][] = [
  [/stale|job not found|invalid job|unknown job/i, ERROR.stale],
  [/duplicate/i, ERROR.duplicate],
  [/low diff|above target|high.?hash/i, ERROR.lowDifficulty],
];

/** Code and text of an error in whatever shape it came; unknown ones become 20, without words `unsaid`. */
export function readError(error: unknown, unsaid = 'Rejected'): { code: ErrorCode; message: string } {
  const parts = Array.isArray(error)
    ? error
    : typeof error === 'object' && error !== null
      ? [(error as { code?: unknown }).code, (error as { message?: unknown }).message]
      : [null, error];
  const message = typeof parts[1] === 'string' ? parts[1].slice(0, 120) : unsaid;
  const code =
    Object.values(ERROR).find((known) => known === Number(parts[0])) ??
    WORDS.find(([words]) => words.test(message))?.[1] ??
    ERROR.other;
  return { code, message };
}

/** A difficulty as JSON without an exponent: some firmware cannot read `1e-7`. */
export const decimal = (difficulty: number): string =>
  String(difficulty).includes('e') ? difficulty.toFixed(20).replace(/\.?0+$/, '') : String(difficulty);

export const setDifficulty = (difficulty: number): string =>
  `{"id":null,"method":"mining.set_difficulty","params":[${decimal(difficulty)}]}`;

const NUMERIC = /^\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i;
/** A number, or what is unambiguously one as text; else NaN. */
export const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : NaN;
};

const HEX = /^[0-9a-f]*$/i;
/** Whether `value` is hexadecimal text of `bytes` bytes. */
export const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && value.length === bytes * 2 && HEX.test(value);

/** Hexadecimal text of whole bytes, at most `maxBytes`. */
export const isHexUpTo = (value: unknown, maxBytes: number): value is string =>
  typeof value === 'string' && value.length % 2 === 0 && value.length <= maxBytes * 2 && HEX.test(value);

export const hex32 = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
