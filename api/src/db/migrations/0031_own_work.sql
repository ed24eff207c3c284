-- Work for pools of sub-accounts' own: apart from what is paid for.
ALTER TABLE "account_1m" ADD COLUMN "own_accepted" double precision DEFAULT 0 NOT NULL, ADD COLUMN "own_shares" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "account_10m" ADD COLUMN "own_accepted" double precision DEFAULT 0 NOT NULL, ADD COLUMN "own_shares" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "account_1h" ADD COLUMN "own_accepted" double precision DEFAULT 0 NOT NULL, ADD COLUMN "own_shares" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "account_1d" ADD COLUMN "own_accepted" double precision DEFAULT 0 NOT NULL, ADD COLUMN "own_shares" integer DEFAULT 0 NOT NULL;
