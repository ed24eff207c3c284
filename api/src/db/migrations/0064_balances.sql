-- What is owed and was paid, kept by the transaction that books it: asking costs the same however long the ledger is.
CREATE TABLE "balance" (
	"party" text NOT NULL,
	"owner_id" integer NOT NULL,
	"owed_sat" bigint NOT NULL,
	"paid_sat" bigint NOT NULL,
	"payouts" integer NOT NULL,
	CONSTRAINT "balance_pk" PRIMARY KEY("party","owner_id"),
	CONSTRAINT "balance_party" CHECK ("balance"."party" in ('account', 'referrer'))
);
--> statement-breakpoint
-- The sums of the whole ledger, which the daily work compares with the kept ones.
CREATE VIEW "ledger_balance" AS
SELECT party, coalesce(sub_account_id, user_id) AS owner_id, sum(amount_sat) AS owed_sat,
  coalesce(-sum(amount_sat) FILTER (WHERE kind IN ('payout', 'payout_reversal')), 0) AS paid_sat,
  (count(*) FILTER (WHERE kind = 'payout') - count(*) FILTER (WHERE kind = 'payout_reversal'))::int AS payouts
FROM ledger WHERE party IN ('account', 'referrer') GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO "balance" SELECT party, owner_id, owed_sat, paid_sat, payouts FROM ledger_balance;
--> statement-breakpoint
-- In one order, so that two statements about the same owners wait for each other and do not deadlock.
CREATE FUNCTION keep_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO balance AS b (party, owner_id, owed_sat, paid_sat, payouts)
  SELECT party, coalesce(sub_account_id, user_id), sum(amount_sat),
    coalesce(-sum(amount_sat) FILTER (WHERE kind IN ('payout', 'payout_reversal')), 0),
    count(*) FILTER (WHERE kind = 'payout') - count(*) FILTER (WHERE kind = 'payout_reversal')
  FROM made WHERE party IN ('account', 'referrer') GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party, owner_id) DO UPDATE
    SET owed_sat = b.owed_sat + excluded.owed_sat, paid_sat = b.paid_sat + excluded.paid_sat, payouts = b.payouts + excluded.payouts;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_balances AFTER INSERT ON ledger REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION keep_balances();
--> statement-breakpoint
CREATE INDEX "payment_sub_account_id_id_index" ON "payment" USING btree ("sub_account_id","id");
