-- Until this time an admin whom another one has made approves, sends and confirms nothing.
ALTER TABLE app_user ADD COLUMN full_admin_at timestamptz;
--> statement-breakpoint
-- What was given to a bitcoin node and then marked as failed counts for the bound of a payout run.
ALTER TABLE payment ADD COLUMN given_sat bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
-- What an admin has asked for that takes another admin.
CREATE TABLE admin_request (
  what text PRIMARY KEY,
  asked_by integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  asked_at timestamptz NOT NULL DEFAULT now()
);
