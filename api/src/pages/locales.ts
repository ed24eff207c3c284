/** Texts of the shell and the deployed remotes. A remote adds only its own keys; the caller's version of it wins. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isTextOf } from '@pool/shared/remote-schema';
import type { Principal } from '../http/auth/principal';
import { encodingOf, hasTag } from '../http/server/accepts';
import { problems } from '../platform/refused';
import { sendProblem } from '../http/server/problem';
import type { ZodApp } from '../http/server/server';
import type { RemoteRegistry } from '../remotes/registry';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Cached responses: languages times the callers' sides of the canaries, of this build and the last few. */
const MAX_RESPONSES = 64;
const FILE = /^([a-z][a-z-]{0,31}\.)?[a-z]{2,3}\.json$/;

type Texts = Record<string, string>;
type Answer = { etag: string; plain: Buffer; br: Buffer; gzip: Buffer };

async function answerOf(texts: Texts): Promise<Answer> {
  const plain = Buffer.from(JSON.stringify(texts));
  const [br, gz] = await Promise.all([
    brotli(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    zip(plain, { level: 9 }),
  ]);
  return { etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`, plain, br, gzip: gz };
}

/** Texts of a file as the caller gets them; null: there is no such file. */
export type TextFiles = (file: string, me: Principal | null) => Promise<Answer | null>;

export function textFiles(dist: string, registry: RemoteRegistry): TextFiles {
  const kept = new LRUCache<string, { own: string | null; answer: Promise<Answer | null> }>({ max: MAX_RESPONSES });

  /** Null: neither the shell nor a remote has the file. */
  const merge = async (file: string, own: string | null, versions: readonly string[]): Promise<Answer | null> => {
    const found = await Promise.all(
      versions.map(async (version) => {
        const [name = '', at = ''] = version.split('/');
        const texts = await registry.versions.texts(name, at, file);
        return texts && Object.fromEntries(Object.entries(texts).filter(([key]) => isTextOf(name, key)));
      }),
    );
    if (own === null && found.every((texts) => texts === null)) return null;
    return answerOf(Object.assign({}, JSON.parse(own ?? '{}'), ...found) as Texts);
  };

  return async (file, me) => {
    if (!FILE.test(file)) return null;
    const own = await readFile(join(dist, 'locales', file), 'utf8').catch(() => null);
    const versions = await registry.deployedVersions(me);
    const key = [file, ...versions].join(' ');
    const known = kept.get(key);
    if (known && known.own === own) return known.answer;
    const answer = merge(file, own, versions);
    const forget = () => kept.delete(key);
    // Only files that exist are kept: names can be made up.
    answer.then((made) => made ?? forget(), forget);
    kept.set(key, { own, answer });
    return answer;
  };
}

export type LocalesOptions = {
  texts: TextFiles;
  registry: RemoteRegistry;
  who(request: FastifyRequest): Promise<Principal | null>;
};

export function locales(app: ZodApp, { texts, registry, who }: LocalesOptions): void {
  app.get<{ Params: { file: string } }>('/locales/:file', async (request, reply) => {
    const me = (await registry.hasCanary()) ? await who(request) : null;
    const answer = await texts(request.params.file, me);
    if (!answer) return sendProblem(reply, problems.notFound());
    reply.header('cache-control', 'no-cache').header('etag', answer.etag).header('vary', 'Accept-Encoding');
    if (hasTag(request, answer.etag)) return reply.code(304).send();
    const way = encodingOf(request);
    if (way) reply.header('content-encoding', way);
    return reply.type('application/json; charset=utf-8').send(way ? answer[way] : answer.plain);
  });
}
