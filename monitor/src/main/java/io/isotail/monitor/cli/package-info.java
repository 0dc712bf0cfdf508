/**
 * The command line.
 *
 * <p>Input: arguments. Output: text on the standard streams and an exit status: 0 passed, 1
 * violation found (of {@code resolve}: a key not found), 2 bad usage or bad input, 3 undecided
 * without a violation. Owned by the main thread.
 */
@NullMarked
package io.isotail.monitor.cli;

import org.jspecify.annotations.NullMarked;
