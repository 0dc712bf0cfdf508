package io.isotail.ingest.benchmark;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Inputs at which a checker may take longer for each step the larger something is: each makes the
 * same input at several sizes. All but {@link #STUCK_SESSION} and {@link #GOING_BACK} satisfy every
 * level that they are checked at.
 */
enum CliffInputs {
  /** As many blind writers of one key as the size; one session reads newest to oldest. */
  NEWEST_TO_OLDEST("read", 500, 1_000, 2_000) {
    @Override
    CliffMeter run(int writers) {
      CliffMeter meter = new CliffMeter(file(IsolationLevel.CAUSAL));
      for (int w = 1; w <= writers; w++) {
        meter.feed(committed(w, 0, w, ops().write(X, w)));
      }
      boolean goOn = true;
      for (int v = writers; v >= 1 && goOn; v--) {
        goOn = meter.step(committed(READER, writers - v, NO_TIME, ops().read(X, v)));
      }
      return meter;
    }
  },

  /** Versions come late, and stand behind one that as many transactions read as the size. */
  WIDELY_READ_VERSION("inserted version", 1_000, 10_000, 100_000) {
    @Override
    CliffMeter run(int readers) {
      CliffMeter meter = new CliffMeter(file(IsolationLevel.SNAPSHOT_ISOLATION));
      meter.feed(committed(1, 0, 0, ops().write(X, 1)));
      for (int r = 0; r < readers; r++) {
        meter.feed(committed(READER + r % 100, r / 100, 10, ops().read(X, 1)));
      }
      meter.feed(committed(2, 0, 1_000_000, ops().write(X, 2)));
      boolean goOn = true;
      for (int w = 0; w < 50 && goOn; w++) {
        goOn = meter.step(committed(3 + w, 0, 100_000 - w, ops().write(X, 3 + w)));
      }
      return meter;
    }
  },

  /** As many proxies as the size; each in turn sends a heartbeat and a transaction. */
  PROXIES("record", 10, 400, 4_000) {
    @Override
    CliffMeter run(int proxies) {
      CheckerConfig config =
          CheckerConfig.forLive("cliffs")
              .withStrongest(IsolationLevel.CAUSAL)
              .withPromise(IsolationLevel.CAUSAL)
              .withClosed(true)
              .withUniqueVersions(true);
      CliffMeter meter = new CliffMeter(config);
      for (int p = 0; p < proxies; p++) {
        meter.feed(new Hello("p" + p, "service", "1", 1_000));
      }
      boolean goOn = true;
      for (int i = 0; i < 60_000 && goOn; i++) {
        int p = i % proxies;
        int n = i / proxies;
        Heartbeat heartbeat = new Heartbeat("p" + p, n, List.of());
        Operations.Builder ops = i < 5_000 ? ops() : ops().read(i % 5_000, i - 5_000);
        TransactionRecord update = record(p, "p" + p, n, NO_TIME, ops.write(i % 5_000, i));
        if (i < 20_000) {
          meter.feed(heartbeat);
          meter.feed(update);
        } else {
          goOn = meter.step(heartbeat) && meter.step(update);
        }
      }
      return meter;
    }
  },

  /** Of as many versions of a key as the size a session reads the last, and then the first. */
  MANY_VERSIONS("two reads", 2_500, 10_000, 40_000) {
    @Override
    CliffMeter run(int versions) {
      CliffMeter meter = new CliffMeter(file(IsolationLevel.SNAPSHOT_ISOLATION));
      for (int v = 1; v <= versions; v++) {
        meter.feed(committed(v, 0, v, ops().write(X, v)));
      }
      boolean goOn = true;
      int last = versions;
      for (int v = 1; v <= 20 && goOn; v++) {
        goOn =
            meter.step(
                committed(READER + v, 0, NO_TIME, ops().read(X, last)),
                committed(READER + v, 1, NO_TIME, ops().read(X, v)));
        last = v;
      }
      return meter;
    }
  },

  /** As many sessions as the size; what is read contradicts the order of delivery at once. */
  FIRST_CONTRADICTION("transaction", 50, 500, 5_000) {
    private static final int WINDOW = 100_000;
    private static final int KEYS = 10_000;

    @Override
    CliffMeter run(int sessions) {
      CliffMeter meter = new CliffMeter(file(IsolationLevel.CAUSAL).withWindow(WINDOW));
      Random random = new Random(1);
      long[] latest = new long[KEYS];
      IntFunction<TransactionRecord> update =
          n -> {
            Operations.Builder ops = ops();
            for (int i = 0; i < 4; i++) {
              int key = random.nextInt(KEYS);
              if (latest[key] > 0) {
                ops.read(key, latest[key]);
              }
            }
            for (int i = 0; i < 4; i++) {
              int key = random.nextInt(KEYS);
              latest[key] = 4L * n + i + 1;
              ops.write(key, latest[key]);
            }
            return committed(n % sessions, n / sessions, NO_TIME, ops);
          };
      int n = 0;
      while (n < WINDOW) {
        meter.feed(update.apply(n++));
      }
      meter.feed(committed(READER + 1, 0, NO_TIME, ops().write(X, 1)));
      meter.feed(committed(READER + 2, 0, NO_TIME, ops().write(X, 2)));
      meter.feed(committed(READER, 0, NO_TIME, ops().read(X, 2)));
      boolean goOn = meter.step(committed(READER, 1, NO_TIME, ops().read(X, 1)));
      for (int i = 0; i < 10_000 && goOn; i++) {
        goOn = meter.step(update.apply(n++));
      }
      return meter;
    }
  },

  /** A session that has seen a version reads the one before it, as many times as the size. */
  STUCK_SESSION("transaction", 2_000, 8_000, 32_000) {
    @Override
    CliffMeter run(int times) {
      CliffMeter meter = withReaderOfNewVersion();
      boolean goOn = true;
      for (int n = 1; n <= times && goOn; n++) {
        TransactionRecord back = committed(READER, n, 20 + n, ops().read(X, 1).write(X + n, n));
        if (n > times - MEASURED) {
          goOn = meter.step(back);
        } else {
          meter.feed(back);
        }
      }
      return meter;
    }
  },

  /** A session that reads a new version each time, and the one before it after that. */
  GOING_BACK("two transactions", 2_000, 8_000, 32_000) {
    @Override
    CliffMeter run(int times) {
      CliffMeter meter = withReaderOfNewVersion();
      boolean goOn = true;
      for (int n = 1; n < times && goOn; n += 2) {
        TransactionRecord back = committed(READER, n, 20 + n, ops().read(X, 1));
        TransactionRecord own = committed(READER, n + 1, 20 + n, ops().write(X + n, n));
        if (n > times - MEASURED) {
          goOn = meter.step(back, own);
        } else {
          meter.feed(back);
          meter.feed(own);
        }
      }
      return meter;
    }
  },

  /** As many transactions as the size have read a list of 500 elements, and more do. */
  LONG_LISTS("list read", 100, 1_000, 10_000) {
    private static final int ELEMENTS = 500;

    @Override
    CliffMeter run(int readers) {
      CliffMeter meter = new CliffMeter(file(IsolationLevel.SERIALIZABLE));
      for (int v = 1; v <= ELEMENTS; v++) {
        meter.feed(committed(1, v - 1, NO_TIME, ops().write(X, v)));
      }
      boolean goOn = true;
      for (int n = 0; n < readers + MEASURED && goOn; n++) {
        TransactionRecord read = committed(READER + n % 20, n / 20, NO_TIME, list(ELEMENTS));
        if (n >= readers) {
          goOn = meter.step(read);
        } else {
          meter.feed(read);
        }
      }
      return meter;
    }

    private static Operations.Builder list(int elements) {
      Operations.Builder ops = ops().add(OperationKind.LISTED, X, VersionKind.INITIAL, 0);
      for (int v = 1; v < elements; v++) {
        ops.add(OperationKind.LISTED, X, VersionKind.KNOWN, v);
      }
      return ops.read(X, elements);
    }
  };

  private static final long X = 1L << 40;
  private static final long READER = 1L << 30;
  private static final int MEASURED = 1_000;
  private static final long NO_TIME = TransactionRecord.NO_TIME;

  /** What is measured as one step. */
  final String step;

  private final int[] sizes;

  CliffInputs(String step, int... sizes) {
    this.step = step;
    this.sizes = sizes;
  }

  /** The sizes at which it is measured, ascending. */
  int[] sizes() {
    return sizes.clone();
  }

  /** Feeds it to a new checker, with that size. */
  abstract CliffMeter run(int size);

  /** The reader has seen the second of two versions. */
  private static CliffMeter withReaderOfNewVersion() {
    CliffMeter meter = new CliffMeter(file(IsolationLevel.SNAPSHOT_ISOLATION, 8));
    meter.feed(committed(1, 0, 0, ops().write(X, 1)));
    meter.feed(committed(2, 0, 10, ops().read(X, 1).write(X, 2)));
    meter.feed(committed(READER, 0, 20, ops().read(X, 2)));
    return meter;
  }

  private static CheckerConfig file(IsolationLevel strongest) {
    return CheckerConfig.forFile("cliffs", strongest).withWindow(200_000);
  }

  private static CheckerConfig file(IsolationLevel strongest, int proven) {
    return file(strongest).withProvenPerInterval(proven);
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private static TransactionRecord committed(
      long session, long sequence, long endNs, Operations.Builder ops) {
    return record(session, null, sequence, endNs, ops);
  }

  private static TransactionRecord record(
      long session, @Nullable String proxy, long sequence, long endNs, Operations.Builder ops) {
    boolean timed = endNs != NO_TIME;
    return new TransactionRecord(
        new SessionInfo(session, "s" + session, proxy, null, null, null, 0),
        sequence,
        sequence,
        0,
        Outcome.COMMITTED,
        null,
        timed ? endNs - 1 : NO_TIME,
        endNs,
        timed ? "clock" : null,
        ops.build());
  }
}
