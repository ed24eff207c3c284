/** The welcome bonus: a visitor leaves an e-mail address. No mail is sent, because its owner may not have asked. */
import { requestBonus } from '../../../money/bonus';
import type { Deps } from '../../context/deps';
import type { Handlers } from '../../auth/route';

export function bonusRoutes({ pool, now }: Deps) {
  return {
    'POST /requestBonus': async ({ query: { email }, request, reply }) => {
      await requestBonus(pool, email, request.ip, now());
      reply.code(202).header('cache-control', 'no-store');
      return { accepted: true };
    },
  } satisfies Partial<Handlers>;
}
