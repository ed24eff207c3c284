const DAY_MS = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/**
 * URLs of a remote's `prefetchCalls` (remote.json): `{name}` and `{name=default}` are replaced from the page's
 * query, else by the default; `{day-29}` by the UTC day so many days ago. Calls with such days are left out where the
 * query chooses more than the account: other days, or another list.
 */
export const prefetchUrls = (
  calls: readonly string[],
  search: string,
  defaults: Partial<Record<string, string>>,
): string[] => {
  const query = new URLSearchParams(search);
  const chooses = [...query.keys()].some((name) => name !== 'account' && name !== 'algorithm');
  return (chooses ? calls.filter((url) => !url.includes('{day-')) : calls).map((url) =>
    url
      .replace(/\{day-(\d+)\}/g, (_, days: string) => dayBefore(Number(days)))
      .replace(/\{(\w+)(?:=(\w+))?\}/g, (_, name: string, fallback?: string) =>
        encodeURIComponent(query.get(name) || (fallback ?? defaults[name] ?? '')),
      ),
  );
};

/** Whether `path` is the remote's first page, which makes these calls. */
export const isFirstPage = (basePath: string, path: string): boolean => path === basePath || path === `${basePath}/`;
