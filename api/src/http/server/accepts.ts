import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyRequest } from 'fastify';

/** A program that names no type takes any: monitors, previews of links. */
const PAGE = ['text/html', 'text/*', '*/*'];
const NO_PAGE = /\.\w+$|^\/(api|__clerk)\//;

/** Whether the answer may be a page. For the address of a file or a call it is one only when pages are asked for by name. */
export function takesPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const type = negotiate(headers.accept ?? '*/*', PAGE);
  return type === 'text/html' || (type !== null && !NO_PAGE.test(url.split('?', 1)[0] ?? ''));
}

/** Whether the browser has the answer of this tag. What proxies compress comes back with a weak one. */
export const hasTag = ({ headers }: FastifyRequest, etag: string): boolean =>
  headers['if-none-match']?.replace(/^W\//, '') === etag;

export const encodingOf = ({ headers }: FastifyRequest): 'br' | 'gzip' | null =>
  negotiate(headers['accept-encoding'] ?? '', ['br', 'gzip']);
