-- The audit log as a chain: entry n's hash is sha256 of the hash before it, a line feed, and the audit row as JSON
-- (accounts/audit-chain.ts computes it again). A row joins the chain at the commit that writes it.
CREATE TABLE "audit_chain" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_chain_audit_id_index" ON "audit_chain" USING btree ("audit_id");--> statement-breakpoint
-- The lock is taken last in a transaction, when it commits, and is held for that commit only: transactions that write
-- audit rows run side by side until then, and no entry is missing when one is rolled back.
CREATE FUNCTION chain_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head audit_chain;
BEGIN
  PERFORM pg_advisory_xact_lock(7011);
  SELECT * INTO head FROM audit_chain ORDER BY seq DESC LIMIT 1;
  INSERT INTO audit_chain (seq, audit_id, hash) VALUES (
    coalesce(head.seq, 0) + 1,
    NEW.id,
    encode(sha256(convert_to(coalesce(head.hash, repeat('0', 64)) || chr(10) || json_build_array(
      NEW.id, NEW.user_id, NEW.action, NEW.subject, NEW.before, NEW.after, NEW.ip,
      to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))::text, 'UTF8')), 'hex'));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER audit_chained AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit();
--> statement-breakpoint
-- Rows of before, as they are now. Nobody writes meanwhile: the trigger above has locked the table.
DO $$
DECLARE
  entry record;
  previous text := repeat('0', 64);
  n bigint := 0;
BEGIN
  FOR entry IN SELECT a.id, json_build_array(a.id, a.user_id, a.action, a.subject, a.before, a.after, a.ip,
      to_char(a.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))::text AS line FROM audit a ORDER BY a.id LOOP
    n := n + 1;
    previous := encode(sha256(convert_to(previous || chr(10) || entry.line, 'UTF8')), 'hex');
    INSERT INTO audit_chain (seq, audit_id, hash) VALUES (n, entry.id, previous);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
