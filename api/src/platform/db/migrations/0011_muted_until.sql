-- Of a muted worker: until then; infinite: until it mines again; null: until it is unmuted.
alter table worker add muted_until timestamptz;
create index worker_muted_until_index on worker (muted_until) where muted_until is not null;
