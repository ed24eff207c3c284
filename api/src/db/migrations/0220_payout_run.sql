-- When a payment was approved: a run above the operator's bound waits from then on (payouts/cool-down.ts).
ALTER TABLE "payment" ADD COLUMN "queued_at" timestamp with time zone;
--> statement-breakpoint
CREATE INDEX "payment_queued_at_index" ON "payment" USING btree ("queued_at");
