create table farm_event (
  id serial primary key,
  user_id integer not null constraint farm_event_user_id_fk references app_user (id),
  algorithm text not null,
  -- What its workers have in common, and of what name (alerts/places.ts); `workers`: nothing.
  by text not null,
  value text not null,
  -- Workers of the place when it began.
  total integer not null,
  since timestamptz not null,
  -- How many were off when it was told last.
  told integer not null,
  -- When the last of them was back; null: some are off.
  until timestamptz,
  -- What the workers would have earned; null: nobody knows the price.
  lost_sat bigint,
  acknowledged_by integer constraint farm_event_acknowledged_by_fk references app_user (id),
  -- Until when nothing is said of it; null: until it is over.
  quiet_until timestamptz,
  note text
);
comment on table farm_event is 'Workers of an account''s owner that went off together: what broke where (alerts/farm-events.ts).';
create index farm_event_user_index on farm_event (user_id, since);

-- An event that is as large is told in quiet hours too: workers, percent of all, H/s; null: none is.
alter table alert_setting add column loud_workers integer;
alter table alert_setting add column loud_percent double precision;
alter table alert_setting add column loud_hashrate double precision;

-- The event that it is a part of, in `farm_event`; null: it is by itself.
alter table worker_event add column event_id integer;
-- What the worker mined before, H/s.
alter table worker_event add column hashrate double precision;
create index worker_event_by_event on worker_event (event_id) where event_id is not null;
