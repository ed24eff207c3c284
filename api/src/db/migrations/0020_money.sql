-- Payouts, terms, the ledger of all parties, referral wallets.
ALTER TABLE "sub_account" ADD COLUMN "payout_paused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "referral_address" text;--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "referral_address_before" text;--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "referral_hold_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "day_price" ADD COLUMN "known_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "day_price" ADD CONSTRAINT "day_price_most" CHECK ("day_price"."price_btc" <= 1000 and "day_price"."btc_price_usd" <= 1000000000);--> statement-breakpoint
ALTER TABLE "earning" ADD COLUMN "newcomer" jsonb;--> statement-breakpoint
ALTER TABLE "earning" ADD COLUMN "referral_percent" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "earning" e SET "referral_percent" = a."rate_percent" FROM "referral_accrual" a WHERE a."sub_account_id" = e."sub_account_id" AND a."algorithm" = e."algorithm" AND a."day" = e."day";--> statement-breakpoint
ALTER TABLE "referral_accrual" ADD COLUMN "payment_id" integer;--> statement-breakpoint
ALTER TABLE "referral_accrual" ADD CONSTRAINT "referral_accrual_payment_id_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "referral_accrual_payment_id_index" ON "referral_accrual" USING btree ("payment_id");--> statement-breakpoint
CREATE TABLE "idempotency" (
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "term" (
	"name" text NOT NULL,
	"user_id" integer DEFAULT 0 NOT NULL,
	"since" date NOT NULL,
	"value" double precision,
	CONSTRAINT "term_name_user_id_since_pk" PRIMARY KEY("name","user_id","since"),
	CONSTRAINT "term_bounds" CHECK ("term"."value" is null or case "term"."name" when 'newbee_adjust' then "term"."value" between -100 and 100 when 'newbee_cost' then "term"."value" between 0 and 1 else "term"."value" between 0 and 100 end)
);
--> statement-breakpoint
CREATE TABLE "earning_adjustment" (
	"id" serial PRIMARY KEY NOT NULL,
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"day" date NOT NULL,
	"gross_sat_before" bigint NOT NULL,
	"gross_sat" bigint NOT NULL,
	"note" text NOT NULL,
	"user_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "earning_adjustment_amount" CHECK ("earning_adjustment"."gross_sat" >= 0)
);
--> statement-breakpoint
CREATE INDEX "earning_adjustment_day_index" ON "earning_adjustment" USING btree ("sub_account_id","algorithm","day");--> statement-breakpoint
CREATE TRIGGER earning_adjustment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON earning_adjustment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- A fee of a user's own holds from the day it was set on; what held before it is written down with the first change.
CREATE FUNCTION keep_user_fee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO term (name, user_id, since, value) SELECT 'user_fee', NEW.id, date '0001-01-01', OLD.fee_percent
    WHERE NOT EXISTS (SELECT 1 FROM term WHERE name = 'user_fee' AND user_id = NEW.id);
  INSERT INTO term (name, user_id, since, value) VALUES ('user_fee', NEW.id, (now() AT TIME ZONE 'UTC')::date, NEW.fee_percent)
    ON CONFLICT (name, user_id, since) DO UPDATE SET value = excluded.value;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_fee_kept AFTER UPDATE OF fee_percent ON app_user FOR EACH ROW WHEN (NEW.fee_percent IS DISTINCT FROM OLD.fee_percent) EXECUTE FUNCTION keep_user_fee();--> statement-breakpoint
-- The ledger tells of all parties, and every statement that adds to it sums to zero: mined (what the work was worth),
-- account and referrer (what is owed), pool (its fees), chain (what was paid out).
ALTER TABLE "ledger" ALTER COLUMN "sub_account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "party" text DEFAULT 'account' NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_party" CHECK ("ledger"."party" in ('account', 'referrer', 'pool', 'mined', 'chain') and ("ledger"."party" = 'account') = ("ledger"."sub_account_id" is not null) and ("ledger"."party" = 'referrer') = ("ledger"."user_id" is not null));--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_others" ON "ledger" USING btree ("party","kind","ref") WHERE "ledger"."party" <> 'account';--> statement-breakpoint
CREATE INDEX "ledger_user_id_index" ON "ledger" USING btree ("user_id") WHERE "ledger"."user_id" is not null;--> statement-breakpoint
INSERT INTO "ledger" ("party", "user_id", "kind", "amount_sat", "ref", "at")
  SELECT 'mined', null::integer, 'earning', -gross_sat, sub_account_id || '/' || algorithm || '/' || day, closed_at FROM earning WHERE gross_sat > 0
  UNION ALL SELECT 'pool', null, 'earning', fee_sat - referral_sat, sub_account_id || '/' || algorithm || '/' || day, closed_at FROM earning WHERE fee_sat <> referral_sat
  UNION ALL SELECT 'referrer', a.referrer_id, 'earning', a.amount_sat, a.sub_account_id || '/' || a.algorithm || '/' || a.day, e.closed_at
    FROM referral_accrual a JOIN earning e ON e.sub_account_id = a.sub_account_id AND e.algorithm = a.algorithm AND e.day = a.day WHERE a.amount_sat > 0
  UNION ALL SELECT 'chain', null, kind, -amount_sat, ref, at FROM ledger WHERE kind IN ('payout', 'payout_reversal');--> statement-breakpoint
CREATE FUNCTION check_ledger_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_sat) FROM made) <> 0 THEN
    RAISE EXCEPTION 'the entries of one statement must sum to zero' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_sums_to_zero AFTER INSERT ON ledger REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION check_ledger_sum();--> statement-breakpoint
-- unknown: the transfer was handed to a node and nobody knows yet whether it went out. Only a person ends that.
DROP INDEX "payment_one_open";--> statement-breakpoint
CREATE UNIQUE INDEX "payment_one_open" ON "payment" USING btree ("sub_account_id",("trigger" = 'referral')) WHERE "payment"."status" in ('pending', 'queued', 'unknown');--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_txid_form" CHECK ("payment"."txid" is null or "payment"."txid" ~ '^[0-9a-f]{64}$');--> statement-breakpoint
CREATE OR REPLACE FUNCTION check_payment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status NOT IN ('pending', 'queued') THEN
      RAISE EXCEPTION 'a payment starts as pending or queued, not %', NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.status <> OLD.status AND NOT (
       (OLD.status = 'pending' AND NEW.status IN ('queued', 'cancelled'))
    OR (OLD.status = 'queued' AND NEW.status IN ('unknown', 'sent', 'failed', 'cancelled', 'pending'))
    OR (OLD.status = 'unknown' AND NEW.status IN ('sent', 'failed'))
    OR (OLD.status = 'sent' AND NEW.status IN ('confirmed', 'failed'))
    OR (OLD.status = 'failed' AND NEW.status = 'queued' AND NEW.note IS DISTINCT FROM OLD.note AND NEW.note <> '')
    OR (OLD.status = 'failed' AND NEW.status = 'cancelled' AND OLD.sent_at IS NULL)) THEN
    RAISE EXCEPTION 'a payment cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.id <> OLD.id OR NEW.sub_account_id <> OLD.sub_account_id OR NEW.trigger <> OLD.trigger
     OR (OLD.status <> 'pending' AND NEW.amount_sat <> OLD.amount_sat)
     OR (OLD.status NOT IN ('pending', 'failed') AND NEW.status <> 'pending' AND NEW.address IS DISTINCT FROM OLD.address)
     OR (OLD.status IN ('sent', 'confirmed') AND NEW.txid IS DISTINCT FROM OLD.txid) THEN
    RAISE EXCEPTION 'amount, address and transaction of a payment under way do not change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Whoever changes an address takes back, in the same transaction, what was about to be paid to the old one: held, not redirected.
CREATE FUNCTION hold_queued_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'sub_account' THEN
    UPDATE payment SET status = 'pending', reason = 'address_hold' WHERE sub_account_id = NEW.id AND trigger <> 'referral' AND status = 'queued';
  ELSE
    UPDATE payment p SET status = 'pending', reason = 'address_hold' FROM sub_account s WHERE s.user_id = NEW.id AND p.sub_account_id = s.id AND p.trigger = 'referral' AND p.status = 'queued';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER wallet_change_holds AFTER UPDATE OF btc_address ON sub_account FOR EACH ROW WHEN (NEW.btc_address IS DISTINCT FROM OLD.btc_address) EXECUTE FUNCTION hold_queued_payments();--> statement-breakpoint
CREATE TRIGGER referral_wallet_change_holds AFTER UPDATE OF referral_address ON app_user FOR EACH ROW WHEN (NEW.referral_address IS DISTINCT FROM OLD.referral_address) EXECUTE FUNCTION hold_queued_payments();
