-- One way to wait (docs/adr/0036-waiting.md). `organization_request`, `admin_request`, `owner_removal` and
-- `wallet_change` are no longer used. -- contract: 1.1.0
-- Calls that wait in the first two expire: what they would change was not kept whole, so nobody can judge it now.

create table waiting_change (
  id serial primary key,
  -- A call of the contract.
  call text not null,
  -- Whose owners decide; null: the pool's admins do, or the account's own user.
  organization_id text constraint waiting_change_organization_id_fk references organization (id) on delete cascade,
  -- The account that changes; null: none does.
  user_id integer constraint waiting_change_user_id_fk references app_user (id),
  -- The person who asks.
  asked_by integer constraint waiting_change_asked_by_fk references app_user (id),
  -- The second person.
  confirmed_by integer constraint waiting_change_confirmed_by_fk references app_user (id),
  -- The person who loses something by it, and is not the one to stop it.
  against integer constraint waiting_change_against_fk references app_user (id),
  -- What changes, where a call can change several things.
  subject text,
  -- Encrypted parameters and body of the call while a person has to confirm it.
  content text,
  -- What is in force before it and after it, as people are shown it.
  shown jsonb not null,
  asked_at timestamptz not null default now(),
  -- `waits`, `taken` while a confirmed call is made, `done`, `taken_back`, `replaced` or `expired`.
  state text not null default 'waits',
  -- The time when it ends by itself, and as what.
  ends_at timestamptz not null,
  ends_as text not null constraint waiting_change_ends_as check (ends_as in ('done', 'expired'))
);
comment on table waiting_change is 'Changes that wait for another person or for a time (accounts/waiting).';
create index waiting_change_subject_index on waiting_change (subject, call);
create index waiting_change_open_index on waiting_change (organization_id) where state = 'waits';

-- Who made this member an owner, and when.
alter table organization_member add column owner_by integer;
alter table organization_member add column owner_at timestamptz;

insert into waiting_change (call, organization_id, user_id, asked_by, against, subject, shown, ends_at, ends_as)
  select 'DELETE /organization/members/{id}', r.organization_id, o.user_id, r.asked_by, r.user_id, r.organization_id || ' ' || r.user_id,
    jsonb_build_object('name', u.user_name, 'before', null, 'after', null), r.due_at, 'done'
  from owner_removal r join organization o on o.id = r.organization_id join app_user u on u.id = r.user_id;
insert into waiting_change (call, user_id, subject, shown, asked_at, state, ends_at, ends_as)
  select 'PUT /wallet/', s.user_id, s.id::text,
    jsonb_build_object('account', s.name, 'before', case when c.old_address is not null
      then jsonb_build_object('address', c.old_address) end, 'after', jsonb_build_object('address', c.new_address)),
    c.created_at, case c.status when 'cancelled' then 'taken_back' when 'set' then 'waits' else c.status end,
    c.effective_at, 'done'
  from wallet_change c join sub_account s on s.id = c.sub_account_id order by c.id;

-- What the build before writes while both run.
create function keep_owner_removal() returns trigger language plpgsql as $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE waiting_change SET state = 'taken_back' WHERE state = 'waits' AND ends_as = 'done'
      AND call = 'DELETE /organization/members/{id}' AND organization_id = OLD.organization_id AND against = OLD.user_id;
  ELSE
    INSERT INTO waiting_change (call, organization_id, user_id, asked_by, against, subject, shown, ends_at, ends_as)
      SELECT 'DELETE /organization/members/{id}', o.id, o.user_id, NEW.asked_by, u.id, o.id || ' ' || u.id,
        jsonb_build_object('name', u.user_name, 'before', null, 'after', null), NEW.due_at, 'done'
      FROM organization o, app_user u WHERE o.id = NEW.organization_id AND u.id = NEW.user_id;
  END IF;
  RETURN NULL;
END $$;
create trigger owner_removal_kept after insert or delete on owner_removal
  for each row execute function keep_owner_removal();
create function keep_wallet_change() returns trigger language plpgsql as $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE waiting_change SET state = CASE NEW.status WHEN 'cancelled' THEN 'taken_back' ELSE NEW.status END
      WHERE call = 'PUT /wallet/' AND subject = NEW.sub_account_id::text AND state = 'waits' AND ends_at > now();
  ELSE
    INSERT INTO waiting_change (call, user_id, subject, shown, asked_at, ends_at, ends_as)
      SELECT 'PUT /wallet/', s.user_id, s.id::text,
        jsonb_build_object('account', s.name, 'before', CASE WHEN NEW.old_address IS NOT NULL
          THEN jsonb_build_object('address', NEW.old_address) END,
          'after', jsonb_build_object('address', NEW.new_address)),
        NEW.created_at, NEW.effective_at, 'done'
      FROM sub_account s WHERE s.id = NEW.sub_account_id;
  END IF;
  RETURN NULL;
END $$;
create trigger wallet_change_kept after insert or update on wallet_change
  for each row execute function keep_wallet_change();
