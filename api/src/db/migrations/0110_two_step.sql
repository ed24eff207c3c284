-- Two-step sign-in of the embedded service: a code from an authenticator app, or one of the backup codes.
ALTER TABLE "identity_user" ADD COLUMN "totp_secret" text;--> statement-breakpoint
ALTER TABLE "identity_user" ADD COLUMN "totp_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "identity_user" ADD COLUMN "totp_step" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "identity_user" ADD COLUMN "backup_codes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity_user" ADD CONSTRAINT "identity_user_totp" CHECK ("identity_user"."totp_since" is null or "identity_user"."totp_secret" is not null);--> statement-breakpoint
ALTER TABLE "identity_session" ADD COLUMN "second_factor_at" timestamp with time zone;
