-- Hours of accounts are kept a year like those of workers: the table as it is becomes the default partition, months move out of it.
ALTER TABLE account_1h RENAME TO account_1h_default;
--> statement-breakpoint
CREATE TABLE account_1h (LIKE account_1h_default INCLUDING ALL) PARTITION BY RANGE (at);
--> statement-breakpoint
ALTER TABLE account_1h ATTACH PARTITION account_1h_default DEFAULT;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION partition_plan() RETURNS TABLE (parent text, step text, keep interval, ahead interval) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('share_1m', 'day', interval '3 days', interval '3 days'),
         ('account_1m', 'day', interval '3 days', interval '3 days'),
         ('share_10m', 'week', interval '40 days', interval '14 days'),
         ('account_10m', 'week', interval '40 days', interval '14 days'),
         ('share_1h', 'month', interval '1 year', interval '2 months'),
         ('account_1h', 'month', interval '1 year', interval '2 months')
$$;
--> statement-breakpoint
SELECT ensure_partitions();
--> statement-breakpoint
-- A block range is summed up as soon as the next one begins, not at the next vacuum: until then every query reads it.
DROP INDEX share_1m_newest;
--> statement-breakpoint
CREATE INDEX share_1m_newest ON share_1m USING brin (at) WITH (autosummarize = on);
--> statement-breakpoint
DROP INDEX share_10m_newest;
--> statement-breakpoint
CREATE INDEX share_10m_newest ON share_10m USING brin (at) WITH (pages_per_range = 16, autosummarize = on);
