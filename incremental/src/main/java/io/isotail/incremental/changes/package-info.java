/**
 * Who wrote what was read, by the log of the database: the second witness beside the proxies.
 *
 * <p>Input: the records of a history's stream. Output: the same records, in their order. Where a
 * log is followed, the contents that reads returned have become ids of their writers, the writes of
 * captured transactions are those of the log, and transactions of the log that nobody captured have
 * records of their own. Owner: the checker's thread. Bounds: {@link
 * io.isotail.incremental.changes.LoggedRows#MOST_VERSIONS} versions of rows, and {@link
 * io.isotail.incremental.changes.LogFollower#MOST_HELD} records that wait for the log.
 *
 * <p>Where no log is followed, records pass as they are.
 */
@NullMarked
package io.isotail.incremental.changes;

import org.jspecify.annotations.NullMarked;
