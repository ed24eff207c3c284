import type { SomeHandlers } from '../../auth/route';
import type { Deps } from '../../context/deps';

export const clientErrorRoutes = ({ figures }: Deps): SomeHandlers<'POST /client-errors'> => ({
  'POST /client-errors': async ({ body }) => {
    await figures.take(body);
    return { accepted: true as const };
  },
});
