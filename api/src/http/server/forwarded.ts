/** Headers by which a trusted proxy names a request's client are brought into one form before anything reads it. */
import type { IncomingMessage } from 'node:http';
import { addressOf } from '../../platform/network-of';

/**
 * Keeps one `X-Forwarded-Proto`, and the entries of `X-Forwarded-For` to the right of the last that is no address.
 * `host`: PUBLIC_URL's; another `X-Forwarded-Host` is not believed, as proxies pass on what visitors send.
 */
export function readForwarded({ headers, socket }: IncomingMessage, host?: string): void {
  const { 'x-forwarded-for': chain, 'x-forwarded-proto': protocols, 'x-forwarded-host': hosts } = headers;
  if (host !== undefined && String(hosts).split(',').at(-1)?.trim() !== host) delete headers['x-forwarded-host'];
  if (chain !== undefined) {
    const clients: string[] = [];
    for (const text of String(chain).split(',').reverse()) {
      const address = addressOf(text.trim());
      if (address === null) break;
      clients.unshift(address);
    }
    headers['x-forwarded-for'] = clients.join(', ') || socket.remoteAddress;
  }
  if (protocols !== undefined) headers['x-forwarded-proto'] = String(protocols).split(',', 1)[0]?.trim().toLowerCase();
}
