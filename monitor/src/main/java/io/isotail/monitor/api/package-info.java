/**
 * Answers HTTP: health, metrics, the JSON API and the page's files.
 *
 * <p>Input: requests, on Vert.x event loops. Output: what the store, the status board and the
 * metrics hold; nothing here calls into a checker or waits for Kafka. Bounds: one answer lists at
 * most {@link io.isotail.monitor.api.AnomalyRoutes#MAX_LIMIT} anomalies; the page's files are read
 * once.
 */
@NullMarked
package io.isotail.monitor.api;

import org.jspecify.annotations.NullMarked;
