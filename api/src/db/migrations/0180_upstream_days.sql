-- What the pool's own upstreams accepted and what was credited for it, by day.
CREATE TABLE "upstream_day" (
	"day" date NOT NULL,
	"algorithm" text NOT NULL,
	"upstream" text NOT NULL,
	"accepted" double precision DEFAULT 0 NOT NULL,
	"credited" double precision DEFAULT 0 NOT NULL,
	"accepted_shares" bigint DEFAULT 0 NOT NULL,
	"credited_shares" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "upstream_day_day_algorithm_upstream_pk" PRIMARY KEY("day","algorithm","upstream")
);
