-- Who approved a payment: with four eyes the same person does not send it.
ALTER TABLE "payment" ADD COLUMN "queued_by" integer;--> statement-breakpoint
-- Whoever edits a user or a sub-account names the version they have seen.
ALTER TABLE "app_user" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "sub_account" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER app_user_version BEFORE UPDATE OF role, is_legacy_user, disabled, fee_percent ON app_user FOR EACH ROW
  WHEN ((NEW.role, NEW.is_legacy_user, NEW.disabled, NEW.fee_percent) IS DISTINCT FROM (OLD.role, OLD.is_legacy_user, OLD.disabled, OLD.fee_percent))
  EXECUTE FUNCTION count_version();--> statement-breakpoint
CREATE TRIGGER sub_account_version BEFORE UPDATE OF ports, proxy_port, threshold_sat ON sub_account FOR EACH ROW
  WHEN ((NEW.ports, NEW.proxy_port, NEW.threshold_sat) IS DISTINCT FROM (OLD.ports, OLD.proxy_port, OLD.threshold_sat))
  EXECUTE FUNCTION count_version();--> statement-breakpoint
-- What became of a request for the welcome bonus. A granted one is booked in the ledger as `bonus/<id>`.
ALTER TABLE "bonus_request" ADD COLUMN "status" text DEFAULT 'new' NOT NULL;--> statement-breakpoint
ALTER TABLE "bonus_request" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "bonus_request" ADD COLUMN "sub_account_id" integer;--> statement-breakpoint
ALTER TABLE "bonus_request" ADD COLUMN "amount_sat" bigint;--> statement-breakpoint
ALTER TABLE "bonus_request" ADD COLUMN "handled_by" integer;--> statement-breakpoint
ALTER TABLE "bonus_request" ADD COLUMN "handled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bonus_request" ADD CONSTRAINT "bonus_request_status" CHECK ("bonus_request"."status" in ('new', 'granted', 'refused') and ("bonus_request"."status" = 'granted') = ("bonus_request"."amount_sat" is not null));--> statement-breakpoint
CREATE INDEX "payment_status_id_index" ON "payment" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "audit_action_index" ON "audit" USING btree ("action" text_pattern_ops,"id");--> statement-breakpoint
CREATE INDEX "audit_subject_index" ON "audit" USING btree ("subject","id") WHERE "audit"."subject" is not null;--> statement-breakpoint
CREATE INDEX "audit_at_index" ON "audit" USING brin ("at");
