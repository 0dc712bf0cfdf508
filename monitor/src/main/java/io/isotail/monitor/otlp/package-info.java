/**
 * Log events for OpenTelemetry: a new incident, one that has become worse, and a new cause, with
 * the traces of the transactions that show it.
 *
 * <p>Input: what this instance has published, on the pipeline's thread, which only leaves events in
 * a queue. Output: requests by OTLP over HTTP in JSON, from a thread of this package. Bound: {@link
 * io.isotail.monitor.otlp.OtlpSender#MAX_EVENTS} events wait; what comes beyond is lost and
 * counted.
 */
@NullMarked
package io.isotail.monitor.otlp;

import org.jspecify.annotations.NullMarked;
