-- Whoever moves a payment names the version they have seen; a change of any kind makes another.
ALTER TABLE "payment" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE FUNCTION count_payment_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_version BEFORE UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION count_payment_version();
