-- Tables with a row for each worker name none of the others, so that they can be spread over several PostgreSQL by
-- account (docs/adr/0037-distributed.md). No account is ever deleted, and no node before its `worker_presence`.
alter table worker drop constraint worker_sub_account_id_sub_account_id_fk;
alter table worker_group drop constraint worker_group_sub_account_id_sub_account_id_fk;
alter table worker_presence drop constraint worker_presence_node_id_node_id_fk;
