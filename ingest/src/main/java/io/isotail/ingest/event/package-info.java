/**
 * The wire form of the stream's records: Protobuf, with a schema version in every record.
 *
 * <p>Input: {@link io.isotail.incremental.record.StreamRecord}, or bytes from Kafka. Output: the
 * other one. Stateless and callable from any thread, but for a {@link
 * io.isotail.ingest.event.TransactionBatch}, which is of one thread. Bound: a record is at most
 * what one Kafka message holds. Topic {@code isotail.events}, key = history id in UTF-8, value =
 * one envelope.
 */
@NullMarked
package io.isotail.ingest.event;

import org.jspecify.annotations.NullMarked;
