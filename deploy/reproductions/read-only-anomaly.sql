-- Read-only anomaly: a transaction that only reads sees one writer and not the other, which in any
-- serial order comes first (Fekete, O'Neil, O'Neil, SIGMOD Record 33(3), 2004).
-- Forbidden from serializable on.
CREATE TABLE isotail_r (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL);
INSERT INTO isotail_r (k, v) VALUES (1, 0);
INSERT INTO isotail_r (k, v) VALUES (2, 0);
SELECT v FROM isotail_r WHERE k = 1;     -- a: 0
SELECT v FROM isotail_r WHERE k = 2;     -- a: 0
SELECT v FROM isotail_r WHERE k = 2;     -- b: 0
UPDATE isotail_r SET v = 1 WHERE k = 2;  -- b
COMMIT;                                  -- b
SELECT v FROM isotail_r WHERE k = 1;     -- c: 0
SELECT v FROM isotail_r WHERE k = 2;     -- c: 1
COMMIT;                                  -- c
UPDATE isotail_r SET v = 2 WHERE k = 1;  -- a
COMMIT;                                  -- a
