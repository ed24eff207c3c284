-- The port of the pool that the last connection came in at.
alter table worker_live add column port integer;
alter table worker_live add column tls boolean;

create table worker_join (
  id serial primary key,
  sub_account_id integer not null constraint worker_join_sub_account_fk references sub_account (id),
  algorithm text not null,
  -- The worker that mines under the new name, with its history; its name before.
  worker_id integer not null,
  former_name text not null,
  -- The worker that had the new name before; it has no row while they are joined.
  new_id integer not null,
  new_name text not null,
  -- The start of the minute of the new worker's first share: no row of its work is older.
  since timestamptz not null,
  made_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- What each had of its own since then (mining/workers/join.ts), to part them; null: they are two machines.
  own jsonb
);
comment on table worker_join is
  'Workers that are one machine under two names, joined or held to be two by their owner; kept 90 days.';
create index worker_join_by_worker on worker_join (sub_account_id, worker_id);
