-- When the pool itself was out: a chart says so beside a gap that no miner is to blame for.
CREATE TABLE "pool_outage" (
	"id" serial PRIMARY KEY NOT NULL,
	"algorithm" text NOT NULL,
	"why" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "pool_outage_why" CHECK ("why" in ('server', 'upstream', 'miners'))
);--> statement-breakpoint
CREATE INDEX "pool_outage_since_index" ON "pool_outage" USING btree ("since");--> statement-breakpoint
CREATE UNIQUE INDEX "pool_outage_open" ON "pool_outage" USING btree ("algorithm") WHERE "until" is null;
