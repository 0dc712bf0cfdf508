-- Courseware [Nair, Petri, Shapiro, 2020]: students enrol in courses that are open and not full.
PARAMETER capacity = 1;
CREATE TABLE course (name TEXT PRIMARY KEY, open BOOLEAN NOT NULL);
CREATE TABLE enrolment (student TEXT, course TEXT, PRIMARY KEY (student, course));
CREATE TABLE told (student TEXT PRIMARY KEY, places INT NOT NULL);
INSERT INTO course VALUES ('logic', TRUE);
INSERT INTO told VALUES ('ann', 0), ('ben', 0);

TRANSACTION open_course(course TEXT)
BEGIN
  INSERT INTO course (name, open) VALUES (:course, TRUE);
COMMIT;

TRANSACTION close_course(course TEXT)
BEGIN
  UPDATE course SET open = FALSE WHERE name = :course;
COMMIT;

TRANSACTION delete_course(course TEXT)
BEGIN
  DELETE FROM course WHERE name = :course;
COMMIT;

TRANSACTION enrol(student TEXT, course TEXT)
BEGIN
  SELECT COUNT(*) INTO :found FROM course c WHERE c.name = :course AND c.open;
  SELECT COUNT(*) INTO :taken FROM enrolment WHERE course = :course;
  IF :found = 1 AND :taken < :capacity THEN
    INSERT INTO enrolment (student, course) VALUES (:student, :course);
    UPDATE told SET places = 1 WHERE student = :student;
  END IF;
COMMIT;

TRANSACTION enrolments()
BEGIN
  SELECT * FROM enrolment;
COMMIT;

SESSION ann BEGIN CALL enrol('ann', 'logic'); END;
SESSION ben BEGIN CALL enrol('ben', 'logic'); END;

FINAL BEGIN
  SELECT places INTO :a FROM told WHERE student = 'ann';
  SELECT places INTO :b FROM told WHERE student = 'ben';
  ASSERT :a + :b <= :capacity, 'more students were told that they have a place than there are places';
END;
