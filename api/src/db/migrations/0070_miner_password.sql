-- What an account's miners have to give, salted and hashed; null: any will do.
ALTER TABLE "sub_account" ADD COLUMN "miner_password" text;--> statement-breakpoint
ALTER TABLE "sub_account" ADD CONSTRAINT "sub_account_miner_password" CHECK ("sub_account"."miner_password" ~ '^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$');
