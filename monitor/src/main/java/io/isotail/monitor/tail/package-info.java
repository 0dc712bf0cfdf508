/**
 * Follows the binary log of a MariaDB server as a replica does, and tells a history's stream what
 * each committed transaction has changed: for each row a keyed hash of its content before and
 * after. {@link io.isotail.monitor.tail.Tail} puts the parts together.
 */
@NullMarked
package io.isotail.monitor.tail;

import org.jspecify.annotations.NullMarked;
