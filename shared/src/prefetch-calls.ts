const DAY_MS = 86_400_000;

/**
 * `{day-29}` is replaced by the UTC day so many days ago, on the server, for first views. Calls with such days are left
 * out where the query chooses more than the account: other days, or another list.
 */
export function withDays(calls: readonly string[], search: string): string[] {
  const chooses = [...new URLSearchParams(search).keys()].some((name) => name !== 'account' && name !== 'algorithm');
  const dayBefore = (_: string, days: string): string =>
    new Date(Date.now() - Number(days) * DAY_MS).toISOString().slice(0, 10);
  return chooses ? [...calls] : calls.map((url) => url.replace(/\{day-(\d+)\}/g, dayBefore));
}

/**
 * URLs of a remote's `prefetchCalls` (remote.json): `{name}` and `{name=default}` are replaced from the page's
 * query, else by the default. Calls with days are left out.
 */
export const prefetchUrls = (
  calls: readonly string[],
  search: string,
  defaults: Partial<Record<string, string>>,
): string[] => {
  const query = new URLSearchParams(search);
  return calls
    .filter((url) => !url.includes('{day'))
    .map((url) =>
      url.replace(/\{(\w+)(?:=(\w+))?\}/g, (_, name: string, fallback?: string) =>
        encodeURIComponent(query.get(name) || (fallback ?? defaults[name] ?? '')),
      ),
    );
};

/** Whether `path` is the remote's first page, which makes these calls. */
export const isFirstPage = (basePath: string, path: string): boolean => path === basePath || path === `${basePath}/`;
