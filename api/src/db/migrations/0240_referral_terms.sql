-- The referral's terms (REFERRAL_PERCENT, REFERRAL_MONTHS) are kept by day, as the operator's fee is. They were fixed until now:
-- where somebody has joined, those are valid for all days so far.
INSERT INTO "term" ("name", "since", "value")
SELECT fixed."name", date '0001-01-01', fixed."value"
FROM (VALUES ('referral_percent', 10), ('referral_months', 12)) AS fixed("name", "value")
WHERE EXISTS (SELECT 1 FROM "referral");
