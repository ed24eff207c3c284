-- Processes that share a database (nodes/): who they are, how far each has counted, who is connected to which.
CREATE TABLE "node" (
	"id" text PRIMARY KEY NOT NULL,
	"roles" text[] NOT NULL,
	"place" text NOT NULL,
	"build" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat" timestamp with time zone DEFAULT now() NOT NULL,
	"counted_through" timestamp with time zone,
	"uncounted" jsonb DEFAULT '[]' NOT NULL,
	"shown_gone" boolean DEFAULT false NOT NULL,
	"state" jsonb
);
--> statement-breakpoint
CREATE TABLE "worker_presence" (
	"worker_id" integer NOT NULL,
	"node_id" text NOT NULL,
	CONSTRAINT "worker_presence_worker_id_node_id_pk" PRIMARY KEY("worker_id","node_id")
);
--> statement-breakpoint
ALTER TABLE "worker_presence" ADD CONSTRAINT "worker_presence_worker_id_worker_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."worker"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker_presence" ADD CONSTRAINT "worker_presence_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "worker_presence_node_id_index" ON "worker_presence" USING btree ("node_id");
