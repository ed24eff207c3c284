-- Accounts of the batch whose node did not answer (docs/adr/0037-distributed.md): their shares wait; null: all are counted.
alter table ingest_batch add column waiting integer[];
