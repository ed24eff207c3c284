/** Self-hosted clerk-js: its browser files under an immutable, versioned path of our own origin. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const folder = dirname(createRequire(import.meta.url).resolve('@clerk/clerk-js/package.json'));
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const PREFIX = `/vendor/clerk-js/${version}/`;
/** The browser builds and the chunks they load; not the ones for old browsers and for bundlers. */
const SERVED = /^[\w.-]*clerk(\.headless)?\.browser[\w.-]*\.js$/;

export const clerkJsUrls = () => ({
  clerkJsUrl: `${PREFIX}clerk.browser.js`,
  clerkJsHeadlessUrl: `${PREFIX}clerk.headless.browser.js`,
});

/** Chunks that a form needs beside clerk-js itself, by the start of their names. */
const CHUNKS = ['framework', 'vendors', 'ui-common'];

/**
 * Preloads of a form's scripts: clerk-js would discover them one after another. With crossorigin, as clerk-react asks for the
 * first one, without, as clerk-js asks for its own chunks: otherwise they are downloaded twice.
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
