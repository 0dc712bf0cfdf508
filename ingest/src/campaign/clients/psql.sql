-- psql: its own commands, notices, COPY both ways, cursors, errors in a transaction.
SET search_path = shop;
ALTER SEQUENCE watched RESTART;
\pset pager off
SELECT * FROM account WHERE id <= 3 ORDER BY id;
SELECT id, owner FROM account WHERE id = $1 \gdesc
SELECT owner, balance FROM account WHERE id = 4 \gdesc
SELECT a.id, i.name FROM account a LEFT JOIN item i ON i.shelf = a.id AND i.place = 0 ORDER BY a.id LIMIT 5;
SELECT owner AS first FROM account WHERE id = 1 \gset
\echo :first
SELECT format('SELECT balance FROM account WHERE id = %s', id) FROM account WHERE id < 3 ORDER BY id \gexec
SELECT 1 / (3 - nextval('watched')) \watch 0.1
UPDATE account SET balance = balance - 1.5 WHERE id = 1 RETURNING *;
UPDATE account SET balance = balance + 1 WHERE id > 15;
INSERT INTO event (what, at) VALUES ('one', '2020-01-01 00:00+00'), ('two', NULL) RETURNING id, what;
DELETE FROM item WHERE shelf = 3 AND place IN (0, 1);
SELECT greet(2);
BEGIN;
SAVEPOINT s;
INSERT INTO account VALUES (1, 'again', 0);
ROLLBACK TO s;
UPDATE account SET owner = 'renamed' WHERE id = 7;
DECLARE c CURSOR FOR SELECT * FROM account ORDER BY id;
FETCH 3 FROM c;
MOVE 5 IN c;
FETCH NEXT FROM c;
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT sum(balance) FROM account;
INSERT INTO account VALUES (30, 'thirty', 3);
ROLLBACK;
\copy account (id, owner, balance) FROM STDIN WITH (FORMAT csv)
21,"copied, in",5.50
22,second,6
\.
\copy (SELECT * FROM account WHERE id > 18 ORDER BY id) TO STDOUT WITH (FORMAT csv, HEADER)
COPY item (shelf, place, name) FROM STDIN;
9	1	nine
9	2	\N
\.
COPY item TO STDOUT;
PREPARE p (int) AS SELECT owner FROM account WHERE id = $1;
EXECUTE p(3);
EXECUTE p(300);
DEALLOCATE p;
SELECT * FROM item WHERE shelf = 9 ORDER BY place;
MERGE INTO account a USING (VALUES (1, 5), (90, 7)) v (id, n) ON a.id = v.id
  WHEN MATCHED THEN UPDATE SET balance = a.balance + v.n
  WHEN NOT MATCHED THEN INSERT VALUES (v.id, 'merged', v.n);
INSERT INTO account VALUES (90, 'x', 1) ON CONFLICT (id) DO UPDATE SET balance = account.balance + 1 RETURNING balance;
WITH gone AS (DELETE FROM account WHERE id = 90 RETURNING *) SELECT owner FROM gone;
SELECT nope FROM account;
SELECT owner FROM account ORDER BY 2;
SELECT * FROM account WHERE id = 1 \; SELECT count(*) FROM item \; UPDATE account SET owner = 'both' WHERE id = 2;
LISTEN here;
NOTIFY here, 'a message';
SELECT 'after';
SELECT 1 AS one UNION ALL SELECT id FROM account WHERE id < 3 ORDER BY 1;
TABLE account;
\d account
\crosstabview
SELECT shelf, place, name FROM item WHERE shelf < 3 ORDER BY 1, 2 \crosstabview
EXPLAIN (COSTS OFF) SELECT owner FROM account WHERE id = 1;
TRUNCATE event;
SELECT * FROM account ORDER BY id;
