/**
 * A JDBC driver that wraps another one and records what transactions do to the observed tables.
 *
 * <p>Input: the application's own JDBC calls. Output: calls on {@link
 * io.isotail.ingest.capture.SessionCapture}, which makes records of them. Owning thread: the
 * application's; isotail adds no thread to a connection and sends no statement of its own except,
 * while a connection is idle, to ask for its isolation level and the types of observed columns.
 * Bound: a statement and a result set keep nothing but the parameters that the application has set.
 *
 * <p>Every JDBC interface is implemented by a dynamic proxy, so that methods of newer JDBC versions
 * reach the real driver too, and so are the real object's other interfaces. What the name of a
 * method says is found out once for each method of a connection. Whatever isotail does around a
 * call is guarded and never reaches the application.
 */
@NullMarked
package io.isotail.ingest.jdbc;

import org.jspecify.annotations.NullMarked;
