-- The admins' overview sums the ledger of the last 30 days.
CREATE INDEX "ledger_at_index" ON "ledger" USING brin ("at");
