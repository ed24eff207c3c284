-- What users want to be mailed of, and when no alert is sent; notifications are made into mails as they are into Telegram messages.
CREATE TABLE "alert_setting" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"mail_events" text[] DEFAULT '{}' NOT NULL,
	"quiet_from" smallint,
	"quiet_to" smallint,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	CONSTRAINT "alert_setting_quiet" CHECK (("alert_setting"."quiet_from" is null) = ("alert_setting"."quiet_to" is null))
);
--> statement-breakpoint
ALTER TABLE "alert_setting" ADD CONSTRAINT "alert_setting_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "mailed_at" timestamp with time zone;--> statement-breakpoint
UPDATE "notification" SET "mailed_at" = "created_at";--> statement-breakpoint
CREATE INDEX "notification_to_mail" ON "notification" USING btree ("id") WHERE "notification"."mailed_at" is null;
