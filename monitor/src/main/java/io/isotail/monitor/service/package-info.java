/**
 * The monitor as a whole: pipeline, HTTP server, store and metrics, started and stopped together.
 *
 * <p>Input: a configuration. Output: a running service. Threads: the pipeline's, the HTTP server's,
 * and the caller's for the methods of {@link io.isotail.monitor.service.MonitorService}.
 */
@NullMarked
package io.isotail.monitor.service;

import org.jspecify.annotations.NullMarked;
