-- Non-repeatable read: a transaction reads the same row twice, and another's write between.
-- Forbidden from read-atomic on.
CREATE TABLE isotail_r (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL);
INSERT INTO isotail_r (k, v) VALUES (1, 0);
SELECT v FROM isotail_r WHERE k = 1;     -- a: 0
UPDATE isotail_r SET v = 1 WHERE k = 1;  -- b
COMMIT;                                  -- b
SELECT v FROM isotail_r WHERE k = 1;     -- a: 1
COMMIT;                                  -- a
