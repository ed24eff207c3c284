/** What docker-compose.yml says: `npm run cluster` runs it as processes, and tests hold it to the source. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../build/files';

const serviceSchema = z.object({
  profiles: z.array(z.string()),
  build: z.unknown().optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.unknown().optional(),
});
export const { services, volumes } = z
  .object({ services: z.record(z.string(), serviceSchema), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }));

/** Services of this repository's image. */
export const own = Object.entries(services).filter(([, { build }]) => build === '.');
export const scaled = Object.keys(services).filter((name) => services[name]?.profiles.includes('scaled'));

/** As compose fills in a value from its environment. */
export const filled = (value: string, given: Record<string, string | undefined>): string =>
  value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const own = given[name];
    if (own) return own;
    if (kind === '?') throw new Error(`${name} is not set: ${rest}`);
    return rest;
  });
