-- One outbox for all channels (outbox/outbox.ts), and e-mail addresses that their owner has confirmed.
ALTER TABLE "telegram_outbox" RENAME TO "outbox";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "channel" text DEFAULT 'telegram' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "channel" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "outbox" RENAME COLUMN "chat_id" TO "target";--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "target" TYPE text USING "target"::text;--> statement-breakpoint
ALTER TABLE "outbox" RENAME COLUMN "text" TO "content";--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "content" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
UPDATE "outbox" SET "expires_at" = "created_at" + interval '1 day';--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "expires_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_channel" CHECK ("outbox"."channel" in ('telegram', 'mail'));--> statement-breakpoint
DROP INDEX "telegram_outbox_chat_id_dedupe_index";--> statement-breakpoint
DROP INDEX "telegram_outbox_waiting";--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_channel_target_dedupe_index" ON "outbox" USING btree ("channel","target","dedupe");--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("channel","target","id") WHERE "outbox"."status" = 'waiting';--> statement-breakpoint
ALTER TABLE "identity_user" ADD COLUMN "email_verified_at" timestamp with time zone;
