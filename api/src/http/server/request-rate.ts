/** Limits requests by account, so that neighbours at an address are not refused; without a session by network. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimit } from '../../platform/limits/rate-limit';
import { problems } from '../../platform/refused';
import { sendProblem } from './problem';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A limit of its own; routes with one `name` share it. */
    rate?: { name: string; perMinute: number };
  }
}

export type RequestRateOptions = {
  /** API requests of an account, or of a network; the sign-in service's are among them. */
  perMinute: number;
  /** Account of a genuine session; null: a visitor's request. */
  accountOf?(request: FastifyRequest): Promise<string | null>;
  /** A request too many is answered after this time: a client that sends them without a pause then sends few. */
  refusedAfterMs?: number;
};

/** Addresses a minute at which there is nothing, of a network. Files that are there have no limit. */
const MISSES = 300;

const isCall = (url: string): boolean => url.startsWith('/api/') || url.startsWith('/__clerk/');

export function limitRequests(
  app: FastifyInstance,
  { perMinute, accountOf = async () => null, refusedAfterMs = 500 }: RequestRateOptions,
): void {
  const rate = new RateLimit(perMinute);
  app.addHook('onRequest', async (request) => {
    const own = request.routeOptions.config?.rate;
    if (!own && !isCall(request.url)) return;
    const { name, perMinute: max } = own ?? { name: 'calls', perMinute };
    const account = await accountOf(request);
    const wait = account === null ? rate.takeFrom(request.ip, name, max) : rate.take(`${name} of ${account}`, max);
    if (wait === 0) return;
    await setTimeout(refusedAfterMs);
    throw problems.tooMany('too_many_requests', wait);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const wait = rate.takeFrom(request.ip, 'misses', MISSES);
    if (wait === 0) return sendProblem(reply, problems.notFound());
    await setTimeout(refusedAfterMs);
    return sendProblem(reply, problems.tooMany('too_many_requests', wait));
  });
}
