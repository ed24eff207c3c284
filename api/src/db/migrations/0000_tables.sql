CREATE TABLE "account_10m" (
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_10m_sub_account_id_algorithm_at_pk" PRIMARY KEY("sub_account_id","algorithm","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "account_1d" (
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_1d_sub_account_id_algorithm_at_pk" PRIMARY KEY("sub_account_id","algorithm","at")
);
--> statement-breakpoint
CREATE TABLE "account_1h" (
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_1h_sub_account_id_algorithm_at_pk" PRIMARY KEY("sub_account_id","algorithm","at")
);
--> statement-breakpoint
CREATE TABLE "account_1m" (
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_1m_sub_account_id_algorithm_at_pk" PRIMARY KEY("sub_account_id","algorithm","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" serial PRIMARY KEY NOT NULL,
	"identity_id" text NOT NULL,
	"user_name" text NOT NULL,
	"email" text,
	"role" text DEFAULT 'miner' NOT NULL,
	"is_legacy_user" boolean DEFAULT false NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"fee_percent" double precision,
	"last_seen_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "app_user_identity_id_unique" UNIQUE("identity_id"),
	CONSTRAINT "app_user_user_name_unique" UNIQUE("user_name")
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" integer,
	"action" text NOT NULL,
	"subject" text,
	"before" jsonb,
	"after" jsonb,
	"ip" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "day_price" (
	"day" date NOT NULL,
	"algorithm" text NOT NULL,
	"price_btc" double precision NOT NULL,
	"btc_price_usd" double precision NOT NULL,
	"source" text DEFAULT 'default' NOT NULL,
	CONSTRAINT "day_price_day_algorithm_pk" PRIMARY KEY("day","algorithm"),
	CONSTRAINT "day_price_bounds" CHECK ("day_price"."price_btc" > 0 and "day_price"."btc_price_usd" > 0)
);
--> statement-breakpoint
CREATE TABLE "earning" (
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"day" date NOT NULL,
	"work" double precision NOT NULL,
	"shares" integer NOT NULL,
	"mean_hashrate" double precision NOT NULL,
	"price_btc" double precision NOT NULL,
	"btc_price_usd" double precision NOT NULL,
	"fee_percent" double precision NOT NULL,
	"gross_sat" bigint NOT NULL,
	"fee_sat" bigint NOT NULL,
	"referral_sat" bigint DEFAULT 0 NOT NULL,
	"net_sat" bigint NOT NULL,
	"status" text DEFAULT 'final' NOT NULL,
	"closed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "earning_sub_account_id_algorithm_day_pk" PRIMARY KEY("sub_account_id","algorithm","day"),
	CONSTRAINT "earning_adds_up" CHECK ("earning"."gross_sat" = "earning"."fee_sat" + "earning"."net_sat")
);
--> statement-breakpoint
CREATE TABLE "identity_client" (
	"id" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"flow" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identity_client_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "identity_session" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"signed_in_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_active_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"user_agent" text,
	"ip" text
);
--> statement-breakpoint
CREATE TABLE "identity_user" (
	"id" text PRIMARY KEY NOT NULL,
	"user_name" text NOT NULL,
	"email" text,
	"first_name" text,
	"last_name" text,
	"password_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identity_user_user_name_unique" UNIQUE("user_name"),
	CONSTRAINT "identity_user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "ingest_batch" (
	"proxy_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ingest_batch_proxy_id_sequence_pk" PRIMARY KEY("proxy_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sub_account_id" integer NOT NULL,
	"kind" text NOT NULL,
	"amount_sat" bigint NOT NULL,
	"ref" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment" (
	"id" serial PRIMARY KEY NOT NULL,
	"sub_account_id" integer NOT NULL,
	"period_from" date NOT NULL,
	"period_to" date NOT NULL,
	"amount_sat" bigint NOT NULL,
	"network_fee_sat" bigint DEFAULT 0 NOT NULL,
	"address" text,
	"txid" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"reason" text,
	"trigger" text DEFAULT 'auto' NOT NULL,
	"note" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"usd_at_send" double precision,
	CONSTRAINT "payment_amount" CHECK ("payment"."amount_sat" > 0),
	CONSTRAINT "payment_txid" CHECK ("payment"."status" not in ('sent', 'confirmed') or "payment"."txid" is not null)
);
--> statement-breakpoint
CREATE TABLE "referral" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"referrer_id" integer NOT NULL,
	"activated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "referral_not_own" CHECK ("referral"."user_id" <> "referral"."referrer_id")
);
--> statement-breakpoint
CREATE TABLE "referral_accrual" (
	"user_id" integer NOT NULL,
	"referrer_id" integer NOT NULL,
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"day" date NOT NULL,
	"base_fee_sat" bigint NOT NULL,
	"rate_percent" double precision NOT NULL,
	"amount_sat" bigint NOT NULL,
	"status" text DEFAULT 'accrued' NOT NULL,
	CONSTRAINT "referral_accrual_sub_account_id_algorithm_day_pk" PRIMARY KEY("sub_account_id","algorithm","day")
);
--> statement-breakpoint
CREATE TABLE "referral_code" (
	"code" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "referral_code_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "share_10m" (
	"worker_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "share_10m_worker_id_at_pk" PRIMARY KEY("worker_id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "share_1d" (
	"worker_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "share_1d_worker_id_at_pk" PRIMARY KEY("worker_id","at")
);
--> statement-breakpoint
CREATE TABLE "share_1h" (
	"worker_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "share_1h_worker_id_at_pk" PRIMARY KEY("worker_id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "share_1m" (
	"worker_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"stale" double precision DEFAULT 0 NOT NULL,
	"rejected" double precision DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "share_1m_worker_id_at_pk" PRIMARY KEY("worker_id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "sub_account" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"ports" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"proxy_port" integer,
	"btc_address" text,
	"threshold_sat" bigint DEFAULT 5000000 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sub_account_name_unique" UNIQUE("name"),
	CONSTRAINT "sub_account_name" CHECK ("sub_account"."name" ~ '^[a-z][a-z0-9_-]{2,31}$')
);
--> statement-breakpoint
CREATE TABLE "upstream_switch" (
	"id" serial PRIMARY KEY NOT NULL,
	"algorithm" text NOT NULL,
	"sub_account_id" integer,
	"from_url" text,
	"to_url" text,
	"why" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker" (
	"id" serial PRIMARY KEY NOT NULL,
	"sub_account_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"name" text NOT NULL,
	"group_id" integer,
	"muted" boolean DEFAULT false NOT NULL,
	"alert_limit" double precision DEFAULT 0.7 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_group" (
	"id" serial PRIMARY KEY NOT NULL,
	"sub_account_id" integer NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_live" (
	"worker_id" integer PRIMARY KEY NOT NULL,
	"last_share_at" timestamp with time zone,
	"connected_at" timestamp with time zone,
	"disconnected_at" timestamp with time zone,
	"difficulty" double precision,
	"software" text,
	"remote" text
);
--> statement-breakpoint
ALTER TABLE "earning" ADD CONSTRAINT "earning_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_session" ADD CONSTRAINT "identity_session_client_id_identity_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."identity_client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_session" ADD CONSTRAINT "identity_session_user_id_identity_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."identity_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral" ADD CONSTRAINT "referral_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral" ADD CONSTRAINT "referral_referrer_id_app_user_id_fk" FOREIGN KEY ("referrer_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_code" ADD CONSTRAINT "referral_code_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sub_account" ADD CONSTRAINT "sub_account_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker" ADD CONSTRAINT "worker_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker" ADD CONSTRAINT "worker_group_id_worker_group_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."worker_group"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker_group" ADD CONSTRAINT "worker_group_sub_account_id_sub_account_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "public"."sub_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker_live" ADD CONSTRAINT "worker_live_worker_id_worker_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."worker"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_user_id_id_index" ON "audit" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "identity_session_user_id_index" ON "identity_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "identity_session_client_id_index" ON "identity_session" USING btree ("client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_sub_account_id_kind_ref_index" ON "ledger" USING btree ("sub_account_id","kind","ref");--> statement-breakpoint
CREATE INDEX "notification_user_id_id_index" ON "notification" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_one_open" ON "payment" USING btree ("sub_account_id") WHERE "payment"."status" in ('pending', 'queued');--> statement-breakpoint
CREATE INDEX "referral_referrer_id_index" ON "referral" USING btree ("referrer_id");--> statement-breakpoint
CREATE INDEX "referral_accrual_referrer_id_index" ON "referral_accrual" USING btree ("referrer_id");--> statement-breakpoint
CREATE INDEX "sub_account_user_id_index" ON "sub_account" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "worker_sub_account_id_algorithm_name_index" ON "worker" USING btree ("sub_account_id","algorithm","name");--> statement-breakpoint
CREATE UNIQUE INDEX "worker_group_sub_account_id_name_index" ON "worker_group" USING btree ("sub_account_id","name");