ALTER TABLE "sub_account" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sub_account" ADD COLUMN "address_before" text;--> statement-breakpoint
ALTER TABLE "sub_account" ADD COLUMN "address_hold_until" timestamp with time zone;--> statement-breakpoint
CREATE TABLE "wallet_change" (
	"id" serial PRIMARY KEY NOT NULL,
	"sub_account_id" integer NOT NULL,
	"old_address" text,
	"new_address" text NOT NULL,
	"status" text DEFAULT 'set' NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "access_token" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "access_token_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "access_token_kind" CHECK ("access_token"."kind" in ('watcher', 'api_key'))
);
--> statement-breakpoint
ALTER TABLE "wallet_change" ADD CONSTRAINT "wallet_change_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wallet_change_sub_account_id_id_index" ON "wallet_change" USING btree ("sub_account_id","id");--> statement-breakpoint
CREATE INDEX "access_token_user_id_index" ON "access_token" USING btree ("user_id");
