import { OPERATOR_COOKIE } from '@pool/shared/page-start';

/** The path to open after signing in: a page of this origin, but not a sign-in form; else `fallback`. */
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

/** URL of a form that remembers the page to open afterwards. */
export const formUrl = (form: string, target: string, fallback: string): string =>
  target === fallback ? form : `${form}?${new URLSearchParams({ redirect_url: target })}`;

/** The page to open afterwards, from a form's URL. */
export const wantedAfter = (search: string): string | null => new URLSearchParams(search).get('redirect_url');

/** Nothing else is shown as a code: anybody can write an address. */
const CODE = /^[A-Za-z0-9_-]{4,32}$/;

/** The operator's code in a sign-up form's URL, which makes the first admin; undefined: a usual sign-up. */
export const operatorCodeOf = (search: string): string | undefined =>
  new URLSearchParams(search).get('operator') ?? undefined;

/** Has the sign-up send the code, in a cookie: clerk-js shows no errors of a form that has metadata. */
export function keepOperatorCode(code: string | undefined): void {
  const value = encodeURIComponent(code ?? '');
  document.cookie = `${OPERATOR_COOKIE}=${value}; path=/__clerk; samesite=strict; max-age=${code ? 3600 : 0}`;
}

/** The code of the invitation that leads through a form: it is in the address of the page that takes it afterwards. */
export function invitationOf(search: string, origin = location.origin): string | null {
  const wanted = wantedAfter(search);
  if (!wanted || !URL.canParse(wanted, origin)) return null;
  const code = new URL(wanted, origin).searchParams.get('code');
  return code !== null && CODE.test(code) ? code : null;
}
