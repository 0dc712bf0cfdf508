/**
 * Turns the text of an SQL statement into what it does to the observed tables.
 *
 * <p>Input: statement texts and the list of observed tables. Output: an {@link
 * io.isotail.ingest.sql.AnalyzedSql}: an analysis, a fingerprint without any value, and the places
 * the values come from. Owning thread: any; everything here is immutable or thread-safe. Bounds:
 * analyses are cached by normalized text in a cache of bounded size; a statement is parsed only
 * below fixed limits of length and nesting and within a time limit, beyond which it counts as not
 * interpretable.
 *
 * <p>Two tools share the work. {@link io.isotail.ingest.sql.SqlLexer} cuts any text into tokens in
 * linear time, which is enough to recognise statements that cannot concern an observed table,
 * transaction control and calls of unknown functions. Only what names an observed table goes to the
 * parser, with its literals already replaced, so that one parse serves every value.
 */
@NullMarked
package io.isotail.ingest.sql;

import org.jspecify.annotations.NullMarked;
