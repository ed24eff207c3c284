/** What a setting may be. Each kind says in its error what is expected. */
import { isIPv6 } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../root';

/** What docs/settings.md says of a setting. */
export type Facts = {
  /** A plain sentence: what it is for, and its unit. */
  says: string;
  example: string;
  /** Written as in the environment. Left out: the setting has no value then. */
  preset?: string;
  /** What holds without a value. */
  without?: string;
};
const registry = z.registry<Facts>();

type Told = Omit<Facts, 'says'>;
/** A setting with a default, or without one. */
export function setting<S extends z.ZodType>(kind: S, says: string, told: Told & { preset: string }): z.ZodPrefault<S>;
export function setting<S extends z.ZodType>(
  kind: S,
  says: string,
  told: Told & { preset?: undefined },
): z.ZodOptional<S>;
export function setting(kind: z.ZodType<unknown, string>, says: string, told: Told): z.ZodType {
  const { preset } = told;
  return (preset === undefined ? kind.optional() : kind.prefault(preset)).register(registry, { says, ...told });
}

export function factsOf(schema: z.ZodType): Facts {
  const facts = registry.get(schema);
  if (!facts) throw new Error('a setting without a sentence');
  return facts;
}

type Range = { min?: number; max?: number };
const inRange = ({ min = 0, max = Infinity }: Range): string =>
  max === Infinity ? `from ${min} on` : `from ${min} to ${max}`;
/** The text of a number; an empty one counts as not set (`readConfig`). */
const numeric = (range: Range, what: string) =>
  z
    .string()
    .transform(Number)
    .refine(
      (value) => value >= (range.min ?? 0) && value <= (range.max ?? Infinity),
      `expected ${what} ${inRange(range)}`,
    );
export const number = (range: Range = {}) => numeric(range, 'a number');
export const whole = (range: Range = {}) =>
  numeric(range, 'a whole number').refine(Number.isInteger, `expected a whole number ${inRange(range)}`);
export const port = whole({ max: 65_535 });
export const flag = z.enum(['0', '1'], 'expected 0 or 1').transform((value) => value === '1');

const fromRoot = (path: string): string => (isAbsolute(path) ? path : resolve(ROOT, path));
/** A folder or a file; relative ones are of the checkout. */
export const place = z.string().transform(fromRoot);
export const page = z.string().regex(/^\/[\w-]+(\/[\w-]+)*\/?$/, 'expected a path of the pool: /sign-in');

const web = /^https?$/;
export const webAddress = z.url({ protocol: web, error: 'expected an address that begins with https:// or http://' });
/** Scheme, name and port only, as `URL.origin` has it. A path is refused: the pool has a whole origin to itself. */
export const origin = webAddress.pipe(
  z
    .string()
    .refine(
      (text) => new URL(text).href === `${new URL(text).origin}/`,
      'expected https://name or https://name:port, without a path: the pool cannot be served below one',
    )
    .transform((text) => new URL(text).origin),
);
export const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'expected the URL of a PostgreSQL: postgres://user:password@host:5432/pool',
});
const NAME = /^(?!-)[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u;
/** A name or an address without scheme and port. An IPv6 address has brackets, as in the addresses it becomes part of. */
export const host = z
  .string()
  .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
  .refine(
    (text) => isIPv6(text) || NAME.test(text),
    'expected a host name or an IP address, without a scheme, a port or a path: pool.example',
  )
  .transform((text) => (isIPv6(text) ? `[${text}]` : text));
/** The same to listen on. */
export const listenHost = host.transform((text) => text.replace(/^\[(.*)\]$/, '$1'));

/** Comma separated. */
export const list = z.string().transform((text) => text.split(',').flatMap((item) => item.trim() || []));
/** Addresses and networks: `127.0.0.1, 10.0.0.0/8`. */
export const addresses = list.pipe(
  z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'expected addresses or networks, comma separated')),
);
