package io.isotail.monitor.serial;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.monitor.config.MonitorConfig;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What checkers that are configured as the monitor configures them make of a stream. */
final class SerialChecks {
  /** Windows, in transactions: one that forgets much, and the default. */
  static final List<String> WINDOWS = List.of("10", "");

  /** The promise for everybody; an empty one holds each transaction to what it ran at. */
  static final List<String> PROMISES = List.of("", "strict-serializable");

  private final boolean unique;
  private final List<SerialStream.Entry> log;

  SerialChecks(boolean unique, List<SerialStream.Entry> log) {
    this.unique = unique;
    this.log = log;
  }

  /**
   * An anomaly that was reported.
   *
   * @param promise empty, or the promise that the checker was told
   * @param window empty for the default
   */
  record Finding(String promise, String window, Anomaly anomaly) {
    /** Whether the row of what was planted is part of it. */
    boolean concerns(String table) {
      return anomaly.capsule().stream()
          .flatMap(t -> t.operations().statements().stream())
          .anyMatch(statement -> table.equals(statement.table()));
    }

    @Override
    public String toString() {
      return "promise %s, window %s: %s violates %s: %s%n%s"
          .formatted(
              promise.isEmpty() ? "by level" : promise,
              window.isEmpty() ? "default" : window,
              anomaly.kind().label(),
              anomaly.level().label(),
              anomaly.explanation(),
              capsule());
    }

    private String capsule() {
      StringBuilder text = new StringBuilder();
      anomaly.capsule().forEach(t -> text.append("    %s%n".formatted(SerialHistory.text(t))));
      return text.toString();
    }
  }

  /**
   * Reads of what another captured transaction wrote.
   *
   * @param decided those whose writer was decided
   * @param recorded those whose version is in that transaction's record
   * @param reads all of them; of the others the driver does not see the version that is written: by
   *     a relative update, a trigger, a statement that is not understood
   */
  record Share(long decided, long recorded, long reads) {
    static final Share NONE = new Share(0, 0, 0);

    Share plus(Share other) {
      return new Share(decided + other.decided, recorded + other.recorded, reads + other.reads);
    }

    /** Decided of those that are recorded, in percent. */
    double percent() {
      return 100.0 * decided / Math.max(1, recorded);
    }
  }

  /** Every anomaly that any checker reports. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (String promise : PROMISES) {
      for (String window : WINDOWS) {
        List<Anomaly> anomalies = new ArrayList<>();
        CheckerReport report = check(config(promise, window), log, anomalies);
        anomalies.forEach(anomaly -> findings.add(new Finding(promise, window, anomaly)));
        long counted =
            report.anomalies().values().stream()
                .flatMap(kinds -> kinds.values().stream())
                .mapToLong(Long::longValue)
                .sum();
        if (counted != anomalies.size() || report.pendingTransactions() > 0) {
          throw new IllegalStateException("%d anomalies told, %s".formatted(counted, report));
        }
      }
    }
    return findings;
  }

  /**
   * How many reads of these tables are decided of those that return what another captured
   * transaction wrote. A checker counts them alone, since it is shown no others.
   */
  Share coverage(Set<String> tables) {
    List<SerialStream.Entry> kept = new ArrayList<>();
    long recorded = 0;
    for (SerialStream.Entry entry : log) {
      if (entry.record() instanceof TransactionRecord t) {
        kept.add(entry.with(only(tables, t, entry.readsOfCaptured)));
        if (t.outcome() == Outcome.COMMITTED) {
          recorded += readsOf(tables, t, entry.readsOfRecorded);
        }
      } else {
        kept.add(entry);
      }
    }
    CheckerReport report = check(config("", ""), kept, new ArrayList<>());
    return new Share(report.readsDecided(), recorded, report.reads());
  }

  private static long readsOf(Set<String> tables, TransactionRecord record, BitSet among) {
    Operations ops = record.operations();
    return among.stream()
        .filter(i -> !ops.undone(i) && tables.contains(ops.statement(i).table()))
        .count();
  }

  private static TransactionRecord only(
      Set<String> tables, TransactionRecord record, BitSet readsOfCaptured) {
    Operations ops = record.operations();
    BitSet kept = new BitSet();
    for (int i = 0; i < ops.size(); i++) {
      String table = ops.statement(i).table();
      boolean here = table == null || tables.contains(table);
      kept.set(i, here && (ops.kind(i) != OperationKind.READ || readsOfCaptured.get(i)));
    }
    return SerialHistory.with(record, ops.only(kept));
  }

  private CheckerConfig config(String promise, String window) {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", "localhost:9");
    String prefix = "histories." + SerialSession.HISTORY + ".";
    if (unique) {
      settings.put(prefix + "unique-versions", "true");
    } else {
      settings.put(prefix + "counting-tables", "counted, " + Planting.TABLE);
    }
    if (!promise.isEmpty()) {
      settings.put(prefix + "promise", promise);
    }
    if (!window.isEmpty()) {
      settings.put(prefix + "window.transactions", window);
    }
    return MonitorConfig.of(settings)
        .history(SerialSession.HISTORY)
        .forChecker(SerialSession.HISTORY);
  }

  private static CheckerReport check(
      CheckerConfig config, List<SerialStream.Entry> log, List<Anomaly> anomalies) {
    Checker checker =
        new Checker(
            config,
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long occurrences) {}
            });
    long offset = 0;
    for (SerialStream.Entry entry : log) {
      checker.accept(offset++, entry.timeMs(), throughTheWire(entry.record()));
    }
    return checker.report();
  }

  private static StreamRecord throughTheWire(StreamRecord record) {
    try {
      return EventCodec.decode(EventCodec.encode(record)).get(0);
    } catch (BadRecordException e) {
      throw new AssertionError("the wire form does not hold " + record, e);
    }
  }
}
