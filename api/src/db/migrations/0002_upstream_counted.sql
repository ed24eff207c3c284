-- What an upstream says itself that it counted in a day; null: it was not asked for all of it.
alter table upstream_day add column counted double precision;
