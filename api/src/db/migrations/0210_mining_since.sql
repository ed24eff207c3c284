-- Since when a worker mines without a break of a day: the start of its means.
ALTER TABLE "worker_live" ADD COLUMN "mining_since" timestamp with time zone;
--> statement-breakpoint
UPDATE "worker_live" SET "mining_since" = "worker"."created_at" FROM "worker" WHERE "worker"."id" = "worker_live"."worker_id";
