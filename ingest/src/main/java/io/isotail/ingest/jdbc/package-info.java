/**
 * A JDBC driver that wraps another one and records what transactions do to the observed tables.
 *
 * <p>Input: the application's own JDBC calls. Output: transaction records in a {@link
 * io.isotail.ingest.emit.TransactionSink}. Owning thread: the application's; isotail adds no thread
 * to a connection and sends no statement of its own except, while a connection is idle, to ask for
 * its isolation level and the types of observed columns. Bounds: a transaction holds at most a
 * chunk of operations before they are handed over; statement analyses are cached within a bound.
 *
 * <p>Every JDBC interface is implemented by a dynamic proxy, so that methods of newer JDBC versions
 * reach the real driver too. Whatever isotail does around a call is guarded: a failure in it is
 * counted and logged once, turns the transaction into an opaque write, and never reaches the
 * application.
 */
@NullMarked
package io.isotail.ingest.jdbc;

import org.jspecify.annotations.NullMarked;
