package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Alarms, passes and doubts against the truth, on random live histories with versions that come
 * back, rows from before capture, writers nobody captures, losses, several clocks, mixed promises.
 *
 * <p>{@code deploy/verify --campaign trust} runs more of them.
 */
final class TrustTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;

  private static final int UNCAPTURED_SESSIONS = 100_000;

  private final Figures figures = new Figures();

  /** What was seen over all runs. */
  private static final class Figures {
    long transactions;
    long alarms;
    long unproven;
    long violated;
    long beforeCapture;
    long alarmsOfBeforeCapture;
    long absent;
    long alarmsOfAbsence;
    final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
    final Map<UndecidedReason, Long> doubts = new EnumMap<>(UndecidedReason.class);
    final long[] reads = new long[5];
    final long[] decided = new long[5];
  }

  @Test
  void everyAlarmEveryPassAndEveryDoubtIsJustified() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      check(new TrustHistory(seed), seed);
    }
    print();
    assertThat(figures.alarms).isGreaterThan(HISTORIES / 30);
    assertThat(figures.violated).isGreaterThan(HISTORIES / 30);
    assertThat(figures.verdicts.get(Verdict.PASS)).isGreaterThan(HISTORIES);
    assertThat(figures.verdicts.get(Verdict.NOT_CHECKED)).isGreaterThan(HISTORIES);
  }

  @Test
  void whereVersionsNameTheirWritersToo() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      check(new TrustHistory(seed, true), seed);
    }
    print();
    assertThat(figures.alarms).isGreaterThan(HISTORIES / 30);
    assertThat(figures.beforeCapture).isGreaterThan(HISTORIES / 10);
    assertThat(figures.alarmsOfBeforeCapture).isGreaterThan(HISTORIES / 1_000);
    assertThat(figures.verdicts.get(Verdict.PASS)).isGreaterThan(HISTORIES);
  }

  private void check(TrustHistory history, long seed) {
    List<TransactionRecord> arrival =
        seed % 2 == 0 ? history.captured : RandomHistory.shuffled(history.captured, seed);
    double damage = seed % 3 == 0 ? 0.2 : 0;
    List<StreamRecord> stream =
        LiveStream.of(
            history.late ? secondProxyLate(arrival) : arrival,
            seed,
            damage,
            history.oldestRunning,
            history.nextIds,
            history.late,
            seed % 4 < 2 ? history.captured : List.of());
    Possible possible = new Possible(history, stream);
    CheckRun run = new CheckRun(history.config, seed);
    String message = "seed %d, %s%n%s".formatted(seed, history.config, stream);
    for (StreamRecord record : stream) {
      run.accept(1, record);
      noPassIsUnearned(run, history, message);
      everyDoubtIsPossible(run, possible, message);
    }
    run.finish();
    noPassIsUnearned(run, history, message);
    for (Anomaly anomaly : run.anomalies) {
      List<NaiveChecker.Input> proof = new ArrayList<>();
      for (CapsuleTransaction t : anomaly.capsule()) {
        NaiveChecker.Input captured = history.told.get(List.of(t.session().id(), t.transaction()));
        if (captured != null) {
          proof.add(captured);
        } else {
          assertThat(history.bindsAll().atLeast(anomaly.level())).as(message).isTrue();
          proof.add(
              history.realWriter(
                  history.writerOf(UNCAPTURED_SESSIONS + proof.size(), t.operations())));
        }
      }
      addOutsiders(anomaly, proof, history);
      if (anomaly.kind() == AnomalyKind.THIN_AIR_READ
          && stream.get((int) anomaly.offset()) instanceof TransactionRecord reader) {
        // Nobody wrote it, or somebody who rolled back a statement that was not understood.
        proof.add(history.truth.get(List.of(reader.session().id(), reader.transaction())));
      }
      if (stream.get((int) anomaly.offset()) instanceof TransactionRecord told) {
        assertThat(isHeldTo(anomaly, told, history.config))
            .as("told of %s: %s%n%s", told, anomaly, message)
            .isTrue();
      }
      noAlarmIsFalse(anomaly, afterCaptureBegan(anomaly, proof, history), history, message);
    }
    count(run, history);
  }

  /**
   * Whether nobody is held to more than he was promised: he who is told of to the level, and each
   * reader of an inferred edge to one that infers it.
   */
  private static boolean isHeldTo(Anomaly anomaly, TransactionRecord told, CheckerConfig config) {
    boolean infersItself = false;
    if (anomaly.proof() instanceof Proof.Cycle cycle) {
      for (Proof.Edge edge : cycle.edges()) {
        if (edge.kind() == EdgeKind.CO) {
          CapsuleTransaction reader = anomaly.capsule().get(edge.reader());
          if (!config.promiseOf(reader.ranAt()).atLeast(Judge.weakestThatInfers(edge))) {
            return false;
          }
          infersItself |= reader.offset() == anomaly.offset();
        }
      }
    }
    return infersItself || config.promiseOf(told.ranAt()).atLeast(anomaly.level());
  }

  /** Who really wrote what two transactions read, where the proof does not ask for that. */
  private static void addOutsiders(
      Anomaly anomaly, List<NaiveChecker.Input> proof, TrustHistory history) {
    if (!(anomaly.proof() instanceof Proof.Cycle cycle)) {
      return;
    }
    for (Proof.Edge edge : cycle.edges()) {
      if (edge.kind() == EdgeKind.RW && edge.source() == Proof.NONE) {
        Operations reader = anomaly.capsule().get(edge.from()).operations();
        Operations write =
            new Operations.Builder().write(edge.key(), reader.version(edge.operation())).build();
        proof.add(history.realWriter(history.writerOf(UNCAPTURED_SESSIONS + proof.size(), write)));
      }
    }
  }

  /** Half of what the first proxy has to tell comes first. */
  private static List<TransactionRecord> secondProxyLate(List<TransactionRecord> arrival) {
    List<TransactionRecord> first = new ArrayList<>();
    for (TransactionRecord t : arrival) {
      if (t.session().id() % 2 == 0 && first.size() < arrival.size() / 2) {
        first.add(t);
      }
    }
    List<TransactionRecord> all = new ArrayList<>(first);
    arrival.stream().filter(t -> !first.contains(t)).forEach(all::add);
    return all;
  }

  /**
   * What really happened, if the proof takes versions of before capture for the initial ones: their
   * writers came first.
   */
  private List<NaiveChecker.Input> afterCaptureBegan(
      Anomaly anomaly, List<NaiveChecker.Input> proof, TrustHistory history) {
    boolean taken = false;
    boolean byFirst = true;
    for (CapsuleTransaction t : anomaly.capsule()) {
      boolean captured = history.truth.containsKey(List.of(t.session().id(), t.transaction()));
      byFirst &= !captured || t.session().id() % 2 == 0;
      for (int i = 0; i < t.operations().size(); i++) {
        taken |= t.operations().beforeCapture(i);
      }
    }
    if (!taken) {
      return withWritersOfAbsentKeys(anomaly, proof, history);
    }
    figures.alarmsOfBeforeCapture++;
    List<NaiveChecker.Input> mapped = new ArrayList<>();
    for (NaiveChecker.Input t : proof) {
      boolean before =
          t.operations().size() == 1
              && t.operations().kind(0) == OperationKind.WRITE
              && history.isBeforeCapture(t.operations().version(0), byFirst);
      if (!before) {
        mapped.add(history.withoutBeforeCapture(t, key -> true, byFirst));
      }
    }
    return mapped;
  }

  /**
   * With everybody who really wrote a key whose absence the proof takes for its initial version,
   * captured or not, and whom those read from.
   */
  private List<NaiveChecker.Input> withWritersOfAbsentKeys(
      Anomaly anomaly, List<NaiveChecker.Input> proof, TrustHistory history) {
    Set<Long> absent = new HashSet<>();
    for (CapsuleTransaction t : anomaly.capsule()) {
      for (int i = 0; i < t.operations().size(); i++) {
        if (t.operations().isSurelyAbsent(i)) {
          absent.add(t.operations().key(i));
        }
      }
    }
    if (absent.isEmpty()) {
      return proof;
    }
    figures.alarmsOfAbsence++;
    List<NaiveChecker.Input> all = new ArrayList<>(proof);
    for (NaiveChecker.Input other : history.truth.values()) {
      boolean writes =
          IntStream.range(0, other.operations().size())
              .anyMatch(
                  i -> other.operations().isWrite(i) && absent.contains(other.operations().key(i)));
      boolean has =
          all.stream()
              .anyMatch(t -> t.session() == other.session() && t.position() == other.position());
      if (writes && !has) {
        all.add(other);
      }
    }
    return all;
  }

  /**
   * What really happened in the transactions that prove it violates the level too, be it that they
   * read what was rolled back: a version that an aborted attempt and its retry share is taken for
   * that of the retry, and if it was not, every level is violated all the same.
   */
  private static void noAlarmIsFalse(
      Anomaly anomaly, List<NaiveChecker.Input> proof, TrustHistory history, String message) {
    List<NaiveChecker.Input> cut = new ArrayList<>(proof);
    for (NaiveChecker.Input other : history.truth.values()) {
      boolean wasRead = cut.stream().anyMatch(t -> reads(t.operations(), other.operations()));
      boolean readAborted =
          cut.stream()
              .filter(t -> t.outcome() == Outcome.ABORTED)
              .anyMatch(t -> reads(other.operations(), t.operations()));
      boolean dirty = (other.outcome() == Outcome.ABORTED && wasRead) || readAborted;
      if (dirty && !cut.contains(other)) {
        cut.add(other);
      }
    }
    assertThat(NaiveChecker.satisfies(cut, anomaly.level(), false, history.uncertaintyNs()))
        .as("false alarm %s, %s", anomaly, message)
        .isFalse();
  }

  private static boolean reads(Operations reader, Operations writer) {
    for (int r = 0; r < reader.size(); r++) {
      for (int w = 0; w < writer.size(); w++) {
        if (reader.kind(r) == OperationKind.READ
            && writer.kind(w) == OperationKind.WRITE
            && reader.versionKind(r) == VersionKind.KNOWN
            && reader.key(r) == writer.key(w)
            && reader.version(r) == writer.version(w)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * What really happened in the transactions of the window satisfies every level that passes. One
   * whose outcome was never learnt ends never.
   */
  private void noPassIsUnearned(CheckRun run, TrustHistory history, String message) {
    List<NaiveChecker.Input> cut = new ArrayList<>();
    List<NaiveChecker.Input> uncaptured = new ArrayList<>();
    IsolationLevel least = IsolationLevel.STRICT_SERIALIZABLE;
    boolean byFirst = true;
    for (Transaction t : run.checker.delivered()) {
      byFirst &= t.uncaptured() || t.session.info.id() % 2 == 0;
    }
    for (Transaction t : run.checker.delivered()) {
      if (t.uncaptured()) {
        // Where versions are forgotten, the writer may be one that has left the window.
        if (history.config.retiredVersions() < history.captured.size()) {
          continue;
        }
        uncaptured.add(history.writerOf(UNCAPTURED_SESSIONS + uncaptured.size(), t.operations));
        continue;
      }
      NaiveChecker.Input real = history.truth.get(List.of(t.session.info.id(), t.number));
      NaiveChecker.Input told =
          new NaiveChecker.Input(
              real.session(), real.position(), Outcome.COMMITTED, t.times, real.operations());
      cut.add(history.withoutBeforeCapture(told, takenForInitial(t)::contains, byFirst));
      least = least.weakerOf(t.promise);
    }
    IsolationLevel strongest = null;
    for (IsolationLevel level : IsolationLevel.values()) {
      Verdict verdict = run.report.verdicts().get(level);
      figures.verdicts.merge(verdict, 1L, Long::sum);
      if (verdict == Verdict.PASS) {
        assertThat(least.atLeast(level)).as("%s passes, %s", level, message).isTrue();
        strongest = level;
      }
    }
    if (strongest != null) {
      assertThat(NaiveChecker.satisfies(cut, strongest, false, history.uncertaintyNs()))
          .as("unearned pass at %s, %s%n%s", strongest, run.report.levels(), message)
          .isTrue();
      cut.addAll(uncaptured);
      IsolationLevel bound = strongest.weakerOf(history.bindsAll());
      assertThat(NaiveChecker.satisfies(cut, bound, false, history.uncertaintyNs()))
          .as("unearned pass at %s, %s%n%s", bound, run.report.levels(), message)
          .isTrue();
    } else if (!cut.isEmpty()) {
      boolean violates = !NaiveChecker.satisfies(cut, IsolationLevel.CAUSAL, false);
      figures.violated += violates ? 1 : 0;
    }
  }

  /** The keys of which the transaction is taken to have read what was there before capture. */
  private Set<Long> takenForInitial(Transaction t) {
    Set<Long> keys = new HashSet<>();
    for (int i = 0; i < t.operations.size(); i++) {
      if (t.operations.beforeCapture(i)) {
        keys.add(t.operations.key(i));
      }
      figures.absent += t.operations.isSurelyAbsent(i) ? 1 : 0;
    }
    figures.beforeCapture += keys.isEmpty() ? 0 : 1;
    return keys;
  }

  private void everyDoubtIsPossible(CheckRun run, Possible possible, String message) {
    run.report
        .levels()
        .forEach(
            (level, said) -> {
              if (said.verdict() == Verdict.UNDECIDED) {
                assertThat(said.doubts()).as("%s, %s", level, message).isNotEmpty();
              }
              for (UndecidedReason reason : said.doubts().keySet()) {
                figures.doubts.merge(reason, 1L, Long::sum);
                assertThat(possible.is(reason)).as("%s at %s, %s", reason, level, message).isTrue();
              }
            });
  }

  /** Which doubts a stream can give rise to, told from its records and what is declared alone. */
  private static final class Possible {
    private final CheckerConfig config;
    private final boolean namesWriters;
    private final List<TransactionRecord> transactions = new ArrayList<>();
    private final List<StreamRecord> stream;

    Possible(TrustHistory history, List<StreamRecord> stream) {
      this.config = history.config;
      this.namesWriters = history.namesWriters;
      this.stream = stream;
      for (StreamRecord record : stream) {
        if (record instanceof TransactionRecord t) {
          transactions.add(t);
        }
      }
    }

    boolean is(UndecidedReason reason) {
      boolean repeats = !config.uniqueVersions() || namesWriters;
      return switch (reason) {
        case UNKNOWN_WRITER -> !config.closed() && any(Possible::readsKnown);
        case LOST_RECORDS, LOST_CHUNK -> isLossy();
        case UNKNOWN_VERSION -> namesWriters || any(t -> has(t, VersionKind.UNKNOWN));
        case OPAQUE_WRITE -> any(t -> has(t, OperationKind.OPAQUE));
        case ABSENCE ->
            any(t -> has(t, VersionKind.INITIAL))
                && (any(t -> has(t, OperationKind.DELETE))
                    || (config.deletes() && !config.closed()));
        case AMBIGUOUS_WRITER -> repeats || any(t -> t.outcome() == Outcome.UNKNOWN) || isLossy();
        case NO_TIMES -> any(t -> t.clock() == null);
        case CLOCKS_NOT_COMPARED ->
            config.clockUncertaintyNs() == CheckerConfig.NEVER_COMPARED && clocks().size() > 1;
        case CAPACITY -> config.closed() && config.windowTransactions() < transactions.size();
        case LATE_WRITER -> repeats || isLossy();
        case LATE_END -> config.windowTransactions() < transactions.size() || anyEndsOutOfOrder();
        case WEAKER_WRITER -> true; // Of mixed levels alone, which MixedPromisesTest has.
        case UNPROVEN -> repeats || config.windowTransactions() < transactions.size();
        default -> false;
      };
    }

    private boolean any(Predicate<TransactionRecord> test) {
      return transactions.stream().anyMatch(test);
    }

    private Set<String> clocks() {
      Set<String> clocks = new HashSet<>();
      transactions.forEach(t -> clocks.add(String.valueOf(t.clock())));
      return clocks;
    }

    private boolean anyEndsOutOfOrder() {
      long latest = Long.MIN_VALUE;
      boolean outOfOrder = false;
      for (TransactionRecord t : transactions) {
        outOfOrder |= t.endNs() < latest;
        latest = Math.max(latest, t.endNs());
      }
      return outOfOrder;
    }

    private boolean isLossy() {
      Map<Long, Long> next = new java.util.HashMap<>();
      boolean lossy = false;
      for (StreamRecord record : stream) {
        lossy |= record instanceof Gap;
        if (record instanceof TransactionRecord t) {
          long expected = next.getOrDefault(t.session().id(), 0L);
          lossy |= t.sequence() > expected;
          next.put(t.session().id(), Math.max(expected, t.sequence() + 1));
        }
      }
      return lossy;
    }

    private static boolean readsKnown(TransactionRecord t) {
      return any(
          t.operations(),
          (ops, i) -> ops.kind(i) == OperationKind.READ && ops.versionKind(i) == VersionKind.KNOWN);
    }

    private static boolean has(TransactionRecord t, VersionKind kind) {
      return any(
          t.operations(),
          (ops, i) -> ops.kind(i) != OperationKind.OPAQUE && ops.versionKind(i) == kind);
    }

    private static boolean has(TransactionRecord t, OperationKind kind) {
      return any(t.operations(), (ops, i) -> ops.kind(i) == kind);
    }

    private interface OperationTest {
      boolean test(Operations ops, int i);
    }

    private static boolean any(Operations ops, OperationTest test) {
      for (int i = 0; i < ops.size(); i++) {
        if (test.test(ops, i)) {
          return true;
        }
      }
      return false;
    }
  }

  private void count(CheckRun run, TrustHistory history) {
    int closed = history.config.closed() ? 0 : 1;
    int scheme =
        history.namesWriters ? 3 + closed : history.config.uniqueVersions() ? 0 : 1 + closed;
    figures.transactions += history.captured.size();
    figures.alarms += run.anomalies.size();
    figures.unproven += run.report.undecided().getOrDefault(UndecidedReason.UNPROVEN, 0L);
    figures.reads[scheme] += run.report.reads();
    figures.decided[scheme] += run.report.readsDecided();
  }

  private void print() {
    System.out.printf(
        "seeds %d to %d: %,d transactions; %,d alarms, none false, %d more unproven; verdicts %s,"
            + " none unearned, %,d in windows that violate causal; doubts %s%n",
        FIRST_SEED,
        FIRST_SEED + HISTORIES - 1,
        figures.transactions,
        figures.alarms,
        figures.unproven,
        figures.verdicts,
        figures.violated,
        figures.doubts);
    System.out.printf(
        "%,d times, a transaction of the window read versions of before capture; %,d alarms do%n"
            + "%,d times, an absence of the window is initial; %,d alarms rest on one%n",
        figures.beforeCapture,
        figures.alarmsOfBeforeCapture,
        figures.absent,
        figures.alarmsOfAbsence);
    String[] schemes = {
      "unique",
      "closed, counting or not",
      "open, counting or not",
      "names of writers, closed",
      "names of writers, open"
    };
    for (int i = 0; i < schemes.length; i++) {
      System.out.printf(
          "reads decided where versions are %s: %,d of %,d%n",
          schemes[i], figures.decided[i], figures.reads[i]);
    }
  }
}
