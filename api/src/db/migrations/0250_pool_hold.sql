-- Who wants changes of where hashpower goes held, and since when turning that off waits. "until": a change is held.
CREATE TABLE "pool_hold" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"since" timestamp with time zone,
	"until" timestamp with time zone,
	"off_at" timestamp with time zone
);
--> statement-breakpoint
-- All places of a user's lists before the held change, with their pools; "id" is the place's.
CREATE TABLE "held_pool" (
	"id" integer PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"sub_account_id" integer NOT NULL,
	"pool_config_id" integer NOT NULL,
	"algorithm" text NOT NULL,
	"priority" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"user_name" text NOT NULL,
	"password" text,
	CONSTRAINT "held_pool_password" CHECK ("held_pool"."password" ~ '^[0-9a-f]{16}:[A-Za-z0-9_-]+$')
);
--> statement-breakpoint
ALTER TABLE "pool_hold" ADD CONSTRAINT "pool_hold_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_pool" ADD CONSTRAINT "held_pool_user_id_pool_hold_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."pool_hold"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_pool_user_id_index" ON "held_pool" USING btree ("user_id");--> statement-breakpoint
-- Places of all lists as their users left them.
CREATE VIEW "edited_pool" AS
	SELECT c.id, s.user_id, c.sub_account_id, c.pool_config_id, c.algorithm, c.priority, c.enabled, p.name, p.url, p.user_name, p.password
	FROM sub_account_pool_config c
		JOIN pool_config p ON p.id = c.pool_config_id
		JOIN sub_account s ON s.id = c.sub_account_id
	WHERE s.deleted_at IS NULL;--> statement-breakpoint
-- Places of all lists in force: what the proxy, the snapshot and the pages read.
CREATE VIEW "pool_in_force" AS
	SELECT e.* FROM edited_pool e
	WHERE NOT EXISTS (SELECT FROM pool_hold h WHERE h.user_id = e.user_id AND h.until > now())
	UNION ALL
	SELECT p.id, p.user_id, p.sub_account_id, p.pool_config_id, p.algorithm, p.priority, p.enabled, p.name, p.url, p.user_name, p.password
	FROM held_pool p
		JOIN pool_hold h ON h.user_id = p.user_id AND h.until > now()
		JOIN sub_account s ON s.id = p.sub_account_id
	WHERE s.deleted_at IS NULL;
