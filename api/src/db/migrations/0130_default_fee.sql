-- The operator's fee (POOL_FEE_PERCENT) is kept by day, as the admins' is. Until now it was that of the moment a day was
-- closed: what the last earning without a fee of an admin or of the user's own had is valid for all days so far.
INSERT INTO "term" ("name", "since", "value")
SELECT 'default_fee', date '0001-01-01', e."fee_percent"
FROM "earning" e
JOIN "sub_account" s ON s."id" = e."sub_account_id"
JOIN "app_user" u ON u."id" = s."user_id"
WHERE u."fee_percent" IS NULL
  AND NOT EXISTS (SELECT 1 FROM "term" t WHERE t."name" = 'user_fee' AND t."user_id" = u."id")
  AND NOT EXISTS (SELECT 1 FROM "term" t WHERE t."name" = 'pool_fee' AND t."since" <= e."day")
ORDER BY e."day" DESC
LIMIT 1;
