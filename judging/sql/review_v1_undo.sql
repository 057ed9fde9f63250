-- Takes back what review_v1.sql installs.
DROP TRIGGER review_05_open ON judging_review;
DROP TRIGGER review_10_fixed ON judging_review;
DROP TRIGGER review_11_settled ON judging_review;
DROP TRIGGER review_12_claimed ON judging_review;
DROP TRIGGER review_30_kept ON judging_review;
DROP TRIGGER review_40_truncate ON judging_review;
