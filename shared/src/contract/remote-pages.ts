/** Which page a path is of: apart from the schemas of remote-schema.ts, for pages, which have no zod. */
export const isBelow = (at: string, base: string): boolean => at === base || at.startsWith(`${base}/`);

const isSegment = (wanted: string, given = ''): boolean => {
  if (wanted === ':id') return /^\d{1,10}$/.test(given);
  return wanted.startsWith(':') ? given !== '' : wanted.toLowerCase() === given.toLowerCase();
};

/** Whether the remote has a page at `at`. Where its pages are not known, every path below its base is one. */
export function hasPage({ basePath, pages }: { basePath: string; pages?: readonly string[] }, at: string): boolean {
  if (!isBelow(at, basePath)) return false;
  const given = at.replace(/\/$/, '').split('/');
  return (pages ?? [`${basePath}/*`]).some((page) => {
    const wanted = page.replace(/\/\*$/, '').split('/');
    const isLong = page.endsWith('/*') ? given.length >= wanted.length : given.length === wanted.length;
    return isLong && wanted.every((segment, index) => isSegment(segment, given[index]));
  });
}
