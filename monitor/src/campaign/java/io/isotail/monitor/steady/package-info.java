/**
 * How fast a monitor is, from the proxy to the alert, over a real PostgreSQL and a real broker.
 *
 * <p>Input: rates and times. Output: Markdown. Owner: the thread that runs the campaign. Bound: the
 * time that it is given; whatever it starts, it stops.
 */
package io.isotail.monitor.steady;
