/**
 * History files: streaming parsers that turn them into the records of a stream, and a writer.
 *
 * <p>Input: a regular file. Output: {@link io.isotail.incremental.record.TransactionRecord}s, one
 * at a time, with the line of the file as offset. Owner: the calling thread. Bound: the open
 * transaction of each session, one line, and a counter for each session; no parser holds the file.
 * An empty file is an empty history.
 *
 * <h2>plume</h2>
 *
 * <p>One operation a line: {@code r(key,value,session,txn)} or {@code w(key,value,session,txn)},
 * unsigned 64-bit numbers. The lines of a transaction are together within its session; sessions may
 * be mixed line by line. A first pass over the file looks for writes of the value 0: a read of 0 is
 * of the initial version unless somebody, committed or not, writes 0 to that key. Transaction -1
 * marks operations of aborted transactions; those of a session that come together are handed over
 * as one aborted transaction with the number -1.
 *
 * <h2>jsonl</h2>
 *
 * <p>One transaction a line, an object with
 *
 * <ul>
 *   <li>{@code session}: string or unsigned number; {@code txn}: the same;
 *   <li>{@code ops}: {@code ["r",key,version]} and {@code ["w",key,version]}, where {@code null} is
 *       the initial version and no version at all an unknown one; {@code ["d",key]} is a delete,
 *       {@code ["o",table]} (table or null) a statement that may have written any key of the table.
 *       An object may follow at the end: {@code undone} (true for what a savepoint undid), {@code
 *       table}, {@code statement}, {@code key} and {@code version} (names for people);
 *   <li>optional: {@code clock} (string), {@code begin} and {@code end} (ns), {@code level} (that
 *       it ran at), {@code outcome} ({@code committed}, {@code aborted} or {@code unknown}).
 * </ul>
 *
 * <p>A number stands for itself; a string for the 64-bit hash that {@link
 * io.isotail.ingest.format.ClearName} makes of it, and is kept as the name in clear. So the number
 * 1 and the string {@code "1"} are different keys.
 */
@NullMarked
package io.isotail.ingest.format;

import org.jspecify.annotations.NullMarked;
