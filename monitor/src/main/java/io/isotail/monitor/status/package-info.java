/**
 * Where the pipeline stands, as immutable snapshots.
 *
 * <p>Input: published by the pipeline's thread several times a second. Output: read by the API, the
 * metrics and what waits for the pipeline, on any thread. Bounds: one snapshot, with one entry for
 * each history and each other instance, a minute of rates, and the latest changes of verdict.
 */
@NullMarked
package io.isotail.monitor.status;

import org.jspecify.annotations.NullMarked;
