-- Who made what an organization has (api/src/messages/makers.ts).

-- The person; `user_id`, or null, where the account is no organization's.
alter table access_token add column made_by integer constraint access_token_made_by_fk references app_user (id);
alter table webhook add column made_by integer constraint webhook_made_by_fk references app_user (id);

create temporary table maker on commit drop as
  select t.kind, t.id, coalesce(
    -- Of an organization: the member in the log, or its first owner.
    (select coalesce(m.user_id, (
      select f.user_id from organization_member f where f.organization_id = o.id and f.role = 'owner'
      order by f.created_at, f.id limit 1))
    from organization o left join audit a on a.user_id = t.user_id and a.action = t.kind || '.create'
      and case t.kind when 'webhook' then a.subject else a.after ->> 'id' end = t.id::text
    left join organization_member m on m.organization_id = o.id and m.user_id = a.member_id
    where o.user_id = t.user_id limit 1), t.user_id) as made_by
  from (select kind, id, user_id from access_token union all select 'webhook', id, user_id from webhook) t;
update access_token t set made_by = m.made_by from maker m where m.kind = t.kind and m.id = t.id;
update webhook t set made_by = m.made_by from maker m where m.kind = 'webhook' and m.id = t.id;
create index access_token_held on access_token (id) where made_by <> user_id and revoked_at is null;
