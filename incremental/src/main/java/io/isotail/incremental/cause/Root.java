package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the causes of an incident have in common, as far as one proof tells it.
 *
 * @param kind what it lies in
 * @param promised the level that the culprit was promised
 * @param ranAt the level that the culprit ran at, as recorded; with {@code others} the level that
 *     another transaction of the proof ran at. Null where not told
 * @param others whether the culprit ran at a level that forbids it, and another transaction did not
 * @param server host and port of a replica; null for other kinds and where not told
 */
public record Root(
    RootKind kind,
    IsolationLevel promised,
    @Nullable String ranAt,
    boolean others,
    @Nullable String server) {
  private static final String STANDBY = "-standby:";

  /**
   * Where a transaction ran.
   *
   * @param at the level, as recorded; null where not told
   * @param server host and port of the database, null where not told
   */
  public record Ran(@Nullable String at, @Nullable String server) {
    /** Where one of the window ran. */
    public static Ran of(Transaction t) {
      return new Ran(t.ranAt, t.session.info.databaseHost());
    }

    /** Where one of a proof ran. */
    public static Ran of(CapsuleTransaction t) {
      return new Ran(t.ranAt(), t.session().databaseHost());
    }

    /** Whether it is recorded that the server was a standby. */
    public boolean isOnStandby() {
      return at != null && at.contains(STANDBY);
    }
  }

  /**
   * The root that a proof shows.
   *
   * @param violated the level that it proves to be violated
   * @param culprit where the transaction ran that did what it should not have
   * @param capsule all transactions of the proof; may be none
   */
  static Root of(
      CheckerConfig config,
      AnomalyKind kind,
      IsolationLevel violated,
      Ran culprit,
      List<CapsuleTransaction> capsule) {
    IsolationLevel promised = config.promiseOf(culprit.at());
    Ran late = late(config, kind, culprit, capsule);
    if (late != null) {
      return new Root(RootKind.REPLICA, promised, late.at(), false, late.server());
    }
    if (kind.isOfEnd()) {
      return new Root(RootKind.DATABASE, promised, culprit.at(), false, null); // At every level.
    }
    boolean anyUnknown =
        capsule.isEmpty() || capsule.stream().anyMatch(t -> config.owedBy(t.ranAt()) == null);
    if (allows(config, culprit.at(), violated)) {
      return new Root(RootKind.PROMISE, promised, culprit.at(), false, null);
    }
    String others = weakestAllowing(config, violated, capsule);
    if (others != null) {
      return new Root(RootKind.PROMISE, promised, others, true, null);
    }
    RootKind of = anyUnknown ? RootKind.UNKNOWN : RootKind.DATABASE;
    return new Root(of, promised, culprit.at(), false, null);
  }

  private static boolean allows(
      CheckerConfig config, @Nullable String ranAt, IsolationLevel violated) {
    IsolationLevel owed = config.owedBy(ranAt);
    return owed != null && !owed.atLeast(violated);
  }

  private static @Nullable String weakestAllowing(
      CheckerConfig config, IsolationLevel violated, List<CapsuleTransaction> capsule) {
    return capsule.stream()
        .map(CapsuleTransaction::ranAt)
        .filter(ranAt -> allows(config, ranAt, violated))
        .filter(Objects::nonNull)
        .min(
            Comparator.comparingInt((String ranAt) -> strength(config, ranAt))
                .thenComparing(Comparator.naturalOrder()))
        .orElse(null);
  }

  private static int strength(CheckerConfig config, String ranAt) {
    IsolationLevel owed = config.owedBy(ranAt);
    return owed == null ? -1 : owed.ordinal();
  }

  /**
   * The transaction to which a standby showed a commit later than another server had; null where
   * the anomaly may have come about on one server. Of one server each statement sees what was
   * committed before it: so each transaction of the proof that reads more than once must have run
   * at a level that gives it a snapshot.
   */
  private static @Nullable Ran late(
      CheckerConfig config, AnomalyKind kind, Ran culprit, List<CapsuleTransaction> capsule) {
    Ran late =
        switch (kind) {
          case SESSION_GUARANTEE_VIOLATION, STALE_READ, CAUSALITY_VIOLATION ->
              culprit.isOnStandby() ? culprit : null;
          case LONG_FORK ->
              Stream.concat(Stream.of(culprit), capsule.stream().map(Ran::of))
                  .filter(Ran::isOnStandby)
                  .findFirst()
                  .orElse(null);
          default -> null;
        };
    boolean snapshots =
        capsule.stream().allMatch(t -> reads(t) < 2 || givesSnapshot(config, t.ranAt()));
    return snapshots ? late : null;
  }

  private static boolean givesSnapshot(CheckerConfig config, @Nullable String ranAt) {
    IsolationLevel owed = config.owedBy(ranAt);
    return owed != null && owed.atLeast(IsolationLevel.CAUSAL);
  }

  private static int reads(CapsuleTransaction t) {
    int reads = 0;
    for (int i = 0; i < t.operations().size(); i++) {
      reads += t.operations().kind(i) == OperationKind.READ ? 1 : 0;
    }
    return reads;
  }

  void save(StateWriter out) {
    out.constant(kind);
    out.constant(promised);
    out.text(ranAt);
    out.flag(others);
    out.text(server);
  }

  static Root load(StateReader in) {
    return new Root(
        in.constant(RootKind.class),
        in.constant(IsolationLevel.class),
        in.text(),
        in.flag(),
        in.text());
  }
}
