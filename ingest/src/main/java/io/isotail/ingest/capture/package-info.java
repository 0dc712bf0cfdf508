/**
 * What a client's statements mean: where transactions begin and end, at which level they run, and
 * which rows they read and write. It knows no JDBC, so that any carrier of statements can use it.
 *
 * <p>Input: calls on {@link io.isotail.ingest.capture.SessionCapture}, before each statement is
 * sent and after its answer, in terms of the statement's text, its parameters, the {@link
 * io.isotail.ingest.capture.Row}s of its answer and the {@link io.isotail.ingest.capture.Failure}
 * of an error. A store without SQL tells {@link io.isotail.ingest.capture.RegisterCapture} which
 * registers were read and written. Output: transaction records in a {@link
 * io.isotail.ingest.emit.TransactionSink}. What only the database knows is asked through {@link
 * io.isotail.ingest.capture.Server}, which the carrier implements.
 *
 * <p>Owning thread: the caller's; a session is guarded by its own lock, which is never held while a
 * statement of the application runs. Bounds: a transaction holds at most a chunk of operations
 * before they are handed over; statement analyses are cached within a bound. No failure inside
 * reaches the caller: it is counted and logged once, and turns the transaction into an opaque
 * write.
 */
@NullMarked
package io.isotail.ingest.capture;

import org.jspecify.annotations.NullMarked;
