/**
 * A second opinion of a handful of transactions: whether they satisfy a level, by trying every
 * commit order that the definitions leave.
 *
 * <p>It shares nothing with the judge on purpose, as the judge shares nothing with the kernel: it
 * reads the history by itself ({@link io.isotail.incremental.judge.second.HistoryReading}, {@link
 * io.isotail.incremental.judge.second.SourcesOfReads}, {@link
 * io.isotail.incremental.judge.second.ListNeighbours}), and a test holds it to that. So a mistake
 * in what the judge takes for read, for committed or for listed is not made twice. It is slow and
 * short: no graph, no proof, no search but for trying.
 *
 * <p>Input: transactions as an open history. Output: violated or not. No state is kept between two
 * questions; any thread may ask. Bound: the caller's, since every schedule of the transactions is
 * tried from {@code prefix} on.
 */
@NullMarked
package io.isotail.incremental.judge.second;

import org.jspecify.annotations.NullMarked;
