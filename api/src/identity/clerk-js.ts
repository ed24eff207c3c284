/** Self-hosted clerk-js: its browser files under an immutable, versioned path of our own origin. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const folder = dirname(createRequire(import.meta.url).resolve('@clerk/clerk-js/package.json'));
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const PREFIX = `/vendor/clerk-js/${version}/`;
/** The browser builds and the chunks they load; not the ones for old browsers and for bundlers. */
const SERVED = /^[\w.-]*clerk(\.headless)?\.browser[\w.-]*\.js$/;

export const clerkJsUrls = () => ({ clerkJsUrl: `${PREFIX}clerk.browser.js`, clerkJsHeadlessUrl: `${PREFIX}clerk.headless.browser.js` });

/** Serves `dist/vendor/clerk-js/<version>/` (compressed by the build); before a build, the package's own files. */
export async function clerkJsPlugin(app: FastifyInstance, { dist }: { dist: string }): Promise<void> {
  const built = join(dist, PREFIX);
  await app.register(fastifyStatic, {
    root: existsSync(built) ? built : join(folder, 'dist'),
    prefix: PREFIX, decorateReply: false, index: false, preCompressed: true, immutable: true, maxAge: '1y',
    allowedPath: (path) => SERVED.test(path.replace(/^\//, '')),
  });
}
