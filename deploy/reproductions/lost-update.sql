-- Lost update: two transactions read the same version of a row, and both overwrite it.
-- Forbidden from snapshot-isolation on.
CREATE TABLE isotail_r (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL);
INSERT INTO isotail_r (k, v) VALUES (1, 0);
SELECT v FROM isotail_r WHERE k = 1;     -- a: 0
SELECT v FROM isotail_r WHERE k = 1;     -- b: 0
UPDATE isotail_r SET v = 1 WHERE k = 1;  -- a
COMMIT;                                  -- a
UPDATE isotail_r SET v = 2 WHERE k = 1;  -- b
COMMIT;                                  -- b
