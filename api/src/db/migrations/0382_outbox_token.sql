alter table outbox add column token uuid not null default gen_random_uuid();
