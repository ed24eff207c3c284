-- A second owner for what moves money, hashpower and people (docs/adr/0035-organizations.md).

-- Its owners confirm one another's changes.
alter table organization add column second_owner boolean not null default false;

create table organization_request (
  id serial primary key,
  organization_id text not null constraint organization_request_organization_id_fk references organization (id) on delete cascade,
  -- The member who asks.
  user_id integer not null constraint organization_request_user_id_fk references app_user (id),
  call text not null,
  -- Encrypted parameters and body of the call: a password of an upstream pool may be among them.
  content text not null,
  -- What it is about, as the other owners read it.
  about jsonb not null,
  created_at timestamptz not null default now(),
  -- When an owner confirmed it; null while it waits, and again when the change was refused.
  taken_at timestamptz
);
comment on table organization_request is 'Calls of members that wait for another owner.';
create index organization_request_organization_id_index on organization_request (organization_id);
