/** Self-hosted clerk-js: its browser files under an immutable, versioned path of the pool's own origin. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const folder = dirname(createRequire(import.meta.url).resolve('@clerk/clerk-js/package.json'));
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const PREFIX = `/vendor/clerk-js/${version}/`;
/** The browser builds and their chunks, without those for old browsers and bundlers. */
const SERVED = /^[\w.-]*clerk(\.headless)?\.browser[\w.-]*\.js$/;

export const clerkJsUrls = () => ({
  clerkJsUrl: `${PREFIX}clerk.browser.js`,
  clerkJsHeadlessUrl: `${PREFIX}clerk.headless.browser.js`,
});

/** Chunks a form needs besides clerk-js itself, by the start of their names. */
const CHUNKS = ['framework', 'vendors', 'ui-common'];

/**
 * Preloads of a form's scripts, which clerk-js would discover one after another. With crossorigin for the script that
 * clerk-react requests, without for the chunks that clerk-js requests: otherwise they are downloaded twice.
 */
export function formPreloads(form: 'signin' | 'signup'): string[] {
  const names = readdirSync(join(folder, 'dist'));
  const chunks = [...CHUNKS, form].flatMap((chunk) =>
    names.filter((name) => name.startsWith(`${chunk}_clerk.browser_`)),
  );
  return [
    `<link rel="preload" as="script" href="${clerkJsUrls().clerkJsUrl}" crossorigin>`,
    ...chunks.map((name) => `<link rel="preload" as="script" href="${PREFIX}${name}">`),
  ];
}

/** Serves `dist/vendor/clerk-js/<version>/` (compressed by the build); before a build, the package's own files. */
export async function clerkJsPlugin(app: FastifyInstance, { dist }: { dist: string }): Promise<void> {
  const built = join(dist, PREFIX);
  await app.register(fastifyStatic, {
    root: existsSync(built) ? built : join(folder, 'dist'),
    prefix: PREFIX,
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    allowedPath: (path) => SERVED.test(path.replace(/^\//, '')),
  });
}
