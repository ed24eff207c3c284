-- What is known of a worker's name: its owner has named it, or it came with many others (alerts/strangers.ts).
ALTER TABLE "worker" ADD COLUMN "standing" text;
--> statement-breakpoint
ALTER TABLE "worker" ADD CONSTRAINT "worker_standing" CHECK ("worker"."standing" in ('owned', 'strange'));
--> statement-breakpoint
CREATE INDEX "worker_created_at_index" ON "worker" USING btree ("created_at");
