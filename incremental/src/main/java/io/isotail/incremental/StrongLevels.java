package io.isotail.incremental;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.events.Conflict;
import io.isotail.incremental.events.LevelGraph;
import io.isotail.incremental.events.Loss;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Txn;
import io.isotail.incremental.window.Window;
import io.isotail.incremental.witness.AnomalyReporter;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The levels from {@code prefix} on: keeps a graph for the strongest, and while that one has left
 * nothing out every weaker level holds and needs none. From the first transaction that a level
 * leaves out until that one has left the window, the next weaker level keeps a graph too.
 *
 * <p>A transaction is left out of a level that it violates together with those before it, of one
 * that it was not promised, and of one that could not be decided in time.
 */
final class StrongLevels {
  private static final int WEAKEST = IsolationLevel.PREFIX.ordinal();
  private static final IsolationLevel[] LEVELS = IsolationLevel.values();

  private final int strongest;
  private final Window window;
  private final AnomalyReporter reporter;

  /** For each level that keeps a graph; null for the others. */
  private final @Nullable LevelGraph[] graphs;

  private final ReferenceLinkedOpenHashSet<Txn>[] leftOut;
  private final boolean[] undecided;
  private final long[] reasons = new long[UndecidedReason.values().length];
  private final long clockUncertaintyNs;

  @SuppressWarnings({"unchecked", "rawtypes"})
  StrongLevels(CheckerConfig config, Window window, AnomalyReporter reporter) {
    this.strongest = config.strongest().ordinal();
    this.clockUncertaintyNs = config.clockUncertaintyNs();
    this.window = window;
    this.reporter = reporter;
    this.graphs = new LevelGraph[LEVELS.length];
    this.leftOut = new ReferenceLinkedOpenHashSet[LEVELS.length];
    this.undecided = new boolean[LEVELS.length];
    for (int i = WEAKEST; i <= this.strongest; i++) {
      leftOut[i] = new ReferenceLinkedOpenHashSet<>();
    }
    if (this.strongest >= WEAKEST) {
      graphs[this.strongest] = newGraph(this.strongest);
    }
  }

  /** Whether something at the level could not be decided. */
  boolean undecided(IsolationLevel level) {
    return undecided[level.ordinal()];
  }

  /** Adds to the counts of the reasons why something could not be decided. */
  void addUndecided(Map<UndecidedReason, Long> counts) {
    for (UndecidedReason reason : UndecidedReason.values()) {
      if (reasons[reason.ordinal()] > 0) {
        counts.merge(reason, reasons[reason.ordinal()], Long::sum);
      }
    }
  }

  /**
   * {@code t} is delivered, with its reads resolved, as the last of the window.
   *
   * @param weakerViolated whether it was just reported to violate a weaker level, which says enough
   */
  void delivered(Txn t, boolean weakerViolated) {
    if (!t.promise.atLeast(IsolationLevel.PREFIX)) {
      return;
    }
    noteTimes(t);
    Conflict weakest = null;
    IsolationLevel violated = null;
    for (int i = strongest; i >= WEAKEST; i--) {
      LevelGraph graph = graphs[i];
      if (graph == null) {
        break;
      }
      Conflict conflict = add(t, i, graph);
      if (conflict != null && !conflict.undecided()) {
        weakest = conflict;
        violated = LEVELS[i];
      }
      note(i, conflict != null && conflict.undecided(), UndecidedReason.SEARCH_BUDGET);
      if (i > WEAKEST && graphs[i - 1] == null && leftOut[i].contains(t)) {
        begin(i - 1, t);
      }
    }
    if (weakest != null && violated != null && !weakerViolated) {
      reporter.violation(t, violated, weakest);
    }
  }

  /** {@code t} has left the window. */
  void removed(Txn t) {
    for (int i = strongest; i >= WEAKEST; i--) {
      LevelGraph graph = graphs[i];
      if (graph == null) {
        return;
      }
      noteLoss(i, graph.truncate(t));
      if (leftOut[i].remove(t) && leftOut[i].isEmpty()) {
        for (int weaker = WEAKEST; weaker < i; weaker++) {
          graphs[weaker] = null;
          leftOut[weaker].clear();
        }
        return;
      }
    }
  }

  /** A level gets a graph of the window, {@code latest} apart. */
  private void begin(int i, Txn latest) {
    LevelGraph graph = newGraph(i);
    graphs[i] = graph;
    for (Txn t : window) {
      if (t != latest) {
        note(i, add(t, i, graph) != null, UndecidedReason.SEARCH_BUDGET);
      }
    }
  }

  private LevelGraph newGraph(int i) {
    return new LevelGraph(LEVELS[i], clockUncertaintyNs);
  }

  private void note(int i, boolean isUndecided, UndecidedReason reason) {
    if (isUndecided) {
      undecided[i] = true;
      reasons[reason.ordinal()]++;
    }
  }

  /** What a level's graph has lost is lost to the weaker levels that have none of their own. */
  private void noteLoss(int i, Loss loss) {
    note(i, loss != Loss.NONE, UndecidedReason.LEFT_WINDOW);
    for (int weaker = i - 1; weaker >= WEAKEST && graphs[weaker] == null; weaker--) {
      undecided[weaker] |= loss == Loss.ANY;
    }
  }

  /** Without times a transaction is not known to be ordered as the strict level asks for. */
  private void noteTimes(Txn t) {
    boolean strict =
        LEVELS[strongest] == IsolationLevel.STRICT_SERIALIZABLE
            && t.promise == IsolationLevel.STRICT_SERIALIZABLE;
    boolean ends = t.times.hasEnd() || t.outcome != Outcome.COMMITTED;
    note(strongest, strict && !(t.times.orderable() && ends), UndecidedReason.NO_TIMES);
  }

  /** Adds a transaction to a level's graph, or to what it leaves out; says why it does not fit. */
  private @Nullable Conflict add(Txn t, int i, LevelGraph graph) {
    Conflict conflict = t.promise.atLeast(LEVELS[i]) ? graph.add(t) : null;
    if (!graph.contains(t)) {
      leftOut[i].add(t);
    }
    return conflict;
  }

  void save(GraphWriter graph) {
    graph.out.section("strong levels");
    graph.out.numbers(reasons);
    for (int i = WEAKEST; i <= strongest; i++) {
      graph.out.flag(undecided[i]);
      graph.transactions(leftOut[i]);
      LevelGraph saved = graphs[i];
      graph.out.flag(saved != null);
      if (saved != null) {
        saved.save(graph);
      }
    }
  }

  void load(GraphReader graph) {
    graph.in.section("strong levels");
    long[] saved = graph.in.numbers();
    System.arraycopy(saved, 0, reasons, 0, Math.min(saved.length, reasons.length));
    for (int i = WEAKEST; i <= strongest; i++) {
      undecided[i] = graph.in.flag();
      leftOut[i].addAll(graph.transactions());
      if (graph.in.flag()) {
        LevelGraph loaded = newGraph(i);
        loaded.load(graph);
        graphs[i] = loaded;
      }
    }
  }
}
