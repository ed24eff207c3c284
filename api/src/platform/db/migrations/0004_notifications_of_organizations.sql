-- What a member reads of an organization is decided when it is read (api/src/messages/for-member.ts).

-- The account whose notification it is, where that is not the reader's own.
alter table notification add column owner_id integer constraint notification_owner_id_fk references app_user (id);
-- Ids of the sub-accounts it is about; null: of the whole farm.
alter table notification add column accounts integer[];

update notification n set accounts = array[s.id]
from sub_account s
where s.name = n.values ->> 'account';
update notification n set owner_id = f.user_id
from notification o join organization f on f.user_id = o.user_id
where o.kind = n.kind and o.created_at = n.created_at and o.values = n.values and o.user_id <> n.user_id;
