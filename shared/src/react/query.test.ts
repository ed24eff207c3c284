import { createQueryClient } from './query';

test('a focus asks again at most every five seconds, for failed queries too', () => {
  const client = createQueryClient();
  const asks = (at: { dataUpdatedAt?: number; errorUpdatedAt?: number }) => {
    const refetch = client.getDefaultOptions().queries?.refetchOnWindowFocus;
    const query = client.getQueryCache().build(client, { queryKey: [at] as readonly unknown[] });
    query.setState({ dataUpdatedAt: 0, errorUpdatedAt: 0, ...at });
    return typeof refetch === 'function' ? refetch(query) : refetch;
  };
  const [now, before] = [Date.now(), Date.now() - 6000];
  expect(asks({ dataUpdatedAt: before })).toBe('always');
  expect(asks({ errorUpdatedAt: before })).toBe('always');
  expect(asks({ dataUpdatedAt: now })).toBe(false);
  expect(asks({ dataUpdatedAt: before, errorUpdatedAt: now })).toBe(false);
});
