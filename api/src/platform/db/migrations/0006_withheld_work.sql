-- Credited work that brought the pool's upstream fewer shares than chance explains (docs/adr/0005-stratum.md).
create table withheld_work (
  day date not null,
  algorithm text not null,
  -- Machine, network or account.
  who text not null,
  sub_account_id integer not null constraint withheld_work_sub_account_id_fk references sub_account (id) on delete cascade,
  -- Shares of the upstream that the credited work was worth, and those that it took.
  expected double precision not null,
  brought bigint not null,
  -- So unlikely that the account is paid nothing for the day until an admin has decided.
  held boolean not null,
  constraint withheld_work_day_algorithm_who_sub_account_id_pk primary key (day, algorithm, who, sub_account_id)
);
comment on table withheld_work is 'Credited work that brought the upstream fewer shares than chance explains.';
create index withheld_work_sub_account_id_index on withheld_work (sub_account_id);
