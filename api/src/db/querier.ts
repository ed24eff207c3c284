import type { Pool, PoolClient } from 'pg';

/** Runs SQL: the pool of connections, or the one connection of a transaction. */
export type Querier = Pick<Pool | PoolClient, 'query'>;
