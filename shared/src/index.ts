/** The shared core: one instance for the shell and all remotes. Only what a first paint needs. */
export type * from './contract';
export type * from './contract/config';
export * from './contract/ability';
export * from './domain';
export * from './api/client';
export { serverTime } from './api/clock';
export { earlyFetch } from './page-start/early-requests';
export type * from './api/admin-schemas';
export type * from './api/arrival-schemas';
export type * from './api/chart-schemas';
export type * from './api/schemas';
export type * from './api/timeline-schemas';
export type * from './api/upstream-schemas';
export type * from './api/worker-schemas';
export type { PoolEvents } from './api/contract';
export * from './i18n';
