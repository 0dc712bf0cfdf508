package io.isotail.incremental;

import io.isotail.incremental.events.Conflict;
import io.isotail.incremental.events.LevelGraph;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Txn;
import io.isotail.incremental.window.Window;
import io.isotail.incremental.witness.AnomalyReporter;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import java.util.Arrays;
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

  @SuppressWarnings({"unchecked", "rawtypes"})
  StrongLevels(IsolationLevel strongest, Window window, AnomalyReporter reporter) {
    this.strongest = strongest.ordinal();
    this.window = window;
    this.reporter = reporter;
    this.graphs = new LevelGraph[LEVELS.length];
    this.leftOut = new ReferenceLinkedOpenHashSet[LEVELS.length];
    this.undecided = new boolean[LEVELS.length];
    for (int i = WEAKEST; i <= this.strongest; i++) {
      leftOut[i] = new ReferenceLinkedOpenHashSet<>();
    }
    if (this.strongest >= WEAKEST) {
      graphs[this.strongest] = new LevelGraph(strongest);
    }
  }

  /** Whether something at the level could not be decided. */
  boolean undecided(IsolationLevel level) {
    return undecided[level.ordinal()];
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
    if (hasListRead(t)) {
      // What a list shows of the order of versions is not used yet.
      Arrays.fill(undecided, WEAKEST, strongest + 1, true);
    }
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
      undecided[i] |= conflict != null && conflict.undecided();
      if (i > WEAKEST && graphs[i - 1] == null && leftOut[i].contains(t)) {
        begin(i - 1, t);
      }
    }
    if (weakest != null && violated != null && !weakerViolated) {
      reporter.violation(t, violated, weakest);
    }
  }

  private static boolean hasListRead(Txn t) {
    for (int i = 0; i < t.operations.size(); i++) {
      if (t.operations.kind(i) == OperationKind.LISTED) {
        return true;
      }
    }
    return false;
  }

  /** {@code t} has left the window. */
  void removed(Txn t) {
    for (int i = strongest; i >= WEAKEST; i--) {
      LevelGraph graph = graphs[i];
      if (graph == null) {
        return;
      }
      undecided[i] |= graph.truncate(t);
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
    LevelGraph graph = new LevelGraph(LEVELS[i]);
    graphs[i] = graph;
    for (Txn t : window) {
      if (t != latest) {
        undecided[i] |= add(t, i, graph) != null;
      }
    }
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
    for (int i = WEAKEST; i <= strongest; i++) {
      undecided[i] = graph.in.flag();
      leftOut[i].addAll(graph.transactions());
      if (graph.in.flag()) {
        LevelGraph loaded = new LevelGraph(LEVELS[i]);
        loaded.load(graph);
        graphs[i] = loaded;
      }
    }
  }
}
