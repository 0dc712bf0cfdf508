/**
 * Runs the loop that connects, reads the log, has it checked and commits what is found.
 *
 * <p>Input: the log, changed settings, the request to stop. Output: snapshots to the status board,
 * several times a second. One thread, {@code isotail-pipeline}, does all of it and owns the Kafka
 * clients and every checker. Bounds: those of the packages below; an error ends a session, and the
 * next begins after at most five seconds.
 */
@NullMarked
package io.isotail.monitor.pipeline;

import org.jspecify.annotations.NullMarked;
