/**
 * Forecasts: what transactions that ran, often one at a time, can do to a promise if they run
 * beside each other.
 *
 * <p>Input: transaction records, and what their statements' texts tell. Output: {@link
 * io.isotail.incremental.forecast.Forecast}s. Thread: the caller's. Bound: {@link
 * io.isotail.incremental.forecast.Limits}; what was not looked at because of one is counted.
 *
 * <p>An {@link io.isotail.incremental.forecast.Execution} is a transaction as it ran: its
 * statements and the rows that they touched. Executions of the same statements are one {@link
 * io.isotail.incremental.forecast.Template}. Two or three executions that share rows make a {@link
 * io.isotail.incremental.forecast.Meeting}. {@link io.isotail.incremental.forecast.Interleavings}
 * runs its statements in every order that the locks and snapshots of the levels allow, from the
 * rows as they were. An order in which all of them commit and depend on each other in a circle is a
 * {@link io.isotail.incremental.forecast.Course}. The checker itself says what the course violates,
 * and whose statements bring it about.
 *
 * <p>Assumed, because traffic does not show it: that a transaction sends the same statements
 * whatever it reads, and that it gives up where a condition that it checks again hits no row. So a
 * forecast is a question to the person who knows the code, and never an alarm.
 */
@NullMarked
package io.isotail.incremental.forecast;

import org.jspecify.annotations.NullMarked;
