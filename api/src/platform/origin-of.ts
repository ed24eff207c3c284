/** The server's origin as the caller of a request names it: scheme, host and port. */
export const originOf = ({ protocol, host }: { protocol: string; host: string }): string => `${protocol}://${host}`;
