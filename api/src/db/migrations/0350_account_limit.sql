-- Hashrates below which owners want to be told of a whole account, and the state of that alert (alerts/account-limits.ts).
CREATE TABLE "account_limit" (
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"hashrate" double precision NOT NULL,
	"since" timestamp with time zone,
	"clear_since" timestamp with time zone,
	"active" boolean DEFAULT false NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "account_limit_sub_account_id_algorithm_pk" PRIMARY KEY("sub_account_id","algorithm")
);
--> statement-breakpoint
ALTER TABLE "account_limit" ADD CONSTRAINT "account_limit_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE cascade ON UPDATE no action;
