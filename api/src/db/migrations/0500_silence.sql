-- Seconds without a share that chance explains, while the worker is connected; null: unknown, so ten minutes.
ALTER TABLE "worker_live" ADD COLUMN "silence" real;
