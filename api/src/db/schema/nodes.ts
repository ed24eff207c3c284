import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ofWorker } from './accounts';
import { now, time } from './columns';

/** The processes that share this database, from their start until they have left or are retired. */
export const node = pgTable('node', {
  /** Of its DATA_DIR, whose journal it counts. */
  id: text('id').primaryKey(),
  roles: text('roles').array().notNull(),
  /** Process and machine, for people. */
  place: text('place').notNull(),
  build: text('build').notNull(),
  startedAt: now('started_at'),
  heartbeat: now('heartbeat'),
  /** Every share that it acknowledged before is counted, or listed in `uncounted`; null: it has no journal. */
  countedThrough: time('counted_through'),
  /** Work of before `counted_through` that is not counted: [{day, why, lines}]. */
  uncounted: jsonb('uncounted').notNull().default([]),
  /** It was silent, so its miners are shown as gone: it writes all of them again. */
  shownGone: boolean('shown_gone').notNull().default(false),
  /** What other processes show of it. */
  state: jsonb('state'),
});

/** Who is connected to which node; a single server needs none. */
export const workerPresence = pgTable(
  'worker_presence',
  {
    workerId: integer('worker_id').notNull(),
    nodeId: text('node_id')
      .notNull()
      .references(() => node.id, { onDelete: 'cascade' }),
    subAccountId: integer('sub_account_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subAccountId, t.workerId, t.nodeId] }), ofWorker(t), index().on(t.nodeId)],
);
