/**
 * The monitor and the workload as processes of their own, which tests and campaigns start and kill.
 *
 * <p>Input: settings and options. Output: their standard streams. Owner: the thread that starts
 * them; whatever is started is killed at the end.
 */
package io.isotail.monitor.process;
