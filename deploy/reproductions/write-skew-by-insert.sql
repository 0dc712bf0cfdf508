-- Write skew by an insert: one transaction reads a row as missing that another inserts, and a third
-- has updated that row before the first looks. PostgreSQL before 12.4 does not notice.
-- Forbidden from serializable on.
CREATE TABLE isotail_r (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL);
SELECT v FROM isotail_r WHERE k = 1;     -- a: none
INSERT INTO isotail_r (k, v) VALUES (1, 1);     -- b
INSERT INTO isotail_r (k, v) VALUES (2, 1);     -- a
COMMIT;                                  -- a
UPDATE isotail_r SET v = 2 WHERE k = 2;  -- c
SELECT v FROM isotail_r WHERE k = 2;     -- b: none
COMMIT;                                  -- b
COMMIT;                                  -- c
