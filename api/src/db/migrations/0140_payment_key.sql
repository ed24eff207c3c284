-- What payers know a payment by: its number comes again in a database that was restored or has lost its last commits.
ALTER TABLE "payment" ADD COLUMN "key" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_key_index" ON "payment" USING btree ("key");--> statement-breakpoint
CREATE FUNCTION keep_payment_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the key of a payment does not change' USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_key BEFORE UPDATE ON payment FOR EACH ROW WHEN (NEW.key <> OLD.key) EXECUTE FUNCTION keep_payment_key();
