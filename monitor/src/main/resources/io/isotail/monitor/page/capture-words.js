// Why a statement is not captured, in plain words, and what to do about it. A test holds the reasons
// to those of the driver.

export const NOT_CAPTURED = {
  'parse-failed': { why: 'isotail does not understand the text.', advice: 'Report the text. If it only reads, nothing else is lost.' },
  'too-complex': { why: 'The text is longer or deeper nested than what is looked at.', advice: 'Split it, or send its values as parameters.' },
  'several-statements': { why: 'Several statements are sent in one text.', advice: 'Send each by itself.' },
  join: { why: 'A join whose rows do not tell which rows they are made of.', advice: 'On PostgreSQL see that isotail.rewrite is on and that each table has a key.' },
  aggregate: { why: 'Its rows are made of many rows: an aggregate, a grouping, a set operation.', advice: 'None: it is sent as it is. What other statements read stays checked.' },
  subquery: { why: 'It reads the table in a subquery or a common table expression.', advice: 'A join or a condition by key is captured.' },
  'unknown-function': { why: 'It calls a function that may write anything.', advice: 'Name the function in isotail.harmless-functions if it writes no observed table. Nearly all that come with PostgreSQL are trusted once its catalog has been asked.' },
  'no-key-condition': { why: 'It writes rows that its condition does not name by their key.', advice: 'None, if it writes few rows: the driver learns that. Else write by key.' },
  'key-changed': { why: 'It changes key columns.', advice: 'Give rows a key that does not change.' },
  'insert-without-values': { why: 'It inserts what a query returns, or default values.', advice: 'On PostgreSQL see that isotail.rewrite is on.' },
  utility: { why: 'It writes in a form that does not tell rows: TRUNCATE, COPY, MERGE, CALL, DO or a definition.', advice: 'Expected in migrations. In normal work use INSERT, UPDATE and DELETE.' },
  'schema-unclear': { why: 'Which table the name means was not known at that moment.', advice: 'Name the schema in the statement, or do not change search_path and roles while connections are in use.' },
  'writing-cte': { why: 'A common table expression that writes.', advice: 'Send the write by itself.' },
  'dialect-unclear': { why: 'What it means depends on the database’s own dialect, as a quoted text that may be a name or a value.', advice: 'Leave names unquoted, send values as parameters, and write one table with each statement.' },
  'told-by-log': { why: 'The database’s log tells what it wrote, to whoever follows it.', advice: 'None, as long as the log is followed.' },
  'row-without-key-or-version': { why: 'The rows have no key or no version among their columns.', advice: 'Run isotail doctor: the table may not tell its writers, or rewriting is off. Else select key and version.' },
  'value-without-identity': { why: 'The key or version is NULL, or of a type that has no safe form.', advice: 'Declare the column’s type in isotail.tables, or use a key of whole numbers, text or uuid.' },
  'late-row': { why: 'Its rows were read after its transaction had ended.', advice: 'Read all rows before the next statement or the commit; in autocommit mode, before the next statement.' },
  'not-observed': { why: 'It concerns only tables that are not observed.', advice: 'Run isotail doctor: it says of each table why, as no key, a view, row security.' },
  'rewriting-refused': { why: 'The server refused it with the columns that isotail added; it is sent as it is since.', advice: 'A defect: report it. isotail doctor shows missing privileges.' },
};
