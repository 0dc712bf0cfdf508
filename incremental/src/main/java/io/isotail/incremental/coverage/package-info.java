/**
 * What applications did and the stream does not show, by what their proxies tell of it.
 *
 * <p>Input: the counts of heartbeats. Output: {@link
 * io.isotail.incremental.coverage.CaptureReport}. Owned by the checker's thread. Bounds: {@link
 * io.isotail.incremental.coverage.CaptureLedger}.
 */
@NullMarked
package io.isotail.incremental.coverage;

import org.jspecify.annotations.NullMarked;
