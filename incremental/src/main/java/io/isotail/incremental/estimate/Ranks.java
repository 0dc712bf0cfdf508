package io.isotail.incremental.estimate;

import it.unimi.dsi.fastutil.ints.IntArrays;

/** Which records are believed to have committed before which: a rank for each, from 0. */
final class Ranks {
  private final int[] ranks;
  private final int[] records;

  /** By how far each one's session had come. */
  Ranks(HistoryColumns history) {
    ranks = new int[history.records];
    records = new int[history.records];
    for (int i = 0; i < records.length; i++) {
      ranks[i] = i;
      records[i] = i;
    }
    sortBy(history.progress());
  }

  /** Ranks the records by a number; those with the same one as they were. */
  void sortBy(long[] numbers) {
    IntArrays.quickSort(
        records,
        (a, b) ->
            numbers[a] != numbers[b]
                ? Long.compare(numbers[a], numbers[b])
                : Integer.compare(ranks[a], ranks[b]));
    for (int rank = 0; rank < records.length; rank++) {
      ranks[records[rank]] = rank;
    }
  }

  int rank(int record) {
    return ranks[record];
  }

  int record(int rank) {
    return records[rank];
  }
}
