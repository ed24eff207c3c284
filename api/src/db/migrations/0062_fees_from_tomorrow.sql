-- A day keeps the fee it began with: a fee of a user's own that is changed holds from the next UTC day on.
CREATE OR REPLACE FUNCTION keep_user_fee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO term (name, user_id, since, value) SELECT 'user_fee', NEW.id, date '0001-01-01', OLD.fee_percent
    WHERE NOT EXISTS (SELECT 1 FROM term WHERE name = 'user_fee' AND user_id = NEW.id);
  INSERT INTO term (name, user_id, since, value) VALUES ('user_fee', NEW.id, (now() AT TIME ZONE 'UTC')::date + 1, NEW.fee_percent)
    ON CONFLICT (name, user_id, since) DO UPDATE SET value = excluded.value;
  RETURN NULL;
END $$;
