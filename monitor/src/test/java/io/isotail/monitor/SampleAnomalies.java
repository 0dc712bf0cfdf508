package io.isotail.monitor;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Culprit;
import io.isotail.incremental.cause.Difference;
import io.isotail.incremental.cause.Dimension;
import io.isotail.incremental.cause.Fault;
import io.isotail.incremental.cause.HurtRow;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.cause.Root;
import io.isotail.incremental.cause.RootKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.verdict.Moment;
import io.isotail.ingest.format.ClearName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Anomalies as a checker would report them, made by hand. */
public final class SampleAnomalies {
  /** What the samples of a lost update have in common. */
  public static CauseReport cause(String history, String witness) {
    return cause(CAUSE, history, witness, "account", "billing");
  }

  /** A cause of its own, on this table and by this service. */
  public static CauseReport cause(
      String id, String history, String witness, String table, String service) {
    Moment first = new Moment(40, COMMIT_NS / 1_000_000 - 90_000);
    return new CauseReport(
        id,
        history,
        INCIDENT,
        1,
        IsolationLevel.SNAPSHOT_ISOLATION,
        AnomalyKind.LOST_UPDATE,
        List.of(
            new CausePart(
                table,
                "SELECT balance FROM %s WHERE id = ?".formatted(table),
                service,
                "POST /pay"),
            new CausePart(
                table,
                "UPDATE %s SET balance = ? WHERE id = ?".formatted(table),
                service,
                "POST /pay")),
        List.of("postgresql:read-committed"),
        Fault.APPLICATION,
        first,
        new Moment(42, COMMIT_NS / 1_000_000),
        1_204,
        1_310,
        8,
        witness,
        2,
        witness,
        new CauseReport.Timeline(first.appendTimeMs(), 1_000, List.of(3L, 0L, 1_307L)));
  }

  /** What that cause alone has brought about. */
  public static IncidentReport incident(CauseReport cause) {
    return new IncidentReport(
        cause.incident(),
        cause.history(),
        cause.slot(),
        new Root(
            RootKind.PROMISE,
            IsolationLevel.SNAPSHOT_ISOLATION,
            "postgresql:read-committed",
            false,
            null),
        List.of(new Culprit(cause.services().get(0), cause.endpoints().get(0), null)),
        cause.first(),
        cause.last(),
        cause.violations(),
        Map.of(cause.kind(), cause.violations()),
        List.of(cause.id()),
        1,
        new IncidentReport.Radius(
            23,
            false,
            Map.of(cause.tables().get(0), 23),
            List.of(new IncidentReport.StruckRow(new HurtRow(X, cause.tables().get(0), "x"), 9)),
            cause.occurrences(),
            20_455),
        new IncidentReport.Wave(1, "", cause.first()),
        null,
        List.of(),
        List.of(new Difference(Dimension.ENDPOINT, "POST /pay", 1_204, 1_204, 3_000, 19_251)),
        cause.timeline());
  }

  /** Id of the incident of that cause. */
  public static final String INCIDENT = "000decade000dead";

  /** Id of the cause of each sample. */
  public static final String CAUSE = "00c0ffee00c0ffee";

  /** End of the transaction that completed each of them. */
  public static final long COMMIT_NS = 1_790_000_000_000_000_000L;

  private static final long X = ClearName.hash("x");
  private static final long Y = ClearName.hash("y");
  private static final long BALANCE = ClearName.hash("balance");
  private static final Statement READ =
      new Statement("account", "SELECT id, balance, version FROM account WHERE id = ?");
  private static final Statement WRITE =
      new Statement("account", "UPDATE account SET balance = ?, version = ? WHERE id = ?");

  private SampleAnomalies() {}

  /** Causality violation: s3 read a version that it knew to be overwritten. */
  public static Anomaly causality(String id) {
    SessionInfo s1 = session("s1", "billing", 4711);
    SessionInfo s2 = session("s2", "checkout", 4712);
    SessionInfo s3 = session("s3", "reporting", 4713);
    CapsuleTransaction t1 =
        transaction(
            s1, 0, 12, 100, new Operations.Builder().statement(WRITE).write(X, 4).names("x", null));
    CapsuleTransaction t2 =
        transaction(
            s2,
            0,
            7,
            101,
            new Operations.Builder()
                .statement(READ)
                .read(X, 4)
                .names("x", null)
                .statement(WRITE)
                .write(X, 5)
                .names("x", null)
                .write(Y, 5)
                .names("y", null));
    CapsuleTransaction t3 =
        transaction(
            s3,
            0,
            31,
            102,
            new Operations.Builder()
                .statement(READ)
                .read(Y, 5)
                .names("y", null)
                .read(X, 4)
                .names("x", null));
    return new Anomaly(
        id,
        "shop",
        CAUSE,
        IsolationLevel.CAUSAL,
        AnomalyKind.CAUSALITY_VIOLATION,
        "G-single",
        "s3/31 read x=4 from s1/12 although s2/7, which it had already observed through y, had"
            + " overwritten it",
        List.of(
            new CycleEdge("s1/12", "s2/7", EdgeKind.WR, "x", "s2/7 read x=4, which s1/12 wrote"),
            new CycleEdge(
                "s2/7",
                "s1/12",
                EdgeKind.CO,
                "x",
                "s3/31 read x=4 from s1/12 and had observed s2/7, which wrote x too")),
        List.of(t1, t2, t3),
        new Proof.Cycle(
            List.of(
                Proof.Edge.read(0, 1, X, 0),
                new Proof.Edge(
                    1, 0, EdgeKind.CO, X, 2, 1, Proof.NONE, List.of(Proof.Edge.read(1, 2, Y, 0))))),
        null,
        "account",
        "reporting",
        102,
        COMMIT_NS);
  }

  /** Lost update: two transactions overwrote the same version. */
  public static Anomaly lostUpdate(String id, String history) {
    CapsuleTransaction t1 = readModifyWrite(session("s1", "billing", 4711), 3, 41);
    CapsuleTransaction t2 = readModifyWrite(session("s2", "billing", 4712), 9, 42);
    return new Anomaly(
        id,
        history,
        CAUSE,
        IsolationLevel.SNAPSHOT_ISOLATION,
        AnomalyKind.LOST_UPDATE,
        "G-single",
        "s1/3 and s2/9 both read balance=7 and both overwrote it",
        List.of(
            new CycleEdge("s1/3", "s2/9", EdgeKind.WW, "balance", "s2/9 overwrote s1/3's version"),
            new CycleEdge("s2/9", "s1/3", EdgeKind.RW, "balance", "s1/3 overwrote what s2/9 read")),
        List.of(t1, t2),
        new Proof.Split(0, 1, BALANCE, overwritten(0, 1), overwritten(1, 0)),
        null,
        "account",
        "billing",
        42,
        COMMIT_NS);
  }

  /** The anomaly as one of another cause, with another capsule. */
  public static Anomaly with(Anomaly anomaly, String cause, List<CapsuleTransaction> capsule) {
    return new Anomaly(
        anomaly.id(),
        anomaly.history(),
        cause,
        anomaly.level(),
        anomaly.kind(),
        anomaly.adya(),
        anomaly.explanation(),
        anomaly.cycle(),
        capsule,
        null,
        null,
        anomaly.table(),
        anomaly.service(),
        anomaly.offset(),
        anomaly.commitTimeNs());
  }

  /** The transaction with these times. */
  public static CapsuleTransaction at(CapsuleTransaction t, Times times) {
    return new CapsuleTransaction(
        t.name(),
        t.session(),
        t.position(),
        t.transaction(),
        t.outcome(),
        t.ranAt(),
        t.offset(),
        times,
        t.operations(),
        t.origin());
  }

  /**
   * Lost update between two sessions that overlap: the one from 0 to 3.2 ms, the other from 1.25 to
   * 5 ms after the same instant.
   */
  public static Anomaly lostUpdateWithTimes(String id, String history) {
    Anomaly plain = lostUpdate(id, history);
    CapsuleTransaction first = plain.capsule().get(0);
    CapsuleTransaction second = plain.capsule().get(1);
    return with(
        plain,
        CAUSE,
        List.of(
            at(first, new Times(COMMIT_NS, COMMIT_NS + 3_200_000, "c1")),
            at(second, new Times(COMMIT_NS + 1_250_000, COMMIT_NS + 5_000_000, "c1"))));
  }

  /** Lost update on a row of which nobody sent the key. */
  public static Anomaly hashed(String id, String history) {
    List<CapsuleTransaction> capsule = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      Operations operations =
          new Operations.Builder()
              .statement(READ)
              .read(BALANCE, 0x44cce85862c40973L)
              .statement(WRITE)
              .write(BALANCE, 0x7eb958199fd8db2fL + i)
              .build();
      capsule.add(
          at(
              transaction(session("s" + i, "billing", 4710 + i), 0, i, 40 + i, operations),
              new Times(COMMIT_NS + i * 90_000L, COMMIT_NS + 3_000_000 + i * 500_000L, "c1")));
    }
    return with(lostUpdate(id, history), CAUSE, capsule);
  }

  /** Many transactions, each in a session of its own, by two clocks, one of them not ended. */
  public static Anomaly manyTransactions(String id, String history, int transactions) {
    List<CapsuleTransaction> capsule = new ArrayList<>();
    for (int i = 0; i < transactions; i++) {
      long beginNs = COMMIT_NS + i * 700_000L;
      long endNs = i == 3 ? TransactionRecord.NO_TIME : beginNs + 2_000_000;
      capsule.add(
          at(
              readModifyWrite(session("s" + (i + 1), "billing", 4711 + i), i, 41 + i),
              new Times(beginNs, endNs, i % 2 == 0 ? "c1" : "c2")));
    }
    return with(lostUpdate(id, history), CAUSE, capsule);
  }

  /** An anomaly of this kind, with the witness of a lost update. */
  public static Anomaly of(String id, String history, IsolationLevel level, AnomalyKind kind) {
    Anomaly witness = lostUpdate(id, history);
    return new Anomaly(
        id,
        history,
        CAUSE,
        level,
        kind,
        witness.adya(),
        witness.explanation(),
        witness.cycle(),
        witness.capsule(),
        witness.proof(),
        null,
        witness.table(),
        witness.service(),
        witness.offset(),
        witness.commitTimeNs());
  }

  /** A read of a version that nobody wrote; its names try to break out of whatever shows them. */
  public static Anomaly hostileThinAirRead(String id) {
    String name = "</script><img src=x onerror=alert(1)>\" \\N & \u0007";
    CapsuleTransaction reader =
        transaction(
            session(name, name, 0),
            0,
            1,
            7,
            new Operations.Builder()
                .statement(new Statement(name, name))
                .read(1, 99)
                .names(name, name));
    return new Anomaly(
        id,
        name,
        CAUSE,
        IsolationLevel.READ_COMMITTED,
        AnomalyKind.THIN_AIR_READ,
        null,
        "nobody wrote " + name,
        List.of(),
        List.of(reader),
        null,
        "offsets 0 to 7, no gap, closed history",
        name,
        name,
        7,
        COMMIT_NS);
  }

  /** If the one overwrites first, the other had not seen that. */
  private static Proof overwritten(int first, int second) {
    return new Proof.Cycle(
        List.of(
            Proof.Edge.assumed(first, second, BALANCE),
            new Proof.Edge(
                second, first, EdgeKind.RW, BALANCE, second, 0, Proof.INITIAL, List.of())));
  }

  private static CapsuleTransaction readModifyWrite(
      SessionInfo session, long number, long version) {
    return transaction(
        session,
        0,
        number,
        version,
        new Operations.Builder()
            .statement(READ)
            .read(BALANCE, 7)
            .names("balance", null)
            .statement(WRITE)
            .write(BALANCE, version)
            .names("balance", null));
  }

  private static SessionInfo session(String name, String service, int pid) {
    return new SessionInfo(
        ClearName.hash(name), name, "p1", service, service + "-0", "db-1:5432", pid);
  }

  private static CapsuleTransaction transaction(
      SessionInfo session, long position, long number, long offset, Operations.Builder operations) {
    return transaction(session, position, number, offset, operations.build());
  }

  private static CapsuleTransaction transaction(
      SessionInfo session, long position, long number, long offset, Operations operations) {
    return new CapsuleTransaction(
        session.name() + "/" + number,
        session,
        position,
        number,
        Outcome.COMMITTED,
        "postgresql:repeatable-read",
        offset,
        Times.NONE,
        operations,
        new Origin(
            "shop", "/withdrawals/{account} Teller#withdraw", "0af7651916cd43dd8448eb211c80319c"));
  }
}
