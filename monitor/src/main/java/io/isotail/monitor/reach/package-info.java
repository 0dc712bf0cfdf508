/**
 * Whether a host answers, and in plain words why not.
 *
 * <p>Input: addresses, or what a connection failed with. Output: one sentence with host, port and
 * cause, or none. Threads: one daemon for each address, which ends by itself. Bound: the patience
 * that is given, whatever a name server does.
 */
@NullMarked
package io.isotail.monitor.reach;

import org.jspecify.annotations.NullMarked;
