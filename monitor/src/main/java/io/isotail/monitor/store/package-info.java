/**
 * The anomalies that the page and the API show.
 *
 * <p>Input: published anomalies from the pipeline's thread. Output: immutable views for any thread.
 * Bounds: the latest {@code anomalies.retained} anomalies; older ones are on the anomalies topic
 * only.
 */
@NullMarked
package io.isotail.monitor.store;

import org.jspecify.annotations.NullMarked;
