/**
 * The demo: a real database under real concurrent transactions, recorded through the JDBC driver,
 * carried by a real broker and checked by the monitor, all started by one command.
 *
 * <p>Input: options. Output: progress for people and a summary. Owning thread: the command's; the
 * workload and the monitor have their own. Bounds: those of the parts that it starts; everything
 * that it starts, it stops and removes.
 */
@NullMarked
package io.isotail.monitor.demo;

import org.jspecify.annotations.NullMarked;
