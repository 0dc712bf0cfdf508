package io.isotail.monitor.bank;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What tellers have done. Thread-safe. */
final class BankCounters {
  /** Transactions and autocommit statements that committed. */
  final LongAdder committed = new LongAdder();

  /** Rolled back, whoever wanted it. */
  final LongAdder aborted = new LongAdder();

  /** Begun again after SQLSTATE 40001. */
  final LongAdder serializationFailures = new LongAdder();

  /** Begun again after SQLSTATE 40P01. */
  final LongAdder deadlocks = new LongAdder();

  /** Begun again because the version had changed meanwhile. */
  final LongAdder staleVersions = new LongAdder();

  /** Statements that a constraint refused. */
  final LongAdder refused = new LongAdder();

  /** Rollbacks to a savepoint. */
  final LongAdder savepoints = new LongAdder();

  /** Anything that a bank would be called at night for. */
  final LongAdder errors = new LongAdder();

  /**
   * The counts at one moment.
   *
   * @param serializationFailures begun again after SQLSTATE 40001
   * @param deadlocks begun again after SQLSTATE 40P01
   * @param staleVersions begun again because the version had changed
   */
  record Counts(
      long committed,
      long aborted,
      long serializationFailures,
      long deadlocks,
      long staleVersions,
      long refused,
      long savepoints,
      long errors) {
    private static final int FIELDS = 8;
    private static final Pattern LINE =
        Pattern.compile(
            "bank: (\\d+) committed, (\\d+) aborted, retried after (\\d+) 40001, (\\d+) 40P01,"
                + " (\\d+) stale versions, (\\d+) refused, (\\d+) savepoints, (\\d+) errors");

    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);

    /** Transactions begun again. */
    long retried() {
      return serializationFailures + deadlocks + staleVersions;
    }

    /** The counts as one line. */
    String line() {
      return String.format(
          Locale.ROOT,
          "bank: %d committed, %d aborted, retried after %d 40001, %d 40P01,"
              + " %d stale versions, %d refused, %d savepoints, %d errors",
          committed,
          aborted,
          serializationFailures,
          deadlocks,
          staleVersions,
          refused,
          savepoints,
          errors);
    }

    /** What {@link #line} wrote, or null if the line is another one. */
    static @Nullable Counts parse(String line) {
      Matcher m = LINE.matcher(line);
      if (!m.matches()) {
        return null;
      }
      long[] n = new long[FIELDS];
      for (int i = 0; i < FIELDS; i++) {
        n[i] = Long.parseLong(m.group(i + 1));
      }
      return new Counts(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    }
  }

  Counts now() {
    return new Counts(
        committed.sum(),
        aborted.sum(),
        serializationFailures.sum(),
        deadlocks.sum(),
        staleVersions.sum(),
        refused.sum(),
        savepoints.sum(),
        errors.sum());
  }
}
