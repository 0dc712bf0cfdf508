/**
 * Hands observed transactions to the stream without ever disturbing the application.
 *
 * <p>Input: transactions from the proxies, on application threads. Output: records on Kafka, sent
 * by one thread of its own. Bounds: a queue with a fixed capacity; what does not fit is dropped,
 * counted and announced by a gap record; a batch of transactions, which waits for 100 ms; the
 * memory of Kafka's producer.
 */
@NullMarked
package io.isotail.ingest.emit;

import org.jspecify.annotations.NullMarked;
