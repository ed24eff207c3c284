/** Requests generated from the API's description: valid, nearly valid, and hostile. For fuzz.test.ts. */
import fc from 'fast-check';

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } };
export type Description = { paths: Record<string, Record<string, Operation>> };

/** `body`: sent unchanged. */
export type FuzzRequest = {
  who: number;
  method: string;
  url: string;
  body: string | null;
  headers: Record<string, string>;
  address: string;
};

/** Values that broke servers before. */
const HOSTILE: unknown[] = [
  ...[null, true, [], {}, [[]], [null], { __proto__: null }, { id: 1 }],
  ...['', ' ', 'null', '-1', '1e400', 'NaN', '٣', '%00', 'x'.repeat(5000), '../../etc/passwd', '__proto__'],
  ...['a\u0000b', '\ud800', '\u202e', "'; drop table ledger; --", '<img src=x onerror=alert(1)>', '=HYPERLINK("x")'],
  ...['0000-00-00', '9999-12-31', '2026-02-30', '-271821-04-20', '1970-01-01T00:00:00.000Z'],
  ...[-1, 0, -0, 1e-9, 1.5, 2_147_483_648, Number.MAX_SAFE_INTEGER, 1e21, 1e308],
];
/** Existing names and days. */
const KNOWN = [
  ...['owner', 'stranger', 'boss', 'owner-spare', 'rig', 'SHA256_ASICBOOST', 'SCRYPT', 'admin', 'miner', '2026-11-18'],
  ...['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'stratum+tcp://pool.example:3333'],
];

/** A sample of a slow arbitrary. */
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> => fc.constantFrom(...fc.sample(arbitrary, 200));
const pools = new Map<string, fc.Arbitrary<unknown>>();

function ofPattern({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<unknown> {
  const key = `${pattern} ${minLength} ${maxLength}`;
  const known = pools.get(key);
  if (known) return known;
  const length = { minLength, maxLength: Math.min(maxLength, minLength + 60) };
  const text = [fc.constantFrom(...KNOWN), some(fc.string(length)), some(fc.string({ ...length, unit: 'grapheme' }))];
  try {
    if (pattern !== undefined) text.push(some(fc.stringMatching(new RegExp(pattern, 'u'))));
  } catch {
    // Patterns that cannot be generated from (Unicode classes, lookbehind).
  }
  const made = fc.oneof(...text);
  pools.set(key, made);
  return made;
}

/** A value that the schema allows. */
function valid(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.length) return fc.oneof(...choices.map((choice) => valid(choice, depth + 1)));
  if (schema.allOf?.length)
    return fc
      .tuple(...schema.allOf.map((part) => valid(part, depth + 1)))
      .map((parts) => Object.assign({}, ...parts) as unknown);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum?.length) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type }, depth)));
  const { minimum = -1e9, maximum = 1e9 } = schema;
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.integer({ min: Math.max(minimum, -2e9), max: Math.min(maximum, 2e9) }),
        fc.integer({ min: Math.max(minimum, 1), max: Math.max(Math.max(minimum, 1), Math.min(maximum, 20)) }),
        fc.constantFrom(minimum, maximum),
      );
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'array':
      return depth > 4
        ? fc.constant([])
        : fc.array(valid(schema.items ?? {}, depth + 1), {
            minLength: Math.min(schema.minItems ?? 0, 5),
            maxLength: Math.max(3, Math.min(schema.minItems ?? 0, 5)),
          });
    case 'object': {
      const properties = Object.entries(schema.properties ?? {});
      if (properties.length === 0)
        return fc.dictionary(
          fc.constantFrom(...KNOWN, 'SHA256_ASICBOOST', 'SCRYPT'),
          depth > 4
            ? fc.constant(1)
            : valid(typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}, depth + 1),
          { maxKeys: 3 },
        );
      return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, valid(property, depth + 1)])), {
        requiredKeys: schema.required ?? [],
      });
    }
    default:
      return schema.type === 'string' ? ofPattern(schema) : fc.constantFrom(...HOSTILE);
  }
}

/** Mostly valid values; some have one invalid part. */
const nearly = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: valid(schema) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(valid(schema), fc.constantFrom(...HOSTILE), fc.nat())
        .map(([value, hostile, at]) => spoiled(value, hostile, at)),
    },
  );

/** `value` with one of its parts replaced, added or removed. */
function spoiled(value: unknown, hostile: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null) return hostile;
  if (Array.isArray(value))
    return value.length === 0
      ? [hostile]
      : value.map((item: unknown, i) =>
          i === at % value.length ? (at % 3 ? spoiled(item, hostile, at >> 2) : hostile) : item,
        );
  const keys = Object.keys(value);
  const key = keys[at % (keys.length + 1)];
  if (key === undefined) return { ...value, [asText(hostile)]: hostile };
  if (at % 5 === 0) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...value, [key]: at % 3 ? spoiled((value as Record<string, unknown>)[key], hostile, at >> 2) : hostile };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const encoded = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%EF%BF%BD';
  }
};

const ODD_QUERIES = ['x=1', '__proto__=1', 'userName=%E0%A4%A', '&&&&', 'limit=1&limit=2', 'cursor=%00'];
/** A rare one of these values, else `usual`. */
const rarely = <T>(usual: fc.Arbitrary<T>, ...odd: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const query = (parameters: Parameter[]): fc.Arbitrary<string> => {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const each = inQuery.map(({ name, required, schema }) =>
    fc.option(nearly(schema), { freq: required ? 20 : 2 }).map((value) => {
      const [key, values] = Array.isArray(value) ? [`${encoded(name)}[]`, value] : [encoded(name), [value]];
      return value === null ? [] : values.map((item) => `${key}=${encoded(asText(item))}`);
    }),
  );
  return fc
    .tuple(fc.tuple(...each), rarely(fc.constant(''), ...ODD_QUERIES))
    .map(([parts, extra]) => [...parts.flat(), ...(extra ? [extra] : [])].join('&'));
};

const ODD_BODIES = [
  ...['', '{', '[', 'null', '\u0000', '1e400', '"\\ud800"', '\ufeff{}', '{"a":1,"a":2}', '{"__proto__":{"x":1}}'],
  ...['{"constructor":{"prototype":{}}}', '['.repeat(40) + ']'.repeat(40), `{"x":"${'y'.repeat(70_000)}"}`],
];
const bodyOf = (schema: Schema | undefined): fc.Arbitrary<string | null> =>
  rarely(schema ? nearly(schema).map((value) => JSON.stringify(value) ?? 'null') : fc.constant(null), ...ODD_BODIES);

const ODD_HEADERS: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'idempotency-key': 'same' },
  { 'idempotency-key': 'ключ' },
  { accept: 'text/html' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { origin: 'null' },
];

/** Requests for the description's calls; `who`: a number below `people`. */
export function requests({ paths }: Description, people: number): fc.Arbitrary<FuzzRequest> {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      return fc.record({
        who: fc.nat({ max: people - 1 }),
        method: rarely(fc.constant(method.toUpperCase()), 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
        url: fc
          .tuple(
            fc.tuple(...inPath.map(({ schema }) => nearly(schema).map((value) => encoded(asText(value))))),
            query(parameters),
          )
          .map(([values, search]) => {
            const filled = inPath.reduce((url, { name }, i) => url.replace(`{${name}}`, () => values[i] ?? ''), path);
            return search ? `${filled}?${search}` : filled;
          }),
        body: bodyOf(requestBody?.content['application/json']?.schema),
        headers: rarely<Record<string, string>>(fc.constant({}), ...ODD_HEADERS),
        address: fc.nat({ max: 65_000 }).map((n) => `10.9.${n >> 8}.${n & 255}`),
      });
    }),
  );
  return fc.oneof(...all);
}
