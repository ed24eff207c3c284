import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';

export const clientErrorRoutes = ({ figures, canaries }: Deps) =>
  ({
    'POST /client-errors': async ({ me, request, body }) => {
      await figures.take(me.user.id, body);
      await canaries.take(me, request.ip, body);
      return { accepted: true as const };
    },
  }) satisfies Partial<Handlers>;
