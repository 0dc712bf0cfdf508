/**
 * Forecasts for people and programs: text, Markdown, JSON and SARIF, and the traffic that they are
 * made from.
 *
 * <p>Input: transaction records of files, of a test run or of a log; {@link
 * io.isotail.incremental.forecast.Forecaster} makes forecasts of them. Output: texts. Thread: the
 * caller's. Bound: that of {@link io.isotail.incremental.forecast.Templates}, whatever the length
 * of the traffic.
 *
 * <p>A forecast is never mixed with what has happened: no verdict, metric or anomaly knows of it.
 */
@NullMarked
package io.isotail.monitor.forecast;

import org.jspecify.annotations.NullMarked;
