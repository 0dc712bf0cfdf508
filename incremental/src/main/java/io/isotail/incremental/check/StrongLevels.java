package io.isotail.incremental.check;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.ForgottenCycles;
import io.isotail.incremental.polygraph.GraphLimits;
import io.isotail.incremental.polygraph.LevelGraph;
import io.isotail.incremental.polygraph.SearchAccount;
import io.isotail.incremental.reads.OutsiderWrites;
import io.isotail.incremental.snapshot.Helpers;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import io.isotail.incremental.witness.AnomalyReporter;
import it.unimi.dsi.fastutil.longs.LongCollection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The levels from {@code prefix} on: keeps a graph for the strongest, which stands for every weaker
 * level that leaves out the same transactions, since what satisfies a level satisfies the weaker
 * ones. A level keeps a graph of its own from the first transaction on that only stronger ones
 * leave out, until those that do have left the window.
 *
 * <p>They also decide whether the levels up to {@code causal} are asked at all: a level that holds
 * over all of the window implies those.
 *
 * <p>A transaction is left out of a level that it violates together with those before it, of one
 * that it was not promised, and of one that could not be decided in time.
 */
public final class StrongLevels {
  static final int WEAKEST = IsolationLevel.weakestStrong().ordinal();
  private static final IsolationLevel[] LEVELS = IsolationLevel.values();

  /** Strongest level that may be checked. */
  final int configured;

  /** Strongest level that is checked; below {@link #WEAKEST} when all are shed. */
  int strongest;

  private final Window window;
  private final AnomalyReporter reporter;

  /**
   * For each level that keeps a graph; null for the others, for which that of the next stronger
   * level that has one stands.
   */
  final @Nullable LevelGraph[] graphs;

  final LeftOutTransactions leftOut;
  final LeftOutUpdates leftOutUpdates;

  /** What the searches of all graphs cost. */
  final SearchAccount searches;

  long lost;

  /** Committed transactions in the window, whatever level they were promised. */
  int committed;

  private final VerdictLedger ledger;
  private final MissingOrder missing;

  /** For each level from {@code serializable} on that may be checked; null for the others. */
  final @Nullable BesideOutsiders[] besideOutsiders;

  private final GraphLimits limits;
  private final ReplacedVersions replaced;

  /** Nothing delivered yet. */
  public StrongLevels(
      CheckerConfig config,
      Tuning tuning,
      Window window,
      OutsiderWrites outsiders,
      ReplacedVersions replaced,
      VerdictLedger ledger,
      AnomalyReporter reporter) {
    this.configured = config.strongest().ordinal();
    this.strongest = configured;
    this.limits = GraphLimits.of(config, tuning);
    this.searches = new SearchAccount(config.live());
    this.window = window;
    this.replaced = replaced;
    this.ledger = ledger;
    this.missing = new MissingOrder(config, ledger);
    this.besideOutsiders = new BesideOutsiders[LEVELS.length];
    for (int i = IsolationLevel.SERIALIZABLE.ordinal(); i <= configured; i++) {
      besideOutsiders[i] = new BesideOutsiders(LEVELS[i], config, outsiders, window, ledger);
    }
    this.reporter = reporter;
    this.graphs = new LevelGraph[LEVELS.length];
    this.leftOut = new LeftOutTransactions(configured);
    this.leftOutUpdates = new LeftOutUpdates();
    if (this.strongest >= WEAKEST) {
      graphs[this.strongest] = newGraph(this.strongest);
    }
  }

  /** The strongest level that is checked now. */
  public IsolationLevel checked() {
    return LEVELS[strongest];
  }

  /** Whether {@code t} was promised a level that may be checked and is not now; counts it. */
  public boolean sheds(Transaction t) {
    boolean sheds = strongest < configured && t.promise.ordinal() > strongest;
    if (sheds) {
      ledger.undecided(LEVELS[strongest + 1], t.promise, UndecidedReason.SHED);
    }
    return sheds;
  }

  /**
   * Checks up to this level from the next transaction on; nothing for a level up to causal. What is
   * in the window is not looked at again: a violation that needs it too is not found, and every
   * level from {@code prefix} on is in doubt until it has left.
   */
  public void checkUpTo(IsolationLevel level) {
    if (level.ordinal() == strongest || (level.ordinal() < WEAKEST && strongest < WEAKEST)) {
      return;
    }
    strongest = level.ordinal();
    beginAnew(UndecidedReason.SHED);
  }

  /**
   * What is in the window is not looked at again.
   *
   * @param reason why every level from {@code prefix} on is in doubt until it has left
   */
  public void beginAnew(UndecidedReason reason) {
    for (int i = WEAKEST; i <= configured; i++) {
      ledger.doubt(LEVELS[i], LEVELS[i], reason);
      end(i);
      leftOut.clear(i);
      forEachBesideOutsiders(BesideOutsiders::clear);
    }
    leftOutUpdates.clear();
    if (strongest >= WEAKEST) {
      graphs[strongest] = newGraph(strongest);
    }
  }

  /** What searches for an order of versions have cost. */
  public SearchAccount searches() {
    return searches;
  }

  /** Transactions that left the window, or what was kept of them, with edges to them. */
  public long lost() {
    return lost;
  }

  /**
   * {@code t} is delivered, with its reads resolved, as the last of the window.
   *
   * <p>Where the graph of the strongest level holds every transaction of the window it has an order
   * that satisfies the weak levels too, which need not be asked then. Where some of the reads of
   * {@code t} violate one, that says enough of whatever follows from it; but they must not hide
   * another violation: it is looked for without them.
   *
   * @param weak the levels up to {@code causal}; asked for the keys of those reads
   */
  public void delivered(Transaction t, WeakLevels weak) {
    searches.transaction();
    committed++;
    replaced.delivered(t, this::forgetReplaced);
    if (t.promise.isWeak()) {
      weak.notHeld();
      weak.delivered(t, numbered(t));
      return;
    }
    missing.delivered(t, LEVELS[strongest]);
    check(t, weak);
    if (!holdsAll()) {
      leftOutUpdates.delivered(t, graphs);
    }
  }

  private void check(Transaction t, WeakLevels weak) {
    Violation violation = addToGraphs(t);
    if (spares(t, weak)) {
      return;
    }
    LongCollection staleKeys = weak.delivered(t, numbered(t));
    if (violation == null) {
      return;
    }
    if (staleKeys.isEmpty()) {
      reporter.violation(t, violation.level, violation.conflict, false);
      return;
    }
    if (reportLostUpdate(t, staleKeys)) {
      return;
    }
    leftOut.remove(t);
    forEachBesideOutsiders(each -> each.forget(t));
    t.leaveOutReadsOf(staleKeys);
    changed(t);
    violation = addToGraphs(t);
    if (violation != null) {
      reporter.violation(t, violation.level, violation.conflict, false);
    }
  }

  /** Whether the weak levels need not look at what has just been added to the graphs. */
  private boolean spares(Transaction t, WeakLevels weak) {
    if (!holdsAll() || missing.leavesOutLists(t)) {
      weak.notHeld();
      return false;
    }
    return weak.deliveredWhileHeld(t);
  }

  /** Whether the graph of the strongest level holds every transaction of the window. */
  private boolean holdsAll() {
    LevelGraph graph = strongest < WEAKEST ? null : graphs[strongest];
    return graph != null && graph.inWindow() == committed;
  }

  /** A transaction that nobody captured is delivered, as the last of the window. */
  public void deliveredUncaptured(Transaction t, WeakLevels weak) {
    committed++;
    if (!t.promise.isWeak()) {
      addToGraphs(t);
    }
    if (!spares(t, weak)) {
      weak.delivered(t, numbered(t));
    }
  }

  /** The graph of the strongest level if it has numbers for all of the window but the latest. */
  private @Nullable LevelGraph numbered(Transaction latest) {
    LevelGraph graph = strongest < WEAKEST ? null : graphs[strongest];
    boolean all =
        graph != null
            && graph.isNumbered()
            && graph.inWindow() + (graph.contains(latest) ? 0 : 1) == committed;
    return all ? graph : null;
  }

  /** Several transactions claim to have replaced one version. */
  private void forgetReplaced(Transaction t, long key) {
    for (LevelGraph graph : graphs) {
      if (graph != null) {
        graph.forgetReplaced(t, key);
        noteForgotten(graph.forgotten());
        graph.drainDropped(this::letGo);
      }
    }
  }

  /** Whether a transaction of the window tells that it replaced a version, whoever wrote that. */
  public boolean isReplaced(long key, long version) {
    return replaced.isReplaced(key, version);
  }

  /** It has become known that a transaction of the window wrote a key too. */
  public void wrote(Transaction t, long key, WeakLevels weak) {
    Violation weakest = addWrite(t, key);
    boolean told = weak.wrote(t, key, holdsAll());
    if (weakest != null && !told) {
      reporter.violation(weakest.by, weakest.level, weakest.conflict, false);
    }
  }

  private @Nullable Violation addWrite(Transaction t, long key) {
    Violation weakest = null;
    Conflict conflict = null;
    int stronger = strongest;
    for (int i = strongest; i >= WEAKEST; i--) {
      LevelGraph graph = graphs[i];
      boolean anew = graph == null && conflict != null && !leftOut.contains(t, i);
      if (graph == null && !anew) {
        Violation beside = violation(i, t, null);
        weakest = beside == null ? weakest : beside;
        continue;
      }
      Violation found = null;
      if (anew && leavesOut(t, i, conflict)) {
        leftOut.add(t, i);
        found = violation(i, t, conflict);
      } else if (anew) {
        found = begin(i, stronger, null);
        stronger = i;
      } else if (graph != null && graph.contains(t)) {
        conflict = graph.addWrite(t, key);
        noteSearched(t, i, graph, conflict);
        if (conflict != null) {
          leftOut.add(t, i);
        }
        found = violation(i, t, conflict);
        stronger = i;
      } else {
        found = violation(i, t, null);
      }
      weakest = found == null ? weakest : found;
    }
    return weakest;
  }

  /** Whether a transaction overwrote a version that it read late, and so did another one before. */
  private boolean reportLostUpdate(Transaction t, LongCollection staleKeys) {
    IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
    for (int i = strongest; i >= level.ordinal(); i--) {
      LevelGraph graph = graphs[i];
      if (graph == null || graph.contains(t) || !t.promise.atLeast(LEVELS[i])) {
        continue;
      }
      Conflict conflict = graph.conflictOfUpdates(t, staleKeys);
      graph.drainDropped(this::letGo);
      noteForgotten(graph.forgotten());
      if (conflict != null && conflict.contradicts(level)) {
        return reporter.violation(t, level, conflict, true);
      }
    }
    return false;
  }

  /** A level that a transaction violates, and why. */
  private record Violation(Transaction by, IsolationLevel level, Conflict conflict) {}

  private @Nullable Violation addToGraphs(Transaction t) {
    Violation weakest = null;
    Conflict conflict = null;
    int stronger = strongest;
    for (int i = strongest; i >= WEAKEST; i--) {
      boolean represented = graphs[i] == null;
      if (represented && !leftOut.contains(t, stronger)) {
        Violation beside = violation(i, t, null);
        weakest = beside == null ? weakest : beside;
        continue;
      }
      if (represented && leavesOut(t, i, conflict)) {
        leftOut.add(t, i);
      } else {
        if (represented) {
          begin(i, stronger, t);
        }
        conflict = addToGraph(t, i);
        stronger = i;
      }
      Violation found = violation(i, t, conflict);
      weakest = found == null ? weakest : found;
    }
    return weakest;
  }

  private @Nullable Violation violation(int i, Transaction t, @Nullable Conflict conflict) {
    if (!t.promise.atLeast(LEVELS[i])) {
      return null;
    }
    Conflict sure = conflict == null || conflict.undecided() ? null : conflict;
    BesideOutsiders beside = besideOutsiders[i];
    sure = beside == null ? sure : beside.sure(t, sure, leftOut);
    return sure == null ? null : new Violation(t, LEVELS[i], sure);
  }

  /**
   * Whether a level is known to leave out what the graph that stands for it does.
   *
   * @param conflict why that one does; null if it was not promised
   */
  private static boolean leavesOut(Transaction t, int i, @Nullable Conflict conflict) {
    return !t.promise.atLeast(LEVELS[i]) || (conflict != null && conflict.contradicts(LEVELS[i]));
  }

  private @Nullable Conflict addToGraph(Transaction t, int i) {
    LevelGraph graph = Objects.requireNonNull(graphs[i]);
    long unordered = graph.unordered();
    Conflict conflict = add(t, i, graph);
    note(i, graph.unordered() > unordered, UndecidedReason.LATE_END);
    noteSearched(t, i, graph, conflict);
    return conflict;
  }

  private void noteSearched(Transaction t, int i, LevelGraph graph, @Nullable Conflict conflict) {
    noteForgotten(graph.forgotten());
    graph.drainDropped(this::letGo);
    note(i, conflict != null && conflict.undecided(), UndecidedReason.SEARCH_BUDGET);
    if (conflict != null && i < strongest) {
      leftOut.addSearched(t, i);
    }
  }

  /** {@code t} leaves the window; its writes stay where a graph needs them. */
  public void removed(Transaction t) {
    if (t.committed) {
      committed--;
      missing.removed(t);
      replaced.leaves(t);
    }
    for (int i = strongest; i >= WEAKEST; i--) {
      LevelGraph graph = graphs[i];
      if (graph != null) {
        noteForgotten(graph.truncate(t));
        graph.drainDropped(this::letGo);
      }
    }
    forEachBesideOutsiders(each -> each.forget(t));
    leftOutUpdates.remove(t);
    if (leftOut.remove(t)) {
      endNeedless();
    }
    if (isKept(t)) {
      t.stripToWrites();
      changed(t);
    } else {
      t.strip();
    }
  }

  private void changed(Transaction t) {
    for (LevelGraph graph : graphs) {
      if (graph != null) {
        graph.changed(t);
      }
    }
  }

  /**
   * Ends the graph of a level of which a stronger one's graph holds all, or more, unless a search
   * in it was needed to tell that for one that is still in the window: the next may need one too.
   */
  private void endNeedless() {
    int stronger = strongest;
    boolean ended = false;
    for (int i = strongest - 1; i >= WEAKEST; i--) {
      LevelGraph graph = graphs[i];
      if (graph != null) {
        ended = leftOut.isToldBy(stronger, i);
        if (ended) {
          Objects.requireNonNull(graphs[stronger]).standInFor(graph);
          end(i);
        } else {
          stronger = i;
        }
      }
      if (ended) {
        leftOut.copy(stronger, i);
      }
    }
  }

  private void end(int i) {
    LevelGraph graph = graphs[i];
    graphs[i] = null;
    leftOut.clearSearched(i);
    if (graph != null) {
      List<Transaction> kept = graph.kept();
      graph.end();
      kept.forEach(this::letGo);
    }
  }

  /** Strips a transaction that has left the window, once no level needs it. */
  private void letGo(Transaction t) {
    if (t.state == Transaction.State.TRUNCATED && !isKept(t)) {
      t.strip();
    }
  }

  private boolean isKept(Transaction t) {
    for (LevelGraph graph : graphs) {
      if (graph != null && graph.contains(t)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A level gets a graph of the window, {@code latest} and what it leaves out apart.
   *
   * @param stronger the level whose graph has stood for it
   * @return the first violation in the window, if it did not hold before
   */
  private @Nullable Violation begin(int i, int stronger, @Nullable Transaction latest) {
    LevelGraph graph = newGraph(i);
    graphs[i] = graph;
    graph.addRetiredOf(Objects.requireNonNull(graphs[stronger]));
    Violation first = null;
    for (Transaction t : window) {
      Conflict conflict =
          t == latest || leftOut.contains(t, i) || !t.promise.atLeast(LEVELS[i])
              ? null
              : graph.add(t);
      if (conflict != null && (conflict.undecided() || latest != null)) {
        // An order was found before, and now not in time.
        note(i, true, UndecidedReason.SEARCH_BUDGET);
      }
      if (conflict != null) {
        first = first == null ? violation(i, t, conflict) : first;
        leftOut.add(t, i);
        for (int weaker = i - 1; isRepresented(weaker); weaker--) {
          ledger.doubt(LEVELS[weaker], LEVELS[weaker], UndecidedReason.SEARCH_BUDGET);
          leftOut.add(t, weaker);
        }
      }
    }
    noteForgotten(graph.forgotten());
    noteForgotten(graph.dropUseless());
    graph.drainDropped(this::letGo);
    return first;
  }

  LevelGraph newGraph(int i) {
    return new LevelGraph(LEVELS[i], limits, searches);
  }

  private void note(int i, boolean isUndecided, UndecidedReason reason) {
    if (isUndecided) {
      ledger.undecided(LEVELS[i], LEVELS[i], reason);
    }
  }

  private void noteForgotten(ForgottenCycles forgotten) {
    lost += forgotten == ForgottenCycles.ANY ? 1 : 0;
  }

  /** Whether a stronger level's graph stands for the level. */
  private boolean isRepresented(int level) {
    return level >= WEAKEST && graphs[level] == null;
  }

  /** Adds a transaction to a level's graph, or to what it leaves out; says why it does not fit. */
  private @Nullable Conflict add(Transaction t, int i, LevelGraph graph) {
    boolean isNew = t.promise.atLeast(LEVELS[i]) && !graph.contains(t);
    boolean holdsAllOthers = graph.inWindow() + 1 == committed;
    Conflict conflict =
        isNew && !holdsAllOthers ? leftOutUpdates.conflict(t, LEVELS[i], graph) : null;
    if (isNew && conflict == null) {
      conflict = graph.add(t);
    }
    if (!graph.contains(t)) {
      leftOut.add(t, i);
    }
    return conflict;
  }

  void forEachBesideOutsiders(Consumer<BesideOutsiders> action) {
    for (BesideOutsiders each : besideOutsiders) {
      if (each != null) {
        action.accept(each);
      }
    }
  }

  /** Saves all but what is returned, which is to follow. */
  public GraphBodies save(GraphWriter graph, Helpers helpers) {
    return StrongLevelsState.save(this, graph, helpers);
  }

  /** Takes back the first part of what {@link #save} saved. */
  public void load(GraphReader graph) {
    StrongLevelsState.load(this, graph);
  }

  /** Takes back the rest, after the window and its transactions. */
  public void loadBodies(StateReader in) {
    for (LevelGraph loaded : graphs) {
      if (loaded != null) {
        loaded.loadBody(in);
      }
    }
    missing.load(window);
    replaced.loaded(window);
    forEachBesideOutsiders(each -> each.loaded(leftOut));
  }
}
