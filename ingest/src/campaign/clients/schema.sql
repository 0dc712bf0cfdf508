-- What each client finds. Before each run the rows are made anew, and the tables stay.
CREATE SCHEMA IF NOT EXISTS shop;
SET search_path = shop;
CREATE TABLE IF NOT EXISTS account (id int PRIMARY KEY, owner text NOT NULL, balance numeric(10, 2) NOT NULL);
CREATE TABLE IF NOT EXISTS item (shelf int, place int, name text, tags text[], details jsonb, PRIMARY KEY (shelf, place));
CREATE TABLE IF NOT EXISTS event (id serial PRIMARY KEY, what text, at timestamptz);
TRUNCATE account, item, event RESTART IDENTITY;
INSERT INTO account SELECT n, 'owner ' || n, 100 FROM generate_series(1, 20) n;
INSERT INTO item SELECT n / 5, n % 5, 'item ' || n, ARRAY['a', 'b"' || n], jsonb_build_object('n', n)
  FROM generate_series(0, 19) n;
CREATE OR REPLACE FUNCTION greet(int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE NOTICE 'hello %', $1;
  RETURN (SELECT owner FROM shop.account WHERE id = $1);
END $$;
CREATE SEQUENCE IF NOT EXISTS watched;
