-- Work that was counted when an earning was corrected: what is counted after it is late work. Of corrections made before
-- this was kept, what is counted now.
ALTER TABLE "earning_adjustment" ADD COLUMN "work" double precision;
--> statement-breakpoint
ALTER TABLE "earning_adjustment" DISABLE TRIGGER earning_adjustment_append_only;
--> statement-breakpoint
UPDATE "earning_adjustment" j SET "work" = coalesce((
  SELECT sum(a.accepted ORDER BY a.at) FROM account_1h a
  WHERE a.sub_account_id = j.sub_account_id AND a.algorithm = j.algorithm
    AND a.at >= j.day::timestamp AT TIME ZONE 'UTC' AND a.at < (j.day + 1)::timestamp AT TIME ZONE 'UTC'
), 0);
--> statement-breakpoint
ALTER TABLE "earning_adjustment" ENABLE TRIGGER earning_adjustment_append_only;
--> statement-breakpoint
ALTER TABLE "earning_adjustment" ALTER COLUMN "work" SET NOT NULL;
