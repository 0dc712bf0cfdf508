-- SmallBank [Alomari, Cahill, Fekete, Röhm, ICDE 2008]: a checking and a savings account each.
CREATE TABLE checking (customer INT PRIMARY KEY, balance INT NOT NULL);
CREATE TABLE savings (customer INT PRIMARY KEY, balance INT NOT NULL);
INSERT INTO checking VALUES (1, 60);
INSERT INTO savings VALUES (1, 60);

TRANSACTION balance(customer INT)
BEGIN
  SELECT balance INTO :s FROM savings WHERE customer = :customer;
  SELECT balance INTO :k FROM checking WHERE customer = :customer;
COMMIT;

TRANSACTION deposit_checking(customer INT, amount INT)
BEGIN
  UPDATE checking SET balance = balance + :amount WHERE customer = :customer;
COMMIT;

TRANSACTION transact_savings(customer INT, amount INT)
BEGIN
  SELECT balance INTO :s FROM savings WHERE customer = :customer;
  SELECT balance INTO :k FROM checking WHERE customer = :customer;
  IF :s + :k + :amount < 0 THEN ROLLBACK; END IF;
  UPDATE savings SET balance = :s + :amount WHERE customer = :customer;
COMMIT;

TRANSACTION write_check(customer INT, amount INT)
BEGIN
  SELECT balance INTO :s FROM savings WHERE customer = :customer;
  SELECT balance INTO :k FROM checking WHERE customer = :customer;
  IF :s + :k < :amount THEN ROLLBACK; END IF;
  UPDATE checking SET balance = :k - :amount WHERE customer = :customer;
COMMIT;

SESSION desk BEGIN CALL transact_savings(1, -100); END;
SESSION clearing BEGIN CALL write_check(1, 100); END;

FINAL BEGIN
  SELECT balance INTO :s FROM savings WHERE customer = 1;
  SELECT balance INTO :k FROM checking WHERE customer = 1;
  ASSERT :s + :k >= 0, 'the customer has spent more than both accounts held';
END;
