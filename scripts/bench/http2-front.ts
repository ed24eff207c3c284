/** HTTP/2 with TLS in front of the product, as a reverse proxy would serve it: browsers speak HTTP/2 only over TLS. */
import { createHash, X509Certificate } from 'node:crypto';
import { request, type IncomingHttpHeaders } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../api/src/stratum/testing/certificate';

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'http2-settings']);
const passedOn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.has(name)),
  ) as Record<string, string | string[]>;

export const CERTIFICATE = selfSigned('localhost');
const { key, cert } = CERTIFICATE;
const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
/** Names the certificate of all fronts of this process, for Chromium's flag. */
export const PIN = createHash('sha256').update(publicKey).digest('base64');

export async function startHttp2Front(target: URL): Promise<{ url: string; stop(): void }> {
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (incoming, outgoing) => {
    const { method, headers } = incoming;
    const host = headers[':authority'] ?? headers.host;
    const options = {
      method,
      path: incoming.url,
      headers: { ...passedOn(headers), host, 'x-forwarded-proto': 'https' },
    };
    const forwarded = request(target, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    });
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}
