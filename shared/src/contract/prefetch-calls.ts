/** URLs of `prefetchCalls`: `{name}` and `{name=default}` are of the page's query, else the default. */
export const prefetchUrls = (
  calls: readonly string[],
  search: string,
  defaults: Partial<Record<string, string>>,
): string[] => {
  const query = new URLSearchParams(search);
  return calls.map((url) =>
    url.replace(/\{(\w+)(?:=(\w+))?\}/g, (_, name: string, fallback?: string) =>
      encodeURIComponent(query.get(name) || (fallback ?? defaults[name] ?? '')),
    ),
  );
};

/** Whether `path` is the remote's first page, which makes these calls. */
export const isFirstPage = (basePath: string, path: string): boolean => path === basePath || path === `${basePath}/`;
