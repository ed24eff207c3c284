import type { FastifyRequest } from 'fastify';
import { originOf } from '../../platform/origin-of';
import type { Deps } from './deps';

/** The pool's own origin: PUBLIC_URL, else as the caller names it. */
export const poolOrigin = ({ config }: Pick<Deps, 'config'>, request: FastifyRequest): string =>
  config.PUBLIC_URL ?? originOf(request);
