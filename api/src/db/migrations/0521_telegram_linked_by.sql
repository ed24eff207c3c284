-- Who opened the link in the chat, by the id that Telegram gives them: in a group that person may stop it.
ALTER TABLE telegram_connection ADD COLUMN linked_by bigint;
