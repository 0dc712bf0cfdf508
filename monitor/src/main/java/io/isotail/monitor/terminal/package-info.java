/**
 * How the command line looks on a terminal: colours, and when there are any.
 *
 * <p>Input: words; the option {@code --color}, the environment, whether standard output is a
 * terminal. Output: the same words, with escape sequences or without. No state, no thread. Bound:
 * one text at a time.
 */
@NullMarked
package io.isotail.monitor.terminal;

import org.jspecify.annotations.NullMarked;
