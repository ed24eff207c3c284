-- Several people, one farm (docs/adr/0035-organizations.md).

create table organization (
  -- `org_…`; also `identity_id` of the row in `app_user` that owns the accounts.
  id text primary key,
  user_id integer not null constraint organization_user_id_unique unique constraint organization_user_id_app_user_id_fk references app_user (id),
  name text not null,
  slug text not null constraint organization_slug_unique unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table organization is 'A farm of several people: its accounts belong to a row of `app_user` of its own.';

create table organization_member (
  -- `orgmem_…`
  id text primary key,
  organization_id text not null constraint organization_member_organization_id_fk references organization (id) on delete cascade,
  -- The person.
  user_id integer not null constraint organization_member_user_id_fk references app_user (id),
  role text not null constraint organization_member_role check (role in ('owner', 'manager', 'technician', 'accountant', 'viewer')),
  -- A viewer who sees money.
  money boolean not null default false,
  -- Ids of the sub-accounts the role is limited to; null: all.
  accounts integer[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint organization_member_once unique (organization_id, user_id)
);
comment on table organization_member is 'Who may act in an organization, and as what (shared/src/roles.ts).';
create index organization_member_user_id_index on organization_member (user_id);

create table organization_invitation (
  -- `orginv_…`
  id text primary key,
  organization_id text not null constraint organization_invitation_organization_id_fk references organization (id) on delete cascade,
  -- Null: whoever has the link.
  email text,
  -- Hash of the secret in the link.
  token_hash text not null constraint organization_invitation_token_hash_unique unique,
  role text not null constraint organization_invitation_role check (role in ('owner', 'manager', 'technician', 'accountant', 'viewer')),
  money boolean not null default false,
  accounts integer[],
  invited_by integer not null constraint organization_invitation_invited_by_fk references app_user (id),
  -- `pending`, `accepted` or `revoked`; a pending one ends by itself at `expires_at`.
  status text not null default 'pending',
  used_by integer constraint organization_invitation_used_by_fk references app_user (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table organization_invitation is 'Invitations by mail or by a link that is shown once.';
create index organization_invitation_organization_id_index on organization_invitation (organization_id);

create table owner_removal (
  organization_id text not null constraint owner_removal_organization_id_fk references organization (id) on delete cascade,
  user_id integer not null constraint owner_removal_user_id_fk references app_user (id),
  asked_by integer not null constraint owner_removal_asked_by_fk references app_user (id),
  due_at timestamptz not null,
  constraint owner_removal_pk primary key (organization_id, user_id)
);
comment on table owner_removal is
  'An owner whom another owner removes: it takes effect at `due_at` unless one of them cancels it.';

-- The organization that the session acts in.
alter table identity_session add column organization_id text constraint identity_session_organization_id_fk references organization (id) on delete set null;

-- The member of an organization who did it; `user_id` is the organization's.
alter table audit add column member_id integer;
-- What is hashed of an entry: one without a member as before there were any.
create function audit_text(entry audit) returns text language sql stable as $$
  SELECT CASE WHEN entry.member_id IS NULL THEN json_build_array(
    entry.id, entry.user_id, entry.action, entry.subject, entry.before, entry.after, entry.ip,
    to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))::text
  ELSE json_build_array(
    entry.id, entry.user_id, entry.action, entry.subject, entry.before, entry.after, entry.ip,
    to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.member_id)::text
  END
$$;
create or replace function chain_audit() returns trigger language plpgsql as $$
DECLARE
  head audit_chain;
BEGIN
  PERFORM pg_advisory_xact_lock(7011);
  SELECT * INTO head FROM audit_chain ORDER BY seq DESC LIMIT 1;
  INSERT INTO audit_chain (seq, audit_id, hash) VALUES (
    coalesce(head.seq, 0) + 1,
    NEW.id,
    encode(sha256(convert_to(coalesce(head.hash, repeat('0', 64)) || chr(10) || audit_text(NEW), 'UTF8')), 'hex'));
  RETURN NULL;
END $$;
