/**
 * Generates transactions on registers, to show and to test isotail on a real database.
 *
 * <p>Input: a source of sessions with a store, or of JDBC connections, which decides whether the
 * traffic is observed. Output: traffic, and counts of it. Owning threads: one for each session.
 * Bounds: a fixed number of sessions and keys and a limit of transactions per second.
 */
@NullMarked
package io.isotail.ingest.workload;

import org.jspecify.annotations.NullMarked;
