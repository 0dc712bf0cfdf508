/**
 * The commands that need no log: {@code check}, {@code explain}, {@code convert}, {@code generate}
 * and {@code resolve}.
 *
 * <p>Input: options, files with histories or anomalies; of {@code resolve} a database too. Output:
 * files, text on the standard streams and an exit status. Owned by the main thread; a check reads
 * its file on a thread of its own. Bounds: the checker's window, whatever the size of a file;
 * {@code check --judge} keeps a whole file.
 */
@NullMarked
package io.isotail.monitor.offline;

import org.jspecify.annotations.NullMarked;
