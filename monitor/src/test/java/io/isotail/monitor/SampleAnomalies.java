package io.isotail.monitor;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Fault;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.verdict.Moment;
import io.isotail.ingest.format.ClearName;
import java.util.List;

/** Anomalies as a checker would report them, made by hand. */
public final class SampleAnomalies {
  /** What the samples of a lost update have in common. */
  public static CauseReport cause(String history, String witness) {
    Moment first = new Moment(40, COMMIT_NS / 1_000_000 - 90_000);
    return new CauseReport(
        CAUSE,
        history,
        1,
        IsolationLevel.SNAPSHOT_ISOLATION,
        AnomalyKind.LOST_UPDATE,
        List.of(
            new CausePart(
                "account", "SELECT balance FROM account WHERE id = ?", "billing", "POST /pay"),
            new CausePart(
                "account", "UPDATE account SET balance = ? WHERE id = ?", "billing", "POST /pay")),
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
    return new CapsuleTransaction(
        session.name() + "/" + number,
        session,
        position,
        number,
        Outcome.COMMITTED,
        "postgresql:repeatable-read",
        offset,
        Times.NONE,
        operations.build(),
        new Origin(
            "shop", "/withdrawals/{account} Teller#withdraw", "0af7651916cd43dd8448eb211c80319c"));
  }
}
