-- The admin who has set a payout address. Null: its owner has, or has confirmed it.
ALTER TABLE "sub_account" ADD COLUMN "address_set_by" integer REFERENCES "app_user";
