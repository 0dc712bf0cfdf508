-- Write skew: two transactions read the same two rows, and each overwrites another of them.
-- Forbidden from serializable on.
CREATE TABLE isotail_r (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL);
INSERT INTO isotail_r (k, v) VALUES (1, 0);
INSERT INTO isotail_r (k, v) VALUES (2, 0);
SELECT v FROM isotail_r WHERE k = 1;     -- a: 0
SELECT v FROM isotail_r WHERE k = 2;     -- a: 0
SELECT v FROM isotail_r WHERE k = 1;     -- b: 0
SELECT v FROM isotail_r WHERE k = 2;     -- b: 0
UPDATE isotail_r SET v = 1 WHERE k = 1;  -- a
UPDATE isotail_r SET v = 2 WHERE k = 2;  -- b
COMMIT;                                  -- a
COMMIT;                                  -- b
