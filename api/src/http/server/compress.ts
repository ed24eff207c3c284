/** Compresses generated responses (pages, lists); the build's files are compressed already. */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { encodingOf } from './accepts';
import type { ZodApp } from './server';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const MIN_LENGTH = 1024;
/** Longer responses are compressed with a faster, slightly weaker setting. */
const LARGE = 256 * 1024;
const TEXT = /^(text\/|application\/(problem\+)?json)/;

const brotliParams = (length: number) => ({
  [constants.BROTLI_PARAM_QUALITY]: length > LARGE ? 2 : 4,
  [constants.BROTLI_PARAM_SIZE_HINT]: length,
});

/** A page that is sent in parts: each goes on its way at once. */
function compressParts(parts: Readable, way: 'br' | 'gzip'): Readable {
  const packer =
    way === 'br'
      ? createBrotliCompress({ params: brotliParams(0), flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ level: 5, flush: constants.Z_SYNC_FLUSH });
  return pipeline(parts, packer, () => undefined);
}

export function compressAnswers(app: ZodApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isLong = typeof payload === 'string' && payload.length >= MIN_LENGTH;
    const isInParts = payload instanceof Readable;
    const type = String(reply.getHeader('content-type'));
    if (!(isLong || (isInParts && type.startsWith('text/html')))) return payload;
    if (reply.hasHeader('content-encoding') || !TEXT.test(type)) return payload;
    const vary = String(reply.getHeader('vary') ?? '');
    if (!/accept-encoding/i.test(vary)) reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding');
    const way = encodingOf(request);
    if (!way) return payload;
    reply.header('content-encoding', way).removeHeader('content-length');
    if (isInParts) return compressParts(payload, way);
    return way === 'br'
      ? brotli(payload, { params: brotliParams(payload.length) })
      : zip(payload, { level: payload.length > LARGE ? 1 : 5 });
  });
}
