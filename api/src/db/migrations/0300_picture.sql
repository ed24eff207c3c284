-- A user's picture. Every call reads the user's row, so that one has a hash only.
ALTER TABLE "identity_user" ADD COLUMN "picture" text;--> statement-breakpoint
CREATE TABLE "identity_picture" (
  "user_id" text PRIMARY KEY REFERENCES "identity_user" ON DELETE CASCADE,
  "bytes" bytea NOT NULL
);
