/** Serves files of the build: the shell's assets, texts, the sign-in library, remotes. Compressed at build time. */
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import type { Identity } from '../identity';
import { clerkJsPlugin } from '../identity';
import type { Principal } from '../http/auth/principal';
import type { Principals } from '../http/auth/principals';
import type { ZodApp } from '../http/server/server';
import { locales, type TextFiles } from './locales';
import { remoteFiles } from './remote-files';
import type { RemoteRegistry } from '../remotes/registry';

const FILE = /^\/[\w.@+-]+(\/[\w.@+-]+)*\.(js|css|json|svg|png|woff2?|ico|txt|webmanifest)$/;

export type StaticOptions = {
  dist: string;
  registry: RemoteRegistry;
  texts: TextFiles;
  identity: Identity;
  principals: Principals;
};

export async function staticFiles(
  app: ZodApp,
  { dist, registry, texts, identity, principals }: StaticOptions,
): Promise<void> {
  const root = join(dist, 'shell/assets');
  // Before the first build there are no files.
  if (existsSync(root))
    await app.register(fastifyStatic, {
      ...{ root, prefix: '/assets/', decorateReply: false, index: false, dotfiles: 'ignore' },
      ...{ preCompressed: true, immutable: true, maxAge: '1y' },
      allowedPath: (path) => FILE.test(path.startsWith('/') ? path : `/${path}`),
    });
  // Script tags and the page's first calls cannot send a token: here the sign-in service's own cookie identifies the
  // caller.
  const who = async (request: FastifyRequest): Promise<Principal | null> =>
    (await principals.find(request)) ?? principals.of(await identity.who(request));
  locales(app, { texts, registry, who });
  await app.register(clerkJsPlugin, { dist });

  remoteFiles(app, { registry, who });
}
