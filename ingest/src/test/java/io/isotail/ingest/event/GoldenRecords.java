package io.isotail.ingest.event;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.NotCaptured.Kind;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Records, and the bytes that a schema gave them: one line of hex a record. */
final class GoldenRecords {

  private GoldenRecords() {}

  /** One record of each kind; {@code events-1.0.hex}. */
  static List<StreamRecord> all() {
    Operations operations =
        new Operations.Builder()
            .statement(new Statement("accounts", "select balance from accounts where id = ?"))
            .read(0x0123456789abcdefL, 7)
            .names("accounts/1", "v7")
            .readInitial(2)
            .statement(new Statement(null, "update t set a = ?"))
            .write(-1, -2)
            .writeUnknown(3)
            .add(OperationKind.READ, 5, VersionKind.UNKNOWN, 0)
            .undoFrom(3)
            .statement(null)
            .delete(4)
            .opaque()
            .build();
    SessionInfo full = new SessionInfo(-5, "s", "p-1", "shop", "shop-1", "db:5432", 4711);
    return List.of(
        new TransactionRecord(
            full, 3, 2, 1, Outcome.COMMITTED, "postgresql:serializable", 10, 20, "c1", operations),
        new TransactionRecord(
            SessionInfo.ofFile(1, "1"),
            0,
            0,
            0,
            Outcome.ABORTED,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            Operations.EMPTY),
        new TransactionRecord(
            full, 4, 3, 0, Outcome.OPEN, "causal", 30, TransactionRecord.NO_TIME, "c1", operations),
        new TransactionRecord(
            full, 5, 3, 1, Outcome.UNKNOWN, "causal", 30, 40, "c1", Operations.EMPTY),
        new Hello("p-1", "shop", "shop-1", 100),
        new Heartbeat("p-1", 9, List.of(new Heartbeat.OpenTransaction(-5, 6))),
        new Goodbye("p-1"),
        new Gap("p-1", 12),
        new Control(Map.of("window.transactions", "1000")));
  }

  /** What schema 1.1 added; {@code events-1.1.hex}. */
  static List<StreamRecord> since11() {
    Operations operations =
        new Operations.Builder()
            .statement(new Statement("accounts", "select balance from accounts where id = ?", true))
            .read(5, 757)
            .build();
    return List.of(
        new TransactionRecord(
            SessionInfo.ofFile(1, "1"),
            0,
            0,
            0,
            Outcome.COMMITTED,
            "postgresql:serializable",
            10,
            20,
            "c1",
            operations),
        new Hello("p-1", "shop", "shop-1", 100, 0x1_0000_02f5L));
  }

  /** What schema 1.2 added; {@code events-1.2.hex}. */
  static List<StreamRecord> since12() {
    return List.of(
        new Heartbeat(
            "p-1",
            9,
            List.of(new Heartbeat.OpenTransaction(-5, 6)),
            new CaptureCounts(
                "shop",
                12,
                List.of(
                    new NotCaptured(
                        "select count(*) from accounts", Kind.UNREAD, "aggregate", 3, 3),
                    new NotCaptured("truncate accounts", Kind.OPAQUE, "utility", 1, 0),
                    new NotCaptured("select * from totals", Kind.OUTSIDE, "not-observed", 2, 7),
                    new NotCaptured("", Kind.PARTLY, "late-row", 0, 4),
                    new NotCaptured("", Kind.REFUSED, "rewriting-refused", 1, 0)))));
  }

  /** What schema 1.3 added; {@code events-1.3.hex}. */
  static List<StreamRecord> since13() {
    return List.of(ranBy(new Origin("shop", "/orders/{id}", "0af7651916cd43dd8448eb211c80319c")));
  }

  /** What schema 1.4 added; {@code events-1.4.hex}. */
  static List<StreamRecord> since14() {
    return List.of(
        new Hello(
            "p-1", "shop", "shop-1", 100, 0x1_0000_02f5L, 0x7766_5544_3322_1100L, Hello.NOT_KNOWN));
  }

  /** What schema 1.5 added; {@code events-1.5.hex}. */
  static List<StreamRecord> since15() {
    return List.of(
        new Hello(
            "p-1", "shop", "shop-1", 100, 0x1_0000_02f5L, 0x7766_5544_3322_1100L, 0x1_0000_02f7L));
  }

  /** What schema 2.1 added; {@code events-2.1.hex}. */
  static List<StreamRecord> since21() {
    SessionInfo session =
        new SessionInfo(
            -5, "s", "p-1", "shop", "shop-1", "db:5432", 4711, 0x7766_5544_3322_1100L, 757);
    return List.of(
        new TransactionRecord(
            session,
            0,
            0,
            0,
            Outcome.COMMITTED,
            "postgresql:serializable",
            10,
            20,
            "c1",
            new Operations.Builder().statement(new Statement("t", "", true)).read(5, 758).build()));
  }

  /** What schema 2.2 added; {@code events-2.2.hex}. */
  static List<StreamRecord> since22() {
    return List.of(ranBy(new Origin("shop", "/orders/{id}", null, "shop 1.42")));
  }

  private static TransactionRecord ranBy(Origin origin) {
    return new TransactionRecord(
        SessionInfo.ofFile(1, "1"),
        0,
        0,
        0,
        Outcome.COMMITTED,
        "postgresql:serializable",
        10,
        20,
        "c1",
        Operations.EMPTY,
        origin);
  }

  /** What schema 2.0 writes together; {@code events-2.0.hex}. */
  static List<StreamRecord> since20() {
    List<StreamRecord> records = new ArrayList<>();
    for (List<StreamRecord> added : List.of(all(), since11(), since13())) {
      records.addAll(added.stream().filter(TransactionRecord.class::isInstance).toList());
    }
    return records;
  }

  /** What schema 3.0 added: a list read, of a list that shows all its versions. */
  static List<StreamRecord> since30() {
    Operations operations =
        new Operations.Builder()
            .add(OperationKind.LISTED, 1, VersionKind.INITIAL, 0)
            .add(OperationKind.LISTED, 1, VersionKind.KNOWN, 7)
            .read(1, 8)
            .build();
    return List.of(
        new TransactionRecord(
            SessionInfo.ofFile(1, "1"),
            0,
            0,
            0,
            Outcome.COMMITTED,
            null,
            10,
            20,
            "c1",
            operations));
  }

  /** What schema 4.0 added, and 1.6: what the log tells; {@code events-4.0.hex}. */
  static List<StreamRecord> since40() {
    LoggedTable table = new LoggedTable("t", List.of("a", "b"));
    Statement reads = new Statement("t", "SELECT b FROM t", false, false, List.of("b"));
    return List.of(
        new Heartbeat("p-1", 9, List.of(), null, 1_234),
        new LogStart("log-1", 0x3333, 758, Set.of("t")),
        new Changes(
            "log-1",
            0,
            758,
            true,
            List.of(
                new RowChange(table, 5, null, new long[] {-7, 8}),
                new RowChange(table, 6, new long[] {1, 2}, null))),
        new LogMark("log-1", 1),
        new TransactionRecord(
            SessionInfo.ofFile(1, "1"),
            0,
            0,
            0,
            Outcome.COMMITTED,
            "mariadb:repeatable-read",
            10,
            20,
            "c1",
            new Operations.Builder().statement(reads).read(5, 8).build()));
  }

  /** The lines of {@code events-<schema>.hex}. */
  static List<byte[]> checkedIn(String schema) throws IOException {
    String resource = "events-" + schema + ".hex";
    try (InputStream in = GoldenRecords.class.getResourceAsStream(resource)) {
      return new String(
              Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(HexFormat.of()::parseHex)
          .toList();
    }
  }

  /** Prints the lines of a new golden file, for a new schema version; old files stay. */
  public static void main(String[] args) {
    for (StreamRecord record : since40()) {
      System.out.println(HexFormat.of().formatHex(EventCodec.encode(record)));
    }
  }
}
