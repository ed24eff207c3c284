CREATE TABLE "pool_config" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"algorithm" text NOT NULL,
	"url" text NOT NULL,
	"user_name" text NOT NULL,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pool_config_url" CHECK ("pool_config"."url" ~ '^stratum[+](tcp|ssl)://'),
	CONSTRAINT "pool_config_password" CHECK ("pool_config"."password" ~ '^[0-9a-f]{16}:[A-Za-z0-9_-]+$')
);
--> statement-breakpoint
CREATE TABLE "sub_account_pool_config" (
	"id" serial PRIMARY KEY NOT NULL,
	"sub_account_id" integer NOT NULL,
	"pool_config_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"priority" integer NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sub_account_pool_config_priority" CHECK ("sub_account_pool_config"."priority" >= 1)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "pool_config_name" ON "pool_config" USING btree ("user_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "pool_config_algorithm" ON "pool_config" USING btree ("id","algorithm");--> statement-breakpoint
CREATE UNIQUE INDEX "sub_account_pool_config_once" ON "sub_account_pool_config" USING btree ("sub_account_id","pool_config_id");--> statement-breakpoint
CREATE INDEX "sub_account_pool_config_by" ON "sub_account_pool_config" USING btree ("pool_config_id");--> statement-breakpoint
ALTER TABLE "pool_config" ADD CONSTRAINT "pool_config_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sub_account_pool_config" ADD CONSTRAINT "sub_account_pool_config_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sub_account_pool_config" ADD CONSTRAINT "sub_account_pool_config_of" FOREIGN KEY ("pool_config_id","algorithm") REFERENCES "public"."pool_config"("id","algorithm") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Checked when a transaction ends: a new order passes through states with two of the same place.
ALTER TABLE "sub_account_pool_config" ADD CONSTRAINT "sub_account_pool_config_place" UNIQUE ("sub_account_id","algorithm","priority") DEFERRABLE INITIALLY DEFERRED;
