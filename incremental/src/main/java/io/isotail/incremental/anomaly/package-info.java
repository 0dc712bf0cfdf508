/**
 * What the checker reports: an anomaly, its cycle, and the capsule that proves it.
 *
 * <p>Input: built by the witness stage. Output: data for alerts, files and pages. Immutable.
 * Bounds: a capsule holds the transactions of one witness, cut to the operations that matter.
 */
@NullMarked
package io.isotail.incremental.anomaly;

import org.jspecify.annotations.NullMarked;
