/** Workers of the account on algorithms other than the page's. */
import { ALGORITHM_NAMES } from '../domain';
import { useServiceQuery } from './queries';

/** The algorithm with the most workers beside the page's, and their number; null: none, undefined: not known yet. */
export function useElsewhere() {
  const { data, error } = useServiceQuery(({ api, session: { account, algorithm } }) => ({
    queryKey: ['workers', 'elsewhere', { account, algorithm }],
    queryFn: ({ signal }) =>
      Promise.all(
        ALGORITHM_NAMES.filter((name) => name !== algorithm).map(async (name) => {
          const query = { subAccountName: account, algorithm: name };
          const { total } = await api('GET /getWorkerCount/', { query, signal });
          return { algorithm: name, total };
        }),
      ),
  }));
  if (!data) return error ? null : undefined;
  const [most] = [...data].sort((a, b) => b.total - a.total);
  return most && most.total > 0 ? most : null;
}
