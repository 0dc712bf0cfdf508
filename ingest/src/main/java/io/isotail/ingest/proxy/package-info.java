/**
 * Stands between clients and a PostgreSQL server, and shows what passes to a {@link
 * io.isotail.ingest.postgres.Conversation} for each connection.
 *
 * <p>Input: the bytes of both sides. Output: the same bytes, but for what a conversation changes
 * and what ends at the proxy: TLS, and logins whose secrets it holds. Owning thread: of a
 * connection, both sides and its conversation, one event loop of several. Bounds: connections, the
 * first packets of a client, the time they may take; of each connection the bytes that wait for a
 * slow side, and one message that is looked at.
 *
 * <p>Vert.x has the event loops, sockets, timers and workers. Where its sockets cannot do what the
 * protocol asks for, the Netty channel below them is used: TLS that begins after bytes were read,
 * and reading that stops at once. Both stay inside this package.
 */
@NullMarked
package io.isotail.ingest.proxy;

import org.jspecify.annotations.NullMarked;
