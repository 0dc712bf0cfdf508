/**
 * What PostgreSQL's wire protocol says, and what a proxy makes of it.
 *
 * <p>Input: the messages of one connection, from client and server, in their order. Output: what
 * goes on to either side, and calls on {@link io.isotail.ingest.capture.SessionCapture}. Owning
 * thread: the connection's event loop; questions to the server wait on a thread of their own, with
 * the client held. Bound: one message, and what is known of the prepared statements and portals of
 * the connection.
 *
 * <p>Knows no sockets: the package {@code proxy} has them.
 */
@NullMarked
package io.isotail.ingest.postgres;

import org.jspecify.annotations.NullMarked;
