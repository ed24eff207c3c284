-- The audit log by days: the rows of a range are found in their order, not among all.
DROP INDEX "audit_at_index";--> statement-breakpoint
CREATE INDEX "audit_at_id_index" ON "audit" USING btree ("at","id");--> statement-breakpoint
-- Payments are searched by address and transaction.
CREATE INDEX "payment_address_index" ON "payment" USING btree ("address");--> statement-breakpoint
CREATE INDEX "payment_txid_index" ON "payment" USING btree ("txid") WHERE "payment"."txid" is not null;
