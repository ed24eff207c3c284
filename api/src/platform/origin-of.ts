/** The server's origin as the caller of a request names it: scheme, host and port. */
export const originOf = ({ protocol, host }: { protocol: string; host: string }): string => `${protocol}://${host}`;

/** Host and port of an origin; null: the text is no address. */
export const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
