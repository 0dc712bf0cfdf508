/**
 * The command line, and the commands that start something: the service, the demo, a workload; or
 * write into the log, or look at broker and database. Those that work on files are in {@code
 * offline}.
 *
 * <p>Input: arguments. Output: text on the standard streams and an exit status: 0 passed, 1
 * violation found (of {@code resolve}: a key not found; of {@code doctor}: something to mend), 2
 * bad usage or bad input, 3 undecided without a violation. Owned by the main thread. Bound: one
 * command a process.
 */
@NullMarked
package io.isotail.monitor.cli;

import org.jspecify.annotations.NullMarked;
