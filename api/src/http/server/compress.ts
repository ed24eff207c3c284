/** Compresses generated responses (pages, lists); the build's files are compressed already. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { encodingOf } from './accepts';
import type { ZodApp } from './server';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const MIN_LENGTH = 1024;
/** Longer responses are compressed with a faster, slightly weaker setting. */
const LARGE = 256 * 1024;
const TEXT = /^(text\/|application\/(problem\+)?json)/;

export function compressAnswers(app: ZodApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (
      typeof payload !== 'string' ||
      payload.length < MIN_LENGTH ||
      reply.hasHeader('content-encoding') ||
      !TEXT.test(String(reply.getHeader('content-type')))
    )
      return payload;
    const vary = String(reply.getHeader('vary') ?? '');
    if (!/accept-encoding/i.test(vary)) reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding');
    const way = encodingOf(request);
    if (!way) return payload;
    reply.header('content-encoding', way).removeHeader('content-length');
    return way === 'br'
      ? brotli(payload, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: payload.length > LARGE ? 2 : 4,
            [constants.BROTLI_PARAM_SIZE_HINT]: payload.length,
          },
        })
      : zip(payload, { level: payload.length > LARGE ? 1 : 5 });
  });
}
