/**
 * Tables. Money is integer satoshis (bigint), hashrate and work are doubles, times are timestamptz (UTC).
 * Partitions, triggers and rollup SQL live in the migrations (`migrations/*.sql`).
 */
export * from './identity';
export * from './accounts';
export * from './shares';
export * from './money';
export * from './referral';
export * from './operations';
export * from './alerts';
export * from './nodes';
export * from './upstream';
