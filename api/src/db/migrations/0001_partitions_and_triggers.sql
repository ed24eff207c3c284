-- What drizzle cannot say: partitions, append-only tables, the life of a payment.

-- Each partitioned table: its step, how long it is kept, how far ahead partitions are made.
CREATE FUNCTION partition_plan() RETURNS TABLE (parent text, step text, keep interval, ahead interval) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('share_1m', 'day', interval '3 days', interval '3 days'),
         ('account_1m', 'day', interval '3 days', interval '3 days'),
         ('share_10m', 'week', interval '40 days', interval '14 days'),
         ('account_10m', 'week', interval '40 days', interval '14 days'),
         ('share_1h', 'month', interval '1 year', interval '2 months')
$$;
--> statement-breakpoint
CREATE TABLE share_1m_default PARTITION OF share_1m DEFAULT;
--> statement-breakpoint
CREATE TABLE account_1m_default PARTITION OF account_1m DEFAULT;
--> statement-breakpoint
CREATE TABLE share_10m_default PARTITION OF share_10m DEFAULT;
--> statement-breakpoint
CREATE TABLE account_10m_default PARTITION OF account_10m DEFAULT;
--> statement-breakpoint
CREATE TABLE share_1h_default PARTITION OF share_1h DEFAULT;
--> statement-breakpoint
-- One partition. Rows that already fell into the default partition move over (a pool that was off for long, a late journal).
CREATE FUNCTION ensure_partition(parent text, lower_at timestamptz, upper_at timestamptz) RETURNS boolean LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
  child text := parent || '_' || to_char(lower_at, 'YYYYMMDD');
BEGIN
  IF to_regclass(child) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', child, parent);
  EXECUTE format('WITH late AS (DELETE FROM %I WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM late', parent || '_default', lower_at, upper_at, child);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, child, lower_at, upper_at);
  RETURN true;
END $$;
--> statement-breakpoint
-- All partitions of the time that is kept and of the near future. Returns how many were made. Run at start and daily.
CREATE FUNCTION ensure_partitions(as_of timestamptz DEFAULT now()) RETURNS integer LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
  plan record;
  lower_at timestamptz;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7001);
  FOR plan IN SELECT * FROM partition_plan() LOOP
    lower_at := date_trunc(plan.step, as_of - plan.keep);
    WHILE lower_at <= as_of + plan.ahead LOOP
      IF ensure_partition(plan.parent, lower_at, lower_at + ('1 ' || plan.step)::interval) THEN made := made + 1; END IF;
      lower_at := lower_at + ('1 ' || plan.step)::interval;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;
--> statement-breakpoint
-- Drops partitions that have wholly left the time they are kept for. Returns how many. Run daily.
CREATE FUNCTION drop_old_partitions(as_of timestamptz DEFAULT now()) RETURNS integer LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
  plan record;
  child record;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7001);
  FOR plan IN SELECT * FROM partition_plan() LOOP
    FOR child IN SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                 WHERE i.inhparent = plan.parent::regclass AND c.relname ~ '_[0-9]{8}$' LOOP
      IF to_timestamp(right(child.name, 8), 'YYYYMMDD') + ('1 ' || plan.step)::interval <= as_of - plan.keep THEN
        EXECUTE format('DROP TABLE %I', child.name);
        dropped := dropped + 1;
      END IF;
    END LOOP;
    EXECUTE format('DELETE FROM %I WHERE at < %L', plan.parent || '_default', as_of - plan.keep);
  END LOOP;
  RETURN dropped;
END $$;
--> statement-breakpoint
SELECT ensure_partitions();
--> statement-breakpoint
-- Sums over all accounts (pool statistics, closing a day) go by time.
CREATE INDEX account_10m_at ON account_10m (at);
--> statement-breakpoint
CREATE INDEX account_1h_at ON account_1h (at);
--> statement-breakpoint
CREATE INDEX account_1d_at ON account_1d (at);
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER payment_never_deleted BEFORE DELETE OR TRUNCATE ON payment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- pending > queued > sent > confirmed; queued, sent > failed; failed > queued with a new note; cancelled only before it was sent.
CREATE FUNCTION check_payment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status NOT IN ('pending', 'queued') THEN
      RAISE EXCEPTION 'a payment starts as pending or queued, not %', NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.status <> OLD.status AND NOT (
       (OLD.status = 'pending' AND NEW.status IN ('queued', 'cancelled'))
    OR (OLD.status = 'queued' AND NEW.status IN ('sent', 'failed', 'cancelled', 'pending'))
    OR (OLD.status = 'sent' AND NEW.status IN ('confirmed', 'failed'))
    OR (OLD.status = 'failed' AND NEW.status = 'queued' AND NEW.note IS DISTINCT FROM OLD.note AND NEW.note <> '')
    OR (OLD.status = 'failed' AND NEW.status = 'cancelled' AND OLD.sent_at IS NULL)) THEN
    RAISE EXCEPTION 'a payment cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.id <> OLD.id OR NEW.sub_account_id <> OLD.sub_account_id
     OR (OLD.status <> 'pending' AND (NEW.amount_sat <> OLD.amount_sat OR (NEW.status <> 'pending' AND NEW.address IS DISTINCT FROM OLD.address)))
     OR (OLD.status IN ('sent', 'confirmed') AND NEW.txid IS DISTINCT FROM OLD.txid) THEN
    RAISE EXCEPTION 'amount, address and transaction of a payment under way do not change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_change BEFORE INSERT OR UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION check_payment_change();
