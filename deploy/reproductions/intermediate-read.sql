-- Intermediate read: a transaction reads a version that its writer overwrites before it commits.
-- Forbidden from read-committed on.
CREATE TABLE isotail_r (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL);
INSERT INTO isotail_r (k, v) VALUES (1, 0);
UPDATE isotail_r SET v = 1 WHERE k = 1;  -- a
SELECT v FROM isotail_r WHERE k = 1;     -- b: 1
UPDATE isotail_r SET v = 2 WHERE k = 1;  -- a
COMMIT;                                  -- a
COMMIT;                                  -- b
