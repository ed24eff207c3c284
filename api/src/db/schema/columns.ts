import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const now = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();
export const time = (name: string) => timestamp(name, { withTimezone: true });
/** Whole satoshis. */
export const sats = (name: string) => bigint(name, { mode: 'number' });
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
