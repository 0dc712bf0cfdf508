/**
 * How text looks on a terminal: colours, when there are any, and what is escaped.
 *
 * <p>Input: words; the option {@code --color}, the environment, whether standard output is a
 * terminal. Output: the same words, with escape sequences or without. No state, no thread. Bound:
 * one text at a time.
 */
@NullMarked
package io.isotail.monitor.terminal;

import org.jspecify.annotations.NullMarked;
