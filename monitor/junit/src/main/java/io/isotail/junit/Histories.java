package io.isotail.junit;

import java.lang.ref.Cleaner;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The histories of this process, one for each checked data source that can still be used. One whose
 * data source nobody can reach any more goes when no test runs, so that a test which has made its
 * own is still told what happened.
 */
final class Histories {
  private static final List<CheckedHistory> ALL = new CopyOnWriteArrayList<>();
  private static final Cleaner CLEANER = Cleaner.create();
  private static final AtomicInteger BEGUN = new AtomicInteger();

  private Histories() {}

  /** A new one. */
  static CheckedHistory begin() {
    CheckedHistory history = new CheckedHistory("test-" + BEGUN.incrementAndGet());
    ALL.add(history);
    return history;
  }

  /** This is the data source of a history. */
  static void isOf(CheckedDataSource source, CheckedHistory history) {
    CLEANER.register(source, history::unreachable);
  }

  static List<CheckedHistory> all() {
    return ALL;
  }

  /** A test has ended. */
  static void forgetUnreachable() {
    if (!TestRun.any()) {
      ALL.removeIf(CheckedHistory::isUnreachable);
    }
  }
}
