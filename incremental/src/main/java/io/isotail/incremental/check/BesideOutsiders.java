package io.isotail.incremental.check;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.Dependency;
import io.isotail.incremental.polygraph.KnownDependencies;
import io.isotail.incremental.polygraph.Overwriting;
import io.isotail.incremental.reads.OutsiderWrites;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells the violations of one level from {@code serializable} on that are sure beside outsiders.
 *
 * <p>Where levels are mixed, PostgreSQL keeps serializable transactions apart from each other only.
 * If one of them reads a row that an outsider then overwrites, and a third, serializable one
 * overwrites it again without having read it, nobody has told the first and the third apart. So a
 * rw dependency holds only where nobody can stand between the version that was read and the one
 * that overwrote it: each overwriter back to it has read what it overwrote ({@link Overwriting}),
 * or no outsider can have written the key ({@link OutsiderWrites}).
 *
 * <p>A conflict that rests on another dependency proves nothing, and is a doubt. The level's graph
 * leaves out its transaction then; and it never has what follows from the version of an outsider.
 * So as long as such a conflict, or such a read, is in the window, the dependencies that hold
 * anyhow are kept beside the graph ({@link KnownDependencies}), and a violation which they show is
 * found all the same.
 */
final class BesideOutsiders {
  private final IsolationLevel level;
  private final CheckerConfig config;
  private final OutsiderWrites outsiders;
  private final Window window;
  private final VerdictLedger ledger;

  /** What the dependencies that hold anyhow are kept for; in the window. */
  private final ReferenceLinkedOpenHashSet<Transaction> reasons =
      new ReferenceLinkedOpenHashSet<>();

  /** What a conflict that proves nothing was found at; in the window. */
  private final ReferenceLinkedOpenHashSet<Transaction> unsure = new ReferenceLinkedOpenHashSet<>();

  /** What closes a cycle among the known dependencies; in the window. */
  private final ReferenceLinkedOpenHashSet<Transaction> violating =
      new ReferenceLinkedOpenHashSet<>();

  /** Null as long as the level's graph has left out nothing without a proof. */
  private @Nullable KnownDependencies known;

  BesideOutsiders(
      IsolationLevel level,
      CheckerConfig config,
      OutsiderWrites outsiders,
      Window window,
      VerdictLedger ledger) {
    this.level = level;
    this.config = config;
    this.outsiders = outsiders;
    this.window = window;
    this.ledger = ledger;
  }

  /**
   * What is sure of a transaction that the level was promised and that was just added to its graph,
   * or of which a further write has become known.
   *
   * @param conflict why it does not fit; null if it does
   * @param leftOut what the level's graph leaves out
   * @return why the level is violated for sure; null if that is not known, which is a doubt if
   *     there is a conflict
   */
  @Nullable Conflict sure(Transaction t, @Nullable Conflict conflict, LeftOutTransactions leftOut) {
    boolean keeps = conflict != null || readsOutsiders(t);
    if (!keeps && known == null) {
      return null;
    }
    if (conflict != null && isSure(conflict)) {
      forget(t);
      return conflict;
    }
    boolean undecided = conflict == null && leftOut.contains(t, level.ordinal());
    if (undecided && !unsure.contains(t)) {
      return null;
    }
    if (known == null) {
      known = ofWindow(t, leftOut);
    } else {
      known.enter(t);
    }
    Conflict found = known.closedBy(t);
    if (found != null && found.undecided()) {
      ledger.undecided(level, level, UndecidedReason.SEARCH_BUDGET);
      found = null;
    }
    if (found != null) {
      known.remove(t);
      violating.add(t);
    }
    if (keeps) {
      reasons.add(t);
    }
    if (conflict != null && found == null) {
      unsure.add(t);
      ledger.undecided(level, level, UndecidedReason.WEAKER_WRITER);
    }
    return found;
  }

  /** Those of the window that count, and {@code asked}. */
  private KnownDependencies ofWindow(@Nullable Transaction asked, LeftOutTransactions leftOut) {
    KnownDependencies all = new KnownDependencies(level, config, outsiders);
    for (Transaction t : window) {
      boolean counts = unsure.contains(t) || !leftOut.contains(t, level.ordinal());
      if (t == asked || (counts && t.promise.atLeast(level) && !violating.contains(t))) {
        all.enter(t);
      }
    }
    return all;
  }

  /**
   * Whether a transaction read a version that no transaction of the level is known to have written.
   */
  private boolean readsOutsiders(Transaction t) {
    if (!outsiders.expected()) {
      return false;
    }
    for (Transaction writer : t.readWriters) {
      if (writer != null && !writer.promise.atLeast(level)) {
        return true;
      }
    }
    Operations ops = t.operations;
    LongOpenHashSet written = new LongOpenHashSet();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.isWrite(i)) {
        written.add(ops.key(i));
      } else if (ops.readsKnown(i) && t.writerRead(i) == null && !written.contains(ops.key(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isSure(Conflict conflict) {
    return conflict.cycles().stream().allMatch(cycle -> cycle.stream().allMatch(this::isSure));
  }

  private boolean isSure(Dependency dependency) {
    return dependency.kind() != EdgeKind.RW
        || Overwriting.readBack(dependency, level)
        || !outsiders.mayHaveWritten(tableOf(dependency), dependency.key());
  }

  /** The table of what was read. */
  private static @Nullable String tableOf(Dependency read) {
    Transaction reader = read.first();
    for (int operation : reader.readOperations) {
      if (reader.operations.key(operation) == read.key()) {
        return reader.operations.statement(operation).table();
      }
    }
    return null;
  }

  /** A transaction leaves the window, or is about to change which of its reads count. */
  void forget(Transaction t) {
    if (known != null) {
      known.remove(t);
      violating.remove(t);
      unsure.remove(t);
      reasons.remove(t);
      if (reasons.isEmpty()) {
        clear();
      }
    }
  }

  /** Nothing of the window is known any more. */
  void clear() {
    known = null;
    reasons.clear();
    unsure.clear();
    violating.clear();
  }

  void save(GraphWriter graph) {
    graph.transactions(reasons);
    graph.transactions(unsure);
    graph.transactions(violating);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph) {
    reasons.addAll(graph.transactions());
    unsure.addAll(graph.transactions());
    violating.addAll(graph.transactions());
  }

  /** The window is loaded, and what the level's graph leaves out. */
  void loaded(LeftOutTransactions leftOut) {
    known = reasons.isEmpty() ? null : ofWindow(null, leftOut);
  }
}
