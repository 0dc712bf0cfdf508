package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.reads.OutsiderWrites;
import io.isotail.incremental.reads.UncapturedWriters;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies of {@code serializable} transactions that hold whoever else writes unseen.
 *
 * <p>These are session order, reads, and a rw dependency to a transaction that has itself read the
 * version which it overwrote, or inserted the row that was read as missing: nobody's version stands
 * between. It may be the version of an outsider. None rests on an order of versions, so that there
 * is nothing to choose: a cycle is a violation, and a search from the transaction that was
 * delivered last finds it.
 *
 * <p>Real time counts where it leads back to that transaction, and nowhere else.
 *
 * <p>Bounds: transactions of the window; a search visits at most {@link #MOST_VISITED}.
 */
public final class KnownDependencies {
  /** Transactions that one search looks at; a cycle that is farther away is not found. */
  static final int MOST_VISITED = 100_000;

  /** As the window holds them, so that a restored checker finds the same. */
  private static final Comparator<Transaction> IN_ORDER =
      Comparator.comparingLong(t -> t.deliveredAt);

  private final IsolationLevel level;
  private final CheckerConfig config;
  private final OutsiderWrites outsiders;
  private final Set<Transaction> all = new TreeSet<>(IN_ORDER);
  private final Map<Version, Uses> uses = new HashMap<>();

  /** How the number of a version is to be taken. */
  private enum Numbered {
    BY_TABLE,
    BY_WRITER,
    ABSENCE,
    BEFORE_CAPTURE
  }

  /** A version of a key, or its initial one. */
  private record Version(long key, Numbered as, long number) implements Comparable<Version> {
    @Override
    public int compareTo(Version other) {
      int byKey = Long.compare(key, other.key);
      int byKind = byKey == 0 ? as.compareTo(other.as) : byKey;
      return byKind == 0 ? Long.compare(number, other.number) : byKind;
    }

    /** The version of an operation that read or wrote a known one. */
    static Version known(Operations ops, int i) {
      Numbered as = ops.namesWriters(i) ? Numbered.BY_WRITER : Numbered.BY_TABLE;
      return new Version(ops.key(i), as, ops.version(i));
    }
  }

  /** Who read a version, and which of these overwrote it, or inserted the row that was missing. */
  private static final class Uses {
    final TreeSet<Transaction> readers = new TreeSet<>(IN_ORDER);
    final TreeSet<Transaction> overwriters = new TreeSet<>(IN_ORDER);

    boolean isEmpty() {
      return readers.isEmpty() && overwriters.isEmpty();
    }
  }

  /** How a search came to a transaction; of what is read, the key and who wrote it. */
  private record Step(
      Transaction from, Transaction to, EdgeKind kind, long key, @Nullable Transaction source) {

    /** Session order or real time. */
    static Step plain(Transaction from, Transaction to, EdgeKind kind) {
      return new Step(from, to, kind, 0, null);
    }
  }

  /** No transactions of a level from {@code serializable} on. */
  public KnownDependencies(IsolationLevel level, CheckerConfig config, OutsiderWrites outsiders) {
    this.outsiders = outsiders;
    this.level = level;
    this.config = config;
  }

  /** Adds a transaction of the window, or what has become known of it since. */
  public void enter(Transaction t) {
    all.add(t);
    forEachUse(t, (version, read) -> use(t, version));
  }

  /**
   * The cycle that one of the transactions closes; null if there is none, and without edges if the
   * search has visited too many.
   */
  public @Nullable Conflict closedBy(Transaction t) {
    List<Step> cycle = cycle(t);
    if (cycle == null) {
      return null;
    }
    return new Conflict(cycle.isEmpty() ? List.of() : List.of(dependencies(cycle)));
  }

  /** Takes out a transaction, whose operations and reads are those that it was added with. */
  public void remove(Transaction t) {
    if (!all.remove(t)) {
      return;
    }
    forEachUse(
        t,
        (version, read) -> {
          Uses known = uses.get(version);
          if (known != null) {
            known.readers.remove(t);
            known.overwriters.remove(t);
            if (known.isEmpty()) {
              uses.remove(version);
            }
          }
        });
  }

  private void use(Transaction t, Version version) {
    Uses known = uses.computeIfAbsent(version, v -> new Uses());
    known.readers.add(t);
    if (t.writes(version.key)) {
      known.overwriters.add(t);
    }
  }

  /** Takes a version that was read, and by which operation; -1 where a row was inserted. */
  @FunctionalInterface
  private interface Use {
    void of(Version version, int read);
  }

  /** What a transaction read of others, or found missing, before it wrote it itself. */
  private void forEachUse(Transaction t, Use use) {
    Operations ops = t.operations;
    LongOpenHashSet written = new LongOpenHashSet();
    for (int i = 0; i < ops.size(); i++) {
      long key = ops.key(i);
      if (ops.isWrite(i)) {
        if (written.add(key) && ops.statement(i).inserts()) {
          use.of(new Version(key, Numbered.ABSENCE, 0), -1);
        }
      } else if (ops.kind(i) == OperationKind.READ
          && !ops.undone(i)
          && !written.contains(key)
          && !t.leavesOutReadsOf(key)) {
        Version version = versionOf(t, i);
        if (version != null) {
          use.of(version, i);
        }
      }
    }
  }

  /**
   * The version that a read returned; null where another one may have the same number, as all that
   * the reader itself wrote, if versions name their writers.
   */
  private @Nullable Version versionOf(Transaction t, int read) {
    Operations ops = t.operations;
    Transaction writer = t.writerRead(read);
    if (writer == Transaction.INITIAL) {
      Numbered as = ops.beforeCapture(read) ? Numbered.BEFORE_CAPTURE : Numbered.ABSENCE;
      return new Version(ops.key(read), as, 0);
    }
    boolean told =
        writer != null
            || (config.isCommittedOnce(ops.statement(read))
                && !(ops.namesWriters(read) && UncapturedWriters.mayBeItsOwn(t, read)));
    return told && ops.readsKnown(read) ? Version.known(ops, read) : null;
  }

  private @Nullable List<Step> cycle(Transaction t) {
    Map<Transaction, Step> cameBy = new HashMap<>();
    ArrayDeque<Transaction> open = new ArrayDeque<>(List.of(t));
    while (!open.isEmpty()) {
      if (cameBy.size() >= MOST_VISITED) {
        return List.of();
      }
      Transaction at = open.remove();
      for (Step step : steps(at, t)) {
        if (step.to == t) {
          return path(step, cameBy, t);
        }
        if (cameBy.putIfAbsent(step.to, step) == null) {
          open.add(step.to);
        }
      }
    }
    return null;
  }

  private static List<Step> path(Step last, Map<Transaction, Step> cameBy, Transaction start) {
    List<Step> path = new ArrayList<>();
    Step step = last;
    path.add(step);
    while (step.from != start) {
      step = Objects.requireNonNull(cameBy.get(step.from));
      path.add(step);
    }
    Collections.reverse(path);
    return path;
  }

  private List<Step> steps(Transaction from, Transaction target) {
    List<Step> steps = new ArrayList<>();
    Transaction next = from.soNext;
    while (next != null && !all.contains(next)) {
      next = next.soNext;
    }
    if (next != null) {
      steps.add(Step.plain(from, next, EdgeKind.SO));
    }
    addReaders(from, steps);
    forEachUse(
        from,
        (version, read) -> {
          Uses known = read < 0 ? null : uses.get(version);
          if (known != null) {
            Transaction source = sourceOf(from, read);
            for (Transaction to : known.overwriters) {
              if (to != from && to != source && source != null) {
                steps.add(new Step(from, to, EdgeKind.RW, version.key, source));
              }
            }
          }
        });
    if (level.followsRealTime()
        && from.times.endedBefore(target.times, config.clockUncertaintyNs())) {
      steps.add(Step.plain(from, target, EdgeKind.RT));
    }
    return steps;
  }

  private void addReaders(Transaction writer, List<Step> steps) {
    Operations ops = writer.operations;
    for (int i = 0; i < writer.writeCount(); i++) {
      int write = writer.finalWrite(i);
      Uses known =
          ops.versionKind(write) == VersionKind.KNOWN ? uses.get(Version.known(ops, write)) : null;
      if (known != null) {
        for (Transaction reader : known.readers) {
          if (reader != writer && reader.readsFrom(writer, ops.key(write))) {
            steps.add(new Step(writer, reader, EdgeKind.WR, ops.key(write), null));
          }
        }
      }
    }
  }

  /**
   * Who wrote what was read, {@link Transaction#OUTSIDER} where that is none of the level's
   * transactions; null where it is not known that it may be an outsider.
   */
  private @Nullable Transaction sourceOf(Transaction reader, int read) {
    Transaction writer = reader.writerRead(read);
    boolean counts =
        writer != null
            && writer != Transaction.FORGOTTEN
            && (writer == Transaction.INITIAL
                || (writer.promise.atLeast(level) && writer.operations.size() > 0));
    if (counts) {
      return writer;
    }
    String table = reader.operations.statement(read).table();
    return outsiders.mayHaveWritten(table, reader.operations.key(read))
        ? Transaction.OUTSIDER
        : null;
  }

  private List<Dependency> dependencies(List<Step> cycle) {
    Map<Transaction, TransactionNode> nodes = new HashMap<>();
    Map<Long, KeyVersions> keys = new HashMap<>();
    List<Dependency> dependencies = new ArrayList<>();
    for (Step step : cycle) {
      Transaction source = step.source;
      dependencies.add(
          new Dependency(
              node(step.from, nodes).commit,
              node(step.to, nodes).begin,
              step.kind,
              step.key == 0 && source == null && step.kind != EdgeKind.WR
                  ? null
                  : keys.computeIfAbsent(step.key, KeyVersions::new),
              source == null || source == Transaction.INITIAL ? null : node(source, nodes)));
    }
    return dependencies;
  }

  private TransactionNode node(Transaction t, Map<Transaction, TransactionNode> nodes) {
    return nodes.computeIfAbsent(
        t, each -> new TransactionNode(each, !level.tellsBeginFromCommit()));
  }
}
