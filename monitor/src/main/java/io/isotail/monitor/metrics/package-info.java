/**
 * What Prometheus sees of the monitor; {@link io.isotail.monitor.metrics.MetricCatalogue} lists it.
 *
 * <p>Input: snapshots of the pipeline, read when a scrape comes, and anomalies as they are found.
 * Output: the text of {@code /metrics}. Safe for use by many threads. Bounds: labels take the
 * declared or seen histories (at most {@code max-histories}) and the closed sets of levels, kinds
 * and reasons.
 */
@NullMarked
package io.isotail.monitor.metrics;

import org.jspecify.annotations.NullMarked;
