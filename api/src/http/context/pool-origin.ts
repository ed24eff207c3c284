import type { FastifyRequest } from 'fastify';
import type { Deps } from './deps';

/** The pool's own origin: PUBLIC_URL, else as the caller names it. */
export const poolOrigin = ({ config }: Pick<Deps, 'config'>, { protocol, host }: FastifyRequest): string =>
  config.PUBLIC_URL ?? `${protocol}://${host}`;
