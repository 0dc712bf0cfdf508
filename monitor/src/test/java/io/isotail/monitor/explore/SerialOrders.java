package io.isotail.monitor.explore;

import io.isotail.incremental.explore.ExploredHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Serializability of the transactions that have committed, by trying every order of them. */
final class SerialOrders {
  private SerialOrders() {}

  /**
   * Whether the transactions that committed can run one after another and read what they read;
   * those that rolled back are left out.
   */
  static boolean explainThoseCommitted(ExploredHistory history) {
    return explain(history, new ArrayList<>(), new HashMap<>());
  }

  private static boolean explain(
      ExploredHistory history, List<Integer> done, Map<String, Integer> writers) {
    boolean all = true;
    for (int t = 1; t <= history.transactions(); t++) {
      if (!history.committed(t) || done.contains(t)) {
        continue;
      }
      all = false;
      if (isNext(history, t, done) && readsFrom(history, t, writers)) {
        Map<String, Integer> after = new HashMap<>(writers);
        for (String written : history.end(t).writes().keySet()) {
          after.put(written, t);
        }
        done.add(t);
        boolean explained = explain(history, done, after);
        done.remove(Integer.valueOf(t));
        if (explained) {
          return true;
        }
      }
    }
    return all;
  }

  /** Whether those before it in its session are done; the final reads come after all. */
  private static boolean isNext(ExploredHistory history, int transaction, List<Integer> done) {
    boolean isLast = history.program().last() != null && transaction == history.transactions();
    for (int before = 1; before < transaction; before++) {
      boolean first = isLast || history.session(before) == history.session(transaction);
      if (first && history.committed(before) && !done.contains(before)) {
        return false;
      }
    }
    return true;
  }

  private static boolean readsFrom(
      ExploredHistory history, int transaction, Map<String, Integer> writers) {
    return history.reads(transaction).stream()
        .allMatch(read -> writers.getOrDefault(read.variable(), 0) == read.source());
  }
}
