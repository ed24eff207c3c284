CREATE TABLE "worker_alert" (
	"worker_id" integer NOT NULL,
	"kind" text NOT NULL,
	"since" timestamp with time zone,
	"clear_since" timestamp with time zone,
	"active" boolean DEFAULT false NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "worker_alert_worker_id_kind_pk" PRIMARY KEY("worker_id","kind"),
	CONSTRAINT "worker_alert_kind" CHECK ("worker_alert"."kind" in ('offline', 'low', 'rejects'))
);
--> statement-breakpoint
CREATE TABLE "telegram_connection" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"chat_id" bigint,
	"username" text,
	"language" text DEFAULT 'en' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"sub_account_ids" integer[] DEFAULT '{}' NOT NULL,
	"events" text[] NOT NULL,
	"token_hash" text NOT NULL,
	"session_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"linked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "telegram_connection_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "telegram_connection_status" CHECK ("telegram_connection"."status" = 'pending' or ("telegram_connection"."status" in ('linked', 'blocked') and "telegram_connection"."chat_id" is not null and "telegram_connection"."linked_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "telegram_outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chat_id" bigint NOT NULL,
	"connection_id" integer,
	"dedupe" text NOT NULL,
	"text" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bonus_request" (
	"id" serial PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"source" text NOT NULL,
	"day" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "worker_alert" ADD CONSTRAINT "worker_alert_worker_id_worker_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."worker"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_connection" ADD CONSTRAINT "telegram_connection_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "telegram_outbox" ADD CONSTRAINT "telegram_outbox_connection_id_telegram_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."telegram_connection"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "telegram_connection_user_id_index" ON "telegram_connection" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "telegram_connection_chat_id_index" ON "telegram_connection" USING btree ("chat_id");--> statement-breakpoint
CREATE UNIQUE INDEX "telegram_connection_chat" ON "telegram_connection" USING btree ("user_id","chat_id") WHERE "telegram_connection"."status" <> 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "telegram_outbox_chat_id_dedupe_index" ON "telegram_outbox" USING btree ("chat_id","dedupe");--> statement-breakpoint
CREATE INDEX "telegram_outbox_waiting" ON "telegram_outbox" USING btree ("chat_id","id") WHERE "telegram_outbox"."status" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "bonus_request_email_day_index" ON "bonus_request" USING btree ("email","day");--> statement-breakpoint
CREATE UNIQUE INDEX "bonus_request_source_day_index" ON "bonus_request" USING btree ("source","day");--> statement-breakpoint
-- What was there before there was Telegram is not sent to anybody.
ALTER TABLE "notification" ADD COLUMN "forwarded_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "notification" ALTER COLUMN "forwarded_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "once" text;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_once" ON "notification" USING btree ("user_id","once") WHERE "notification"."once" is not null;--> statement-breakpoint
CREATE INDEX "notification_to_forward" ON "notification" USING btree ("id") WHERE "notification"."forwarded_at" is null;--> statement-breakpoint
CREATE INDEX "upstream_switch_at_index" ON "upstream_switch" USING btree ("at");
