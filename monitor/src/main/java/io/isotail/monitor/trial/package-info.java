/**
 * A trial: a real database under real concurrent transactions, recorded as an application's would
 * be, carried by a real broker and checked by the monitor, all started by one command.
 *
 * <p>Input: a database, which is started for the purpose or is the user's own, and options. Output:
 * progress for people and a summary. Owning thread: the command's; the workload and the monitor
 * have their own. Bounds: those of the parts that it starts; everything that it starts, it stops
 * and removes.
 */
@NullMarked
package io.isotail.monitor.trial;

import org.jspecify.annotations.NullMarked;
