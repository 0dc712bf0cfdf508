package io.isotail.incremental.reads;

import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/** Keys of transactions that have left the window, until no level holds these any more. */
final class HeldKeys {
  /** So many are looked at for each that is added, and for each sweep. */
  private static final int LOOKED_AT = 4;

  private static final class Entry {
    final long key;
    final Transaction transaction;

    Entry(long key, Transaction transaction) {
      this.key = key;
      this.transaction = transaction;
    }
  }

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();

  /** How many were added since the last sweep, which follows in the same step. */
  private int added;

  void add(long key, Transaction transaction) {
    entries.add(new Entry(key, transaction));
    added++;
  }

  /** Looks at some of them, and lets go those of whom nobody holds the transaction. */
  void sweep(LongConsumer letGo) {
    int most = Math.min(entries.size(), LOOKED_AT * (added + 1));
    added = 0;
    for (int i = 0; i < most; i++) {
      Entry oldest = entries.remove();
      if (oldest.transaction.held > 0) {
        entries.add(oldest);
      } else {
        letGo.accept(oldest.key);
      }
    }
  }

  void save(GraphWriter graph) {
    graph.out.count(entries.size());
    for (Entry each : entries) {
      graph.out.number(each.key);
      graph.transaction(each.transaction);
    }
  }

  /** Takes back what {@link #save} saved, and tells the key of each. */
  void load(GraphReader graph, LongConsumer loaded) {
    for (int n = graph.in.count(); n > 0; n--) {
      Entry entry = new Entry(graph.in.number(), graph.transaction());
      entries.add(entry);
      loaded.accept(entry.key);
    }
  }
}
