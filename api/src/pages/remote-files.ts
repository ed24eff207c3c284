/** Serves the remotes' files, which teams write: only regular ones of their own, to those who may load the remote. */
import { extname } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../http/auth/principal';
import { encodingOf, hasTag } from '../http/server/accepts';
import { problems } from '../platform/refused';
import { sendProblem } from '../http/server/problem';
import type { ZodApp } from '../http/server/server';
import { RemoteRegistry } from '../remotes/registry';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};
const PATH = /^[\w@+-][\w.@+-]*(\/[\w@+-][\w.@+-]*)*$/;
const ENDING = { br: '.br', gzip: '.gz' };
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Not in shared caches, and revalidated each time: the caller may have lost the role. */
const GATED = 'private, no-cache';

export type RemoteFilesOptions = {
  registry: RemoteRegistry;
  who(request: FastifyRequest): Promise<Principal | null>;
};
type Params = { name: string; version: string; '*': string };

export function remoteFiles(app: ZodApp, { registry, who }: RemoteFilesOptions): void {
  app.get<{ Params: Params }>('/remotes/:name/:version/*', async (request, reply) => {
    const { name, version, '*': path } = request.params;
    const type = PATH.test(path) ? TYPES[extname(path)] : undefined;
    const access = type ? await registry.access(name, version) : { kind: 'nobody' as const };
    const isGated = access.kind === 'gated';
    const isAllowed = isGated ? RemoteRegistry.meets(await who(request), access.rules) : access.kind === 'everybody';
    if (!isAllowed) return sendProblem(reply, problems.notFound());
    const way = encodingOf(request);
    const packed = way && (await registry.versions.open(name, version, path + ENDING[way]));
    const found = packed ?? (await registry.versions.open(name, version, path));
    if (!found) return sendProblem(reply, problems.notFound());
    const { file, size, mtimeMs } = found;
    const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`;
    reply
      .header('cache-control', isGated ? GATED : FOR_EVER)
      .header('vary', isGated ? 'Cookie, Accept-Encoding' : 'Accept-Encoding')
      .header('etag', etag);
    if (hasTag(request, etag)) {
      await file.close();
      return reply.code(304).send();
    }
    if (packed && way) reply.header('content-encoding', way);
    return reply
      .type(type ?? '')
      .header('content-length', size)
      .send(file.createReadStream());
  });
}
