/** Serves files of the build: the shell's assets, texts, the sign-in library, the remotes. Compressed at build time. */
import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import type { Identity } from '../identity';
import { clerkJsPlugin } from '../identity';
import type { Principal, Principals } from '../http/auth/principal';
import { problems, sendProblem } from '../http/server/problem';
import type { ZodApp } from '../http/server/server';
import { locales, type TextFiles } from './locales';
import { isLinked } from '../remotes/own-file';
import { RemoteRegistry } from '../remotes/registry';

const IMMUTABLE = { immutable: true, maxAge: '1y' } as const;
const FILE = /^\/[\w.@+-]+(\/[\w.@+-]+)*\.(js|css|json|svg|png|woff2?|ico|txt|webmanifest)$/;
const common: Omit<FastifyStaticOptions, 'root'> = {
  decorateReply: false,
  index: false,
  preCompressed: true,
  dotfiles: 'ignore',
  allowedPath: (path) => FILE.test(path.startsWith('/') ? path : `/${path}`),
};

const isAnyLinked = async (root: string, path: string): Promise<boolean> =>
  (await Promise.all(['', '.br', '.gz'].map((ending) => isLinked(root, path + ending)))).includes(true);

export type StaticOptions = {
  dist: string;
  remotesFolder: string;
  registry: RemoteRegistry;
  texts: TextFiles;
  identity: Identity;
  principals: Principals;
};

export async function staticFiles(
  app: ZodApp,
  { dist, remotesFolder, registry, texts, identity, principals }: StaticOptions,
): Promise<void> {
  const folder = async (prefix: string, root: string, options: Partial<FastifyStaticOptions>): Promise<void> => {
    // Before the first build there are no files.
    if (existsSync(root)) await app.register(fastifyStatic, { ...common, ...options, root, prefix });
  };
  await folder('/assets/', join(dist, 'shell/assets'), IMMUTABLE);
  // Script tags and the page's first calls cannot send a token: here the sign-in service's own cookie identifies the
  // caller.
  const who = async (request: FastifyRequest): Promise<Principal | null> =>
    (await principals.find(request)) ?? principals.of(await identity.who(request));
  locales(app, { texts, registry, who });
  await app.register(clerkJsPlugin, { dist });

  await app.register(async (scope) => {
    scope.addHook<{ Params: { '*'?: string } }>('onRequest', async (request, reply) => {
      const path = request.params['*'] ?? '';
      const [name = '', version = ''] = path.split('/');
      if (await isAnyLinked(remotesFolder, path)) return sendProblem(reply, problems.notFound());
      const access = await registry.access(name, version);
      if (access.kind === 'everybody') return;
      const me = access.kind === 'gated' ? await who(request) : null;
      if (access.kind === 'gated' && RemoteRegistry.meets(me, access.rules)) {
        request.gated = true;
        return;
      }
      return sendProblem(reply, problems.notFound());
    });
    // Not in shared caches, and revalidated each time: the caller may have lost the role.
    scope.addHook('onSend', async (request, reply) => {
      if (request.gated) reply.header('cache-control', 'private, no-cache').header('vary', 'Cookie, Accept-Encoding');
    });
    await scope.register(fastifyStatic, { ...common, ...IMMUTABLE, root: remotesFolder, prefix: '/remotes/' });
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    gated?: boolean;
  }
}
