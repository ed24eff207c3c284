-- Users who have lost their second factor and wait until it is removed: "totp_since" is that of the factor they lost.
CREATE TABLE "identity_recovery" (
	"user_id" text PRIMARY KEY NOT NULL,
	"totp_since" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone NOT NULL,
	"notices" integer DEFAULT 0 NOT NULL,
	"notice_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identity_recovery" ADD CONSTRAINT "identity_recovery_user_id_identity_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."identity_user"("id") ON DELETE cascade ON UPDATE no action;
