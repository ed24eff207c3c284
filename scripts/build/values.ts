/** Values that a remote's code names as `process.env.REMOTE_PUBLIC_…`: the build puts them in, so they are of its version. */
import path from 'node:path';
import { ROOT, sourcesIn } from './files';

const PREFIX = 'REMOTE_PUBLIC_';

/** Values as JSON, by the expression in the code. Throws for a name that is not set, or that no build gives. */
export function valuesOf(unit: string): Record<string, string> {
  const found = sourcesIn(path.join(ROOT, unit, 'src')).flatMap(({ code }) => [
    ...code.matchAll(/\bprocess\.env\.(?!NODE_ENV\b)(\w+)/g),
  ]);
  const names = new Set(found.map(([, name = '']) => name));
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const value = process.env[name];
      if (!name.startsWith(PREFIX))
        throw new Error(`${unit}: a build gives only values that everybody may read, ${PREFIX}…, not ${name}`);
      if (value === undefined) throw new Error(`${unit}: ${name} is not set, and its value is a part of the version`);
      return [`process.env.${name}`, JSON.stringify(value)];
    }),
  );
}
