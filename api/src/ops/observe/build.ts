/** Version of the server, set by its build (scripts/build/server.ts). */
export const BUILD = process.env.POOL_BUILD ?? 'development';
