package io.isotail.incremental.reads;

import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayDeque;

/** Transactions that have left the window, with what they wrote, until no level holds them. */
final class HeldWriters {
  /** So many are looked at for each that leaves the window. */
  private static final int LOOKED_AT = 2;

  /** The keys that a transaction wrote, each behind the number of its table. */
  private static final class Entry {
    final Transaction transaction;
    final long[] tablesAndKeys;

    Entry(Transaction transaction, long[] tablesAndKeys) {
      this.transaction = transaction;
      this.tablesAndKeys = tablesAndKeys;
    }

    void forEach(LeftWriters.KeyOfTable each) {
      for (int i = 0; i < tablesAndKeys.length; i += 2) {
        each.accept(tablesAndKeys[i], tablesAndKeys[i + 1]);
      }
    }
  }

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();

  /** A transaction that is held; nothing is noted of one that wrote nothing. */
  void add(Transaction transaction, long[] tablesAndKeys, LeftWriters.KeyOfTable added) {
    if (tablesAndKeys.length > 0) {
      Entry entry = new Entry(transaction, tablesAndKeys);
      entries.add(entry);
      entry.forEach(added);
    }
  }

  /** Looks at some of them, and lets go those that nobody holds. */
  void sweep(LeftWriters.KeyOfTable letGo) {
    for (int i = Math.min(entries.size(), LOOKED_AT); i > 0; i--) {
      Entry oldest = entries.remove();
      if (oldest.transaction.held > 0) {
        entries.add(oldest);
      } else {
        oldest.forEach(letGo);
      }
    }
  }

  void forEach(LeftWriters.KeyOfTable each) {
    entries.forEach(entry -> entry.forEach(each));
  }

  void save(GraphWriter graph) {
    graph.out.count(entries.size());
    for (Entry each : entries) {
      graph.transaction(each.transaction);
      graph.out.numbers(each.tablesAndKeys);
    }
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph) {
    for (int n = graph.in.count(); n > 0; n--) {
      entries.add(new Entry(graph.transaction(), graph.in.numbers()));
    }
  }
}
