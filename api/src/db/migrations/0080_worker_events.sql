-- Faults of workers that began or ended, for the page of the worker.
CREATE TABLE "worker_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"worker_id" integer NOT NULL REFERENCES "worker"("id") ON DELETE CASCADE,
	"kind" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "worker_event_kind" CHECK ("kind" ~ '^(offline|low|rejects)(_over)?$')
);--> statement-breakpoint
CREATE INDEX "worker_event_worker_id_at_index" ON "worker_event" USING btree ("worker_id","at");
