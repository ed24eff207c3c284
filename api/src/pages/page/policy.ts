/**
 * Content Security Policy of a page. Allows nothing from other origins, except the hosted sign-in service,
 * REMOTE_ORIGINS, and APIs of the page's remotes that the operator has allowed (docs/adr/0038-own-apis.md).
 */
import type { PublicConfig } from '@pool/shared/config';
import { issuerOf } from '../../identity/tokens/keys';

/** An empty style element, which some libraries make and then fill through the CSSOM. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
/** The blinking caret in Clerk's field for codes: `@keyframes` only. Another clerk-js may have another text. */
const CARET_STYLE = "'sha256-KQDhUccuEkZUQDnfbVDeY+ev2LZ+73AQR7ro4JppAY8='";

type Options = {
  nonce: string;
  scriptHashes: readonly string[];
  identity: PublicConfig['identity'];
  https: boolean;
  remoteOrigins: readonly string[];
  connect: readonly string[];
};

export function pagePolicy({ nonce, scriptHashes, identity, https, remoteOrigins, connect }: Options): string {
  // The embedded sign-in service is at the pool's own origin.
  const hosted = identity.proxyUrl ? [] : [issuerOf(identity.publishableKey)];
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, ...scriptHashes.map((hash) => `'${hash}'`), ...remoteOrigins],
    'style-src': ["'self'", `'nonce-${nonce}'`, EMPTY_STYLE, CARET_STYLE, ...remoteOrigins],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...remoteOrigins, ...(hosted.length ? ['https://img.clerk.com'] : [])],
    'font-src': ["'self'", 'data:', ...remoteOrigins],
    'connect-src': ["'self'", ...hosted, ...connect],
    'worker-src': ["'self'", 'blob:'],
    'frame-src': hosted.length ? ['https://challenges.cloudflare.com'] : ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    ...(https ? { 'upgrade-insecure-requests': [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
}
