create table group_limit (
  sub_account_id integer not null constraint group_limit_sub_account_fk references sub_account (id),
  -- In `worker_group`, which may be on another node (docs/adr/0037-distributed.md).
  group_id integer not null,
  -- Part of the expected hashrate.
  share double precision not null,
  since timestamptz,
  clear_since timestamptz,
  active boolean not null default false,
  told boolean not null default false,
  told_at timestamptz,
  constraint group_limit_key primary key (sub_account_id, group_id),
  constraint group_limit_share check (share > 0 and share <= 1)
);
comment on table group_limit is
  'Parts of their expected hashrate below which groups of workers are told of, and the state of that alert.';
