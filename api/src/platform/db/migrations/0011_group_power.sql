-- US dollars a kWh; null: not given.
alter table worker_group add usd_per_kwh double precision,
  -- With all machines on; null: the sum of their models counts.
  add kilowatts double precision,
  add constraint worker_group_power check (usd_per_kwh >= 0 and kilowatts > 0);
