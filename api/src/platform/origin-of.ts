/** The server's origin as the caller of a request names it: scheme, host and port. */
export const originOf = ({ protocol, host }: { protocol: string; host: string }): string => `${protocol}://${host}`;

/** The pool's own origin: PUBLIC_URL, else as the caller names it. */
export const poolOrigin = ({ config }: { config: { PUBLIC_URL?: string } }, request: Parameters<typeof originOf>[0]) =>
  config.PUBLIC_URL ?? originOf(request);

/** Host and port of an origin; null: the text is no address. */
export const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
