/**
 * Follows the log of a database and tells a history what it shows: MariaDB's binary log ({@link
 * io.isotail.monitor.tail.Tail}) or PostgreSQL's ({@link io.isotail.monitor.tail.WalTail}). Both
 * tell records through {@link io.isotail.monitor.tail.LogTeller}.
 */
@NullMarked
package io.isotail.monitor.tail;

import org.jspecify.annotations.NullMarked;
