package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.events.Conflict;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.reads.BadRead;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.Edge;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Txn;
import io.isotail.incremental.window.Window;
import it.unimi.dsi.fastutil.longs.Long2LongLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns each left-out thing into one anomaly, counts its repeats, and keeps the weakest level that
 * was violated.
 *
 * <p>An anomaly whose capsule does not violate the level by itself is not reported; it counts as
 * undecided.
 */
public final class AnomalyReporter {
  /** Anomalies whose repeats are counted; the oldest is forgotten first. */
  static final int MAX_REMEMBERED = 100_000;

  private final String history;
  private final long clockUncertaintyNs;
  private final IsolationLevel strongest;
  private final Window window;
  private final Counters counters;
  private final AnomalyListener listener;
  private final Long2LongLinkedOpenHashMap occurrences = new Long2LongLinkedOpenHashMap();
  private final Map<IsolationLevel, Map<AnomalyKind, Long>> counts =
      new EnumMap<>(IsolationLevel.class);
  private final LongOpenHashSet staleInitials = new LongOpenHashSet();
  private @Nullable Txn lastReader;
  private @Nullable IsolationLevel weakest;

  /** Place of the last transaction when the level was violated last, -1 if it never was. */
  private final long[] violatedAt = new long[IsolationLevel.values().length];

  /**
   * Reports to {@code listener}.
   *
   * @param strongest strongest level up to {@code causal} that is checked
   */
  public AnomalyReporter(
      CheckerConfig config,
      IsolationLevel strongest,
      Window window,
      Counters counters,
      AnomalyListener listener) {
    this.history = config.history();
    this.clockUncertaintyNs = config.clockUncertaintyNs();
    this.strongest = strongest;
    this.window = window;
    this.counters = counters;
    this.listener = listener;
    Arrays.fill(violatedAt, -1);
  }

  /** A read broke an axiom of read consistency. */
  public void badRead(BadRead bad) {
    Txn reader = bad.reader();
    long id = AnomalyId.ofRead(history, bad.kind(), reader, bad.operation());
    if (repeated(id, IsolationLevel.READ_COMMITTED)) {
      return;
    }
    boolean thinAir = bad.kind() == AnomalyKind.THIN_AIR_READ;
    List<CapsuleTransaction> proof = List.of();
    if (!thinAir) {
      Capsule capsule = new Capsule(IsolationLevel.READ_COMMITTED, strongest);
      capsule.addBadRead(reader, bad.operation(), bad.ownWrite(), bad.source());
      proof = capsule.build();
      if (proof.isEmpty()) {
        counters.undecided(UndecidedReason.UNPROVEN);
        return;
      }
    }
    report(
        id,
        IsolationLevel.READ_COMMITTED,
        bad.kind(),
        CycleNames.adya(bad.kind()),
        Explanation.of(bad),
        List.of(),
        proof,
        thinAir
            ? "the history is closed, and no record up to offset %d was lost"
                .formatted(reader.offset)
            : null,
        reader,
        bad.operation());
  }

  /**
   * An edge would close a cycle and was left out.
   *
   * @param observer the transaction whose delivery brought it about
   */
  public void cycle(Edge edge, IsolationLevel level, Txn observer) {
    long id = AnomalyId.ofEdge(history, level, edge.from, edge.to, edge.key);
    if (repeated(id, level)) {
      return;
    }
    List<Step> path = PathSearch.ordered(edge.to, edge.from, level);
    if (path == null) {
      counters.undecided(UndecidedReason.UNPROVEN);
      return;
    }
    List<Step> cycle = new ArrayList<>(path);
    cycle.add(Step.of(edge));
    cycle(id, cycle, level, observer);
  }

  /** A read of the initial version, by {@code reader}, of a key that it had observed a write of. */
  public void staleInitial(Txn earlier, long key, Txn reader, IsolationLevel level) {
    if (reader != lastReader) {
      lastReader = reader;
      staleInitials.clear();
    }
    // What a reader violates at a weaker level is not a new violation at a stronger one.
    long thing =
        AnomalyId.ofEdge(history, IsolationLevel.READ_COMMITTED, earlier, Txn.INITIAL, key);
    if (!staleInitials.add(thing)) {
      return;
    }
    for (IsolationLevel weaker : IsolationLevel.values()) {
      if (weaker.compareTo(level) <= 0
          && repeated(AnomalyId.ofEdge(history, weaker, earlier, Txn.INITIAL, key), weaker)) {
        return;
      }
    }
    List<Step> cycle =
        List.of(
            new Step(Txn.INITIAL, earlier, EdgeKind.SO, 0, null, IsolationLevel.READ_COMMITTED),
            new Step(earlier, Txn.INITIAL, EdgeKind.CO, key, reader, level));
    cycle(AnomalyId.ofEdge(history, level, earlier, Txn.INITIAL, key), cycle, level, reader);
  }

  /**
   * Transactions wait for each other in a circle; the read of {@code reader} from {@code writer} is
   * left out.
   *
   * @param cycle in the order so ∪ wr
   */
  public void causalityCycle(List<Txn> cycle, Txn writer, Txn reader) {
    long id = AnomalyId.ofCausalityCycle(history, reader, writer);
    if (repeated(id, IsolationLevel.READ_COMMITTED)) {
      return;
    }
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < cycle.size(); i++) {
      Txn from = cycle.get(i);
      Txn to = cycle.get((i + 1) % cycle.size());
      EdgeKind kind = to.soPrev == from ? EdgeKind.SO : EdgeKind.WR;
      Step step = new Step(from, to, kind, 0, null, IsolationLevel.READ_COMMITTED);
      int last = steps.size() - 1;
      if (kind == EdgeKind.SO && last >= 0 && steps.get(last).kind() == EdgeKind.SO) {
        steps.set(last, steps.get(last).andThen(step));
      } else {
        steps.add(step);
      }
    }
    cycle(id, steps, IsolationLevel.READ_COMMITTED, reader);
  }

  /**
   * {@code reader} read from {@code writer}, which happens after the reader's session successor;
   * the read is left out.
   */
  public void causalityCycle(Txn reader, Txn successor, Txn writer) {
    long id = AnomalyId.ofCausalityCycle(history, reader, writer);
    if (repeated(id, IsolationLevel.READ_COMMITTED)) {
      return;
    }
    IsolationLevel weakLevel = IsolationLevel.READ_COMMITTED;
    List<Step> cycle = new ArrayList<>();
    cycle.add(new Step(reader, successor, EdgeKind.SO, 0, null, weakLevel));
    if (writer != successor) {
      List<Step> path = PathSearch.causal(successor, writer, strongest);
      if (path == null) {
        counters.undecided(UndecidedReason.UNPROVEN);
        return;
      }
      cycle.addAll(path);
    }
    cycle.add(new Step(writer, reader, EdgeKind.WR, 0, null, weakLevel));
    cycle(id, cycle, weakLevel, reader);
  }

  /** A transaction with which no order of the versions satisfies a level any more. */
  public void violation(Txn newest, IsolationLevel level, Conflict conflict) {
    long id = AnomalyId.ofTransaction(history, level, newest);
    if (repeated(id, level)) {
      return;
    }
    StrongWitness witness = new StrongWitness(level, clockUncertaintyNs, conflict);
    List<CapsuleTransaction> proof = witness.capsule();
    if (proof.isEmpty()) {
      counters.undecided(UndecidedReason.UNPROVEN);
      return;
    }
    StrongExplanation told = new StrongExplanation(level, clockUncertaintyNs, conflict, proof);
    report(
        id,
        level,
        told.kind(),
        told.adya(),
        told.sentence(),
        told.cycle(),
        proof,
        null,
        newest,
        -1);
  }

  /** The weakest level that an anomaly violates, or null. */
  public @Nullable IsolationLevel weakestViolated() {
    return weakest;
  }

  /** The weakest level that was violated since the window's oldest transaction, or null. */
  public @Nullable IsolationLevel weakestViolatedInWindow() {
    for (IsolationLevel level : IsolationLevel.values()) {
      if (violatedAt[level.ordinal()] >= window.oldestPlace()) {
        return level;
      }
    }
    return null;
  }

  /** Distinct anomalies by level and kind. */
  public Map<IsolationLevel, Map<AnomalyKind, Long>> counts() {
    Map<IsolationLevel, Map<AnomalyKind, Long>> copy = new EnumMap<>(IsolationLevel.class);
    counts.forEach((level, kinds) -> copy.put(level, Map.copyOf(kinds)));
    return copy;
  }

  private void cycle(long id, List<Step> cycle, IsolationLevel level, Txn observer) {
    Capsule capsule = new Capsule(level, strongest);
    capsule.addCycle(cycle);
    List<CapsuleTransaction> proof = capsule.build();
    if (proof.isEmpty()) {
      counters.undecided(UndecidedReason.UNPROVEN);
      return;
    }
    WeakExplanation told = new WeakExplanation(cycle, level, strongest);
    List<CycleEdge> edges = new ArrayList<>();
    for (Step step : cycle) {
      edges.add(
          new CycleEdge(
              step.from().name(),
              step.to().name(),
              step.kind(),
              keyOf(step),
              Explanation.because(step)));
    }
    int operation = -1;
    Txn subject = observer;
    Step last = told.told();
    Txn reader = last == null ? null : last.reader();
    if (last != null && reader != null) {
      subject = reader;
      operation = Classifier.readKeyFrom(reader, last.key(), last.to());
    }
    report(
        id,
        level,
        told.kind(),
        told.adya(),
        told.sentence(),
        edges,
        proof,
        null,
        subject,
        operation);
  }

  private static @Nullable String keyOf(Step step) {
    if (step.kind() == EdgeKind.SO) {
      return null;
    }
    if (step.kind() == EdgeKind.CO) {
      return Names.key(step.from(), step.key());
    }
    int read = Capsule.readFrom(step.to(), step.from(), 0);
    return read < 0 ? null : Names.key(step.to().operations, read);
  }

  @SuppressWarnings("TooManyParameters")
  private void report(
      long id,
      IsolationLevel level,
      AnomalyKind kind,
      @Nullable String adya,
      String explanation,
      List<CycleEdge> cycle,
      List<CapsuleTransaction> capsule,
      @Nullable String evidence,
      Txn subject,
      int operation) {
    remember(id);
    violated(level);
    counters.occurrences++;
    counts.computeIfAbsent(level, l -> new EnumMap<>(AnomalyKind.class)).merge(kind, 1L, Long::sum);
    if (weakest == null || level.compareTo(weakest) < 0) {
      weakest = level;
    }
    String table = operation < 0 ? null : subject.operations.statement(operation).table();
    listener.found(
        new Anomaly(
            AnomalyId.text(id),
            history,
            level,
            kind,
            adya,
            explanation,
            cycle,
            capsule,
            evidence,
            table,
            subject.session.info.service(),
            subject.offset,
            subject.times.endNs()));
  }

  /** Of an empty window: until the next one leaves it. */
  private void violated(IsolationLevel level) {
    violatedAt[level.ordinal()] = Math.max(window.lastPlace(), window.oldestPlace());
  }

  private void remember(long id) {
    if (occurrences.size() >= MAX_REMEMBERED) {
      occurrences.removeFirstLong();
    }
    occurrences.put(id, 1);
  }

  private boolean repeated(long id, IsolationLevel level) {
    if (!occurrences.containsKey(id)) {
      return false;
    }
    violated(level);
    long count = occurrences.addTo(id, 1) + 1;
    counters.occurrences++;
    listener.repeated(AnomalyId.text(id), count);
    return true;
  }

  /** An edge that was left out has been implied again, by another transaction. */
  public void repeated(Edge edge) {
    for (IsolationLevel level : IsolationLevel.values()) {
      if (level.compareTo(edge.level) >= 0
          && repeated(AnomalyId.ofEdge(history, level, edge.from, edge.to, edge.key), level)) {
        return;
      }
    }
  }

  /** Saves what has been reported, as far as it is remembered. */
  public void save(GraphWriter graph) {
    StateWriter out = graph.out;
    out.count(occurrences.size());
    occurrences
        .long2LongEntrySet()
        .fastForEach(
            entry -> {
              out.number(entry.getLongKey());
              out.number(entry.getLongValue());
            });
    out.count(counts.size());
    counts.forEach(
        (level, kinds) -> {
          out.constant(level);
          out.count(kinds.size());
          kinds.forEach(
              (kind, count) -> {
                out.constant(kind);
                out.number(count);
              });
        });
    out.set(staleInitials.toLongArray());
    out.numbers(violatedAt);
    graph.transaction(lastReader);
    out.constant(weakest);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader graph) {
    StateReader in = graph.in;
    for (int n = in.count(); n > 0; n--) {
      occurrences.put(in.number(), in.number());
    }
    for (int levels = in.count(); levels > 0; levels--) {
      Map<AnomalyKind, Long> kinds = new EnumMap<>(AnomalyKind.class);
      counts.put(in.constant(IsolationLevel.class), kinds);
      for (int n = in.count(); n > 0; n--) {
        kinds.put(in.constant(AnomalyKind.class), in.number());
      }
    }
    for (long thing : in.set()) {
      staleInitials.add(thing);
    }
    System.arraycopy(in.numbers(), 0, violatedAt, 0, violatedAt.length);
    lastReader = graph.transactionOrNull();
    weakest = in.constantOrNull(IsolationLevel.class);
  }
}
