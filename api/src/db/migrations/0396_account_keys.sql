-- What a worker's shares go through is keyed by account first, so that it can be distributed by account (docs/scale.md).
-- Until no process of the build before runs, its keys stay beside the new ones, and triggers fill what it does not know.
LOCK TABLE node, worker_group, worker, share_1m, share_10m, share_1h, share_1d, worker_live, worker_presence, worker_alert, worker_event IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE FUNCTION fill_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- 0: the worker was deleted.
  NEW.sub_account_id := coalesce((SELECT sub_account_id FROM worker WHERE id = NEW.worker_id), 0);
  RETURN NEW;
END $$;
--> statement-breakpoint
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['share_1m', 'share_10m', 'share_1h', 'share_1d', 'worker_live', 'worker_presence', 'worker_alert', 'worker_event'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN sub_account_id integer', name);
    EXECUTE format('CREATE TRIGGER fill_account BEFORE INSERT OR UPDATE ON %I FOR EACH ROW WHEN (NEW.sub_account_id IS NULL) EXECUTE FUNCTION fill_account()', name);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE UNIQUE INDEX worker_key ON worker (sub_account_id, id);
--> statement-breakpoint
CREATE INDEX worker_id_index ON worker (id);
--> statement-breakpoint
CREATE UNIQUE INDEX worker_group_key ON worker_group (sub_account_id, id);
--> statement-breakpoint
-- A row a worker, or a few: filled at once.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['worker_live', 'worker_presence', 'worker_alert', 'worker_event'] LOOP
    EXECUTE format('UPDATE %I SET sub_account_id = NULL', name);
    EXECUTE format('ALTER TABLE %I ALTER sub_account_id SET NOT NULL', name);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (sub_account_id, worker_id) REFERENCES worker (sub_account_id, id) ON DELETE CASCADE', name, name || '_worker_fk');
  END LOOP;
END $$;
--> statement-breakpoint
CREATE UNIQUE INDEX worker_live_key ON worker_live (sub_account_id, worker_id);
--> statement-breakpoint
CREATE UNIQUE INDEX worker_presence_key ON worker_presence (sub_account_id, worker_id, node_id);
--> statement-breakpoint
CREATE UNIQUE INDEX worker_alert_key ON worker_alert (sub_account_id, worker_id, kind);
--> statement-breakpoint
CREATE UNIQUE INDEX worker_event_key ON worker_event (sub_account_id, id);
--> statement-breakpoint
CREATE INDEX worker_event_by_worker ON worker_event (sub_account_id, worker_id, at);
--> statement-breakpoint
-- Fills the tables of shares and makes their keys; goes on where it was ended. `in_parts`: each part is committed, so that
-- shares are counted meanwhile; only a partition whose key is made waits (a second for a million rows).
CREATE PROCEDURE key_shares_by_account(in_parts boolean) LANGUAGE plpgsql AS $$
DECLARE
  pages_of_a_part bigint := CASE WHEN in_parts THEN 1000 ELSE 4000000000 END;
  parent text;
  leaf text;
  pages bigint;
  is_filled boolean;
BEGIN
  FOREACH parent IN ARRAY ARRAY['share_1m', 'share_10m', 'share_1h', 'share_1d'] LOOP
    CONTINUE WHEN to_regclass(parent || '_key') IS NOT NULL;
    LOOP
      SELECT c.relname INTO leaf
      FROM pg_class c
      LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
      WHERE c.relkind = 'r' AND parent::regclass IN (c.oid, i.inhparent) AND to_regclass(c.relname || '_key') IS NULL
      ORDER BY 1
      LIMIT 1;
      EXIT WHEN leaf IS NULL;
      LOOP
        pages := pg_relation_size(leaf::regclass) / current_setting('block_size')::bigint;
        FOR part IN 0 .. pages / pages_of_a_part LOOP
          -- Rows that somebody is writing are left out, so that neither waits for the other: their trigger fills them.
          EXECUTE format(
            'WITH free AS MATERIALIZED (
               SELECT ctid AS place, worker_id FROM %1$I
               WHERE sub_account_id IS NULL AND ctid >= %2$L AND ctid < %3$L
               FOR NO KEY UPDATE SKIP LOCKED
             )
             UPDATE %1$I s
             SET sub_account_id = coalesce(w.sub_account_id, 0)
             FROM free LEFT JOIN worker w ON w.id = free.worker_id
             WHERE s.ctid = free.place AND s.ctid >= %2$L AND s.ctid < %3$L',
            leaf, format('(%s,0)', part * pages_of_a_part), format('(%s,0)', (part + 1) * pages_of_a_part));
          IF in_parts THEN COMMIT; END IF;
        END LOOP;
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I WHERE sub_account_id IS NULL)', leaf) INTO is_filled;
        EXIT WHEN is_filled;
      END LOOP;
      -- Checked while others write; then NOT NULL reads no row.
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS filled', leaf);
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT filled CHECK (sub_account_id IS NOT NULL) NOT VALID', leaf);
      IF in_parts THEN COMMIT; END IF;
      EXECUTE format('ALTER TABLE %I VALIDATE CONSTRAINT filled', leaf);
      IF in_parts THEN COMMIT; END IF;
      EXECUTE format('ALTER TABLE %I ALTER sub_account_id SET NOT NULL', leaf);
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT filled', leaf);
      IF in_parts THEN COMMIT; END IF;
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I (sub_account_id, worker_id, at)', leaf || '_key', leaf);
      IF in_parts THEN COMMIT; END IF;
    END LOOP;
    IF to_regclass(parent || '_key') IS NULL THEN
      EXECUTE format('ALTER TABLE %I ALTER sub_account_id SET NOT NULL', parent);
      -- Takes over those of the partitions.
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I (sub_account_id, worker_id, at)', parent || '_key', parent);
      IF in_parts THEN COMMIT; END IF;
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
-- Processes that joined before are of the build before: it cannot start again.
INSERT INTO setting (name, value) VALUES ('keys by worker', to_jsonb(clock_timestamp()));
--> statement-breakpoint
-- The end of the keys of the build before, once none of its processes is left; false: not now.
CREATE FUNCTION drop_keys_by_worker() RETURNS boolean LANGUAGE plpgsql SET lock_timeout TO '2s' AS $$
DECLARE
  name text;
BEGIN
  IF to_regproc('fill_account') IS NULL OR to_regclass('share_1d_key') IS NULL OR NOT EXISTS (
    SELECT FROM setting s
    WHERE s.name = 'keys by worker' AND NOT EXISTS (SELECT FROM node WHERE started_at < (s.value #>> '{}')::timestamptz)
  ) THEN RETURN false; END IF;
  LOCK TABLE node, worker_group, worker, share_1m, share_10m, share_1h, share_1d, worker_live, worker_presence, worker_alert, worker_event IN ACCESS EXCLUSIVE MODE;
  FOREACH name IN ARRAY ARRAY['share_1m', 'share_10m', 'share_1h', 'share_1d', 'worker_live', 'worker_presence', 'worker_alert', 'worker_event'] LOOP
    EXECUTE format('DROP TRIGGER fill_account ON %I', name);
  END LOOP;
  DROP FUNCTION fill_account(); -- contract: the build before 0396
  FOREACH name IN ARRAY ARRAY['share_1m', 'share_10m', 'share_1h', 'share_1d'] LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', name, name || '_worker_id_at_pk');
  END LOOP;
  ALTER TABLE worker_live DROP CONSTRAINT worker_live_worker_id_worker_id_fk, DROP CONSTRAINT worker_live_pkey, ADD PRIMARY KEY USING INDEX worker_live_key;
  ALTER TABLE worker_presence DROP CONSTRAINT worker_presence_worker_id_worker_id_fk, DROP CONSTRAINT worker_presence_worker_id_node_id_pk, ADD PRIMARY KEY USING INDEX worker_presence_key;
  ALTER TABLE worker_alert DROP CONSTRAINT worker_alert_worker_id_worker_id_fk, DROP CONSTRAINT worker_alert_worker_id_kind_pk, ADD PRIMARY KEY USING INDEX worker_alert_key;
  ALTER TABLE worker_event DROP CONSTRAINT worker_event_worker_id_fkey, DROP CONSTRAINT worker_event_pkey, ADD PRIMARY KEY USING INDEX worker_event_key;
  DROP INDEX worker_event_worker_id_at_index;
  -- A group's workers are taken out of it before it is deleted: distributed tables know no SET NULL.
  ALTER TABLE worker DROP CONSTRAINT worker_group_id_worker_group_id_fk;
  ALTER TABLE worker_group DROP CONSTRAINT worker_group_pkey, ADD PRIMARY KEY USING INDEX worker_group_key;
  ALTER TABLE worker ADD CONSTRAINT worker_group_fk FOREIGN KEY (sub_account_id, group_id) REFERENCES worker_group (sub_account_id, id);
  ALTER TABLE worker DROP CONSTRAINT worker_pkey;
  ALTER TABLE worker ADD PRIMARY KEY USING INDEX worker_key;
  DELETE FROM setting s WHERE s.name = 'keys by worker';
  RETURN true;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
  RETURN false;
END $$;
--> statement-breakpoint
-- Larger tables (from some hundred thousand rows) are keyed in parts, before the server starts.
DO $$
BEGIN
  IF (SELECT sum(pg_relation_size(oid)) < 32 * 1024 * 1024 FROM pg_class WHERE relkind = 'r' AND relname ~ '^share_1') THEN
    CALL key_shares_by_account(false);
    PERFORM drop_keys_by_worker();
  END IF;
END $$;
