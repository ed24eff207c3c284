-- Partitions that should be there and are not, oldest first: each is made in a transaction of its own (retention.ts), since
-- rows may have to move into it.
CREATE FUNCTION missing_partitions(as_of timestamptz) RETURNS TABLE (parent text, lower_at timestamptz, upper_at timestamptz) LANGUAGE sql STABLE SET timezone TO 'UTC' AS $$
  SELECT plan.parent, at, at + ('1 ' || plan.step)::interval
  FROM partition_plan() plan, generate_series(date_trunc(plan.step, as_of - plan.keep), as_of + plan.ahead, ('1 ' || plan.step)::interval) at
  WHERE to_regclass(plan.parent || '_' || to_char(at, 'YYYYMMDD')) IS NULL
  ORDER BY 2, 1
$$;
--> statement-breakpoint
-- As before, but alone: a row that is counted between the move and the attaching would make the attaching fail.
-- Who reads goes on meanwhile.
CREATE OR REPLACE FUNCTION ensure_partition(parent text, lower_at timestamptz, upper_at timestamptz) RETURNS boolean LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
  child text := parent || '_' || to_char(lower_at, 'YYYYMMDD');
BEGIN
  PERFORM pg_advisory_xact_lock(7001);
  IF to_regclass(child) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', parent || '_default');
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', child, parent);
  EXECUTE format('WITH late AS (DELETE FROM %I WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM late', parent || '_default', lower_at, upper_at, child);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, child, lower_at, upper_at);
  RETURN true;
END $$;
--> statement-breakpoint
-- Work that was counted late is found by its batch.
ALTER TABLE ingest_batch ADD COLUMN oldest timestamptz;
--> statement-breakpoint
CREATE INDEX ingest_batch_at ON ingest_batch (at);
