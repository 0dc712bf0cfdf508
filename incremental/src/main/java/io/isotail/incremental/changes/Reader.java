package io.isotail.incremental.changes;

import org.jspecify.annotations.Nullable;

/**
 * A captured transaction, as far as that limits which versions of the log it can have read.
 *
 * @param own id of what the log tells of it, {@link LoggedRows#BASE} if that is not known
 * @param beganMs it had not begun before then, in ms of the stream; {@link LoggedRows#BEFORE_LOG}
 *     if it may have begun before the log was followed
 * @param clock id of the clock of {@code endNs}; null for none
 * @param endNs when it had ended, in ns of that clock
 */
record Reader(long own, long beganMs, @Nullable String clock, long endNs) {}
