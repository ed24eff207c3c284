-- The language of mails about an account: that of the pages in which its address was confirmed.
ALTER TABLE "identity_user" ADD COLUMN "language" text;
