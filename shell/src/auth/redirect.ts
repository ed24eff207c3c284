/**
 * Where to go after signing in: a path of this very origin, or `fallback`. Anything else (`//evil`, `javascript:`,
 * another origin, the forms themselves) is not followed.
 */
export function safeRedirect(
  wanted: string | null,
  fallback: string,
  forms: readonly string[],
  origin = location.origin,
): string {
  if (!wanted || !URL.canParse(wanted, origin)) return fallback;
  const url = new URL(wanted, origin);
  if (url.origin !== origin || !url.protocol.startsWith('http') || url.pathname.startsWith('//')) return fallback;
  if (forms.some((form) => url.pathname === form || url.pathname.startsWith(`${form}/`))) return fallback;
  return url.pathname + url.search + url.hash;
}

/** A form's address that remembers where to go afterwards. */
export const formUrl = (form: string, target: string, fallback: string): string =>
  target === fallback ? form : `${form}?${new URLSearchParams({ redirect_url: target })}`;

/** What the address of a form asks for afterwards. */
export const wantedAfter = (search: string): string | null => new URLSearchParams(search).get('redirect_url');
