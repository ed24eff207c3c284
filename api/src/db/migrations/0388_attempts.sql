-- Attempts that are limited however many processes serve pages (identity/limits), by the hash of what is counted.
-- Unlogged: they cost no write-ahead log, and after a crash of the database they begin anew.
CREATE UNLOGGED TABLE "attempt" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "attempt_until_index" ON "attempt" USING btree ("until");
