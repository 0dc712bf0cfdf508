package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What depends on what among the transactions of a capsule, given an order of their commits.
 *
 * <p>The order of the versions of each key is that of their writers' commits. A capsule violates
 * its level whatever that order, so that each order gives a cycle; a person is told the one that
 * the most plausible order gives. It is for names and sentences alone: no verdict rests on it.
 */
final class CapsuleGraph {

  /**
   * A read of another transaction's version.
   *
   * @param source place of its writer, {@link Link#NOBODY} for the initial version
   */
  private record Reading(int reader, int operation, int source) {}

  /** The last write of a key by a transaction. */
  private record Writing(int writer, int operation) {}

  /** The list that a transaction read shows that a version directly succeeds another, or none. */
  private record Shown(int earlier, int later, int reader) {}

  /** What is known of a key. */
  private static final class Key {
    final List<Reading> readings = new ArrayList<>();
    final List<Writing> writings = new ArrayList<>();
    final List<Shown> shown = new ArrayList<>();
  }

  private final List<CapsuleTransaction> transactions;
  private final long clockUncertaintyNs;
  private final Map<Long, Key> keys = new LinkedHashMap<>();

  /** Session order, reads, lists and real time show that one commits before the other. */
  private final boolean[][] known;

  /**
   * A graph of the committed transactions.
   *
   * @param level if {@code strict-serializable}, what is believed of real time is known
   * @param clockUncertaintyNs how far two clocks may be apart, in ns
   */
  CapsuleGraph(List<CapsuleTransaction> capsule, IsolationLevel level, long clockUncertaintyNs) {
    this.transactions = capsule.stream().filter(t -> t.outcome() == Outcome.COMMITTED).toList();
    this.clockUncertaintyNs = clockUncertaintyNs;
    for (int i = 0; i < size(); i++) {
      addWritings(i);
    }
    for (int i = 0; i < size(); i++) {
      addReadings(i);
    }
    this.known = new boolean[size()][size()];
    addKnown(level.followsRealTime());
  }

  /** Number of transactions. */
  int size() {
    return transactions.size();
  }

  /** The transaction at a place. */
  CapsuleTransaction transaction(int place) {
    return transactions.get(place);
  }

  private void addWritings(int i) {
    Operations ops = operations(i);
    for (int op = 0; op < ops.size(); op++) {
      if (ops.isWrite(op) && finalWrite(ops, ops.key(op)) == op) {
        key(ops.key(op)).writings.add(new Writing(i, op));
      }
    }
  }

  private void addReadings(int i) {
    Operations ops = operations(i);
    for (int op = 0; op < ops.size(); op++) {
      if (ops.listedBefore(op) && !ops.undone(op)) {
        addShown(i, op);
      }
      boolean ofOthers =
          ops.kind(op) == OperationKind.READ && !ops.undone(op) && !isWrittenBefore(ops, op);
      if (ofOthers && ops.versionKind(op) == VersionKind.INITIAL) {
        key(ops.key(op)).readings.add(new Reading(i, op, Link.NOBODY));
      } else if (ofOthers && ops.versionKind(op) == VersionKind.KNOWN) {
        for (Writing writing : key(ops.key(op)).writings) {
          if (writing.writer != i && isVersion(writing, ops.version(op))) {
            key(ops.key(op)).readings.add(new Reading(i, op, writing.writer));
          }
        }
      }
    }
  }

  private void addShown(int reader, int listed) {
    Operations ops = operations(reader);
    boolean initial = ops.versionKind(listed) == VersionKind.INITIAL;
    int earlier = initial ? Link.NOBODY : writerOf(ops.key(listed), ops.version(listed));
    int later = writerOf(ops.key(listed), ops.version(listed + 1));
    if (later >= 0 && later != earlier && (initial || earlier >= 0)) {
      key(ops.key(listed)).shown.add(new Shown(earlier, later, reader));
    }
  }

  /** Who wrote a version, even if not as its last one. */
  private int writerOf(long key, long version) {
    for (Writing writing : key(key).writings) {
      Operations ops = operations(writing.writer);
      for (int op = 0; op < ops.size(); op++) {
        boolean isIt = ops.isWrite(op) && ops.key(op) == key && ops.version(op) == version;
        if (isIt && ops.versionKind(op) == VersionKind.KNOWN) {
          return writing.writer;
        }
      }
    }
    return Link.NOBODY;
  }

  private void addKnown(boolean realTime) {
    for (int a = 0; a < size(); a++) {
      for (int b = 0; b < size(); b++) {
        known[a][b] = isSessionOrder(a, b) || (realTime && isRealTime(a, b));
      }
    }
    for (Key key : keys.values()) {
      for (Reading reading : key.readings) {
        if (reading.source >= 0) {
          known[reading.source][reading.reader] = true;
        }
      }
      int[][] shown = shown(key);
      for (int a = 0; a < size(); a++) {
        for (int b = 0; b < size(); b++) {
          known[a][b] |= shown[a][b] >= 0;
        }
      }
    }
    for (int via = 0; via < size(); via++) {
      for (int a = 0; a < size(); a++) {
        for (int b = 0; b < size() && known[a][via]; b++) {
          known[a][b] |= known[via][b];
        }
      }
    }
  }

  /** Every dependency, if the transactions commit in this order. */
  List<Link> links(int[] order) {
    int[] rank = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      rank[order[i]] = i;
    }
    List<Link> links = new ArrayList<>();
    for (int a = 0; a < size(); a++) {
      for (int b = 0; b < size(); b++) {
        if (isSessionOrder(a, b)) {
          links.add(Link.of(a, b, EdgeKind.SO));
        }
        if (isRealTime(a, b)) {
          links.add(Link.of(a, b, EdgeKind.RT));
        }
      }
    }
    keys.forEach((number, key) -> addLinks(number, key, rank, links));
    return links;
  }

  /** For each two transactions whose list shows that one wrote the key before the other, or -1. */
  private int[][] shown(Key key) {
    int[][] by = new int[size()][size()];
    for (int[] row : by) {
      Arrays.fill(row, Link.NOBODY);
    }
    for (Shown shown : key.shown) {
      for (Writing other : key.writings) {
        // Nothing stands before what succeeds the initial version.
        if (shown.earlier < 0 && other.writer != shown.later) {
          by[shown.later][other.writer] = shown.reader;
        }
      }
      if (shown.earlier >= 0) {
        by[shown.earlier][shown.later] = shown.reader;
      }
    }
    for (int via = 0; via < size() && !key.shown.isEmpty(); via++) {
      for (int a = 0; a < size(); a++) {
        for (int b = 0; b < size(); b++) {
          boolean follows = a != b && by[a][b] < 0 && by[a][via] >= 0 && by[via][b] >= 0;
          by[a][b] = follows ? by[a][via] : by[a][b];
        }
      }
    }
    return by;
  }

  private void addLinks(long number, Key key, int[] rank, List<Link> links) {
    int[][] shown = shown(key);
    for (Writing later : key.writings) {
      for (Writing first : key.writings) {
        if (isBehind(first.writer, later.writer, rank, shown)) {
          links.add(overwriting(number, first.writer, later, first.writer, shown));
        }
      }
      for (Shown direct : key.shown) {
        // Nobody's version stands between the two: what is not before is behind.
        if (direct.later != later.writer
            && direct.earlier >= 0
            && isBehind(direct.earlier, later.writer, rank, shown)) {
          links.add(overwriting(number, direct.later, later, direct.earlier, shown));
        }
      }
      for (Reading reading : key.readings) {
        int source = reading.source;
        boolean overwritten = source < 0 || isBehind(source, later.writer, rank, shown);
        if (overwritten && reading.reader != later.writer) {
          boolean assumed = source >= 0 && !known[source][later.writer];
          links.add(
              new Link(
                  reading.reader,
                  later.writer,
                  EdgeKind.RW,
                  number,
                  source,
                  reading.operation,
                  later.operation,
                  assumed));
        }
      }
    }
    for (Reading reading : key.readings) {
      if (reading.source >= 0) {
        int write = finalWrite(operations(reading.source), number);
        links.add(
            new Link(
                reading.source,
                reading.reader,
                EdgeKind.WR,
                number,
                Link.NOBODY,
                reading.operation,
                write,
                false));
      }
    }
  }

  /** As lists show, else as the commits are ordered. */
  private static boolean isBehind(int first, int later, int[] rank, int[][] shown) {
    return first != later
        && (shown[first][later] >= 0 || (shown[later][first] < 0 && rank[first] < rank[later]));
  }

  /** {@code first} comes before {@code later}, since {@code earlier} does. */
  private Link overwriting(long key, int first, Writing later, int earlier, int[][] shown) {
    return new Link(
        first,
        later.writer,
        EdgeKind.WW,
        key,
        shown[first][later.writer],
        -1,
        later.operation,
        !known[earlier][later.writer]);
  }

  /**
   * The place of the transaction's read of {@code key} from {@code source}, or -1.
   *
   * @param source place of the writer, {@link Link#NOBODY} for the initial version
   */
  int readFrom(int reader, long key, int source) {
    for (Reading reading : key(key).readings) {
      if (reading.reader == reader && reading.source == source) {
        return reading.operation;
      }
    }
    return -1;
  }

  /** The transaction's last write of {@code key}, or -1. */
  int write(int writer, long key) {
    return finalWrite(operations(writer), key);
  }

  /** The operations of the transaction at a place. */
  Operations operations(int place) {
    return transactions.get(place).operations();
  }

  private Key key(long number) {
    return keys.computeIfAbsent(number, k -> new Key());
  }

  private boolean isSessionOrder(int a, int b) {
    CapsuleTransaction first = transactions.get(a);
    CapsuleTransaction later = transactions.get(b);
    return first.session().id() == later.session().id() && first.position() < later.position();
  }

  /** Whether one is believed to have ended before the other began. */
  boolean isRealTime(int a, int b) {
    Times ended = transactions.get(a).times();
    Times began = transactions.get(b).times();
    if (a == b || !ended.orderable() || !began.orderable() || !ended.hasEnd()) {
      return false;
    }
    if (began.beginNs() <= ended.endNs()) {
      return false;
    }
    long apartNs = began.beginNs() - ended.endNs();
    return Objects.equals(ended.clock(), began.clock())
        || (clockUncertaintyNs != CheckerConfig.NEVER_COMPARED
            && (apartNs < 0 || apartNs > clockUncertaintyNs));
  }

  private boolean isVersion(Writing writing, long version) {
    Operations ops = operations(writing.writer);
    return ops.versionKind(writing.operation) == VersionKind.KNOWN
        && ops.version(writing.operation) == version;
  }

  private static boolean isWrittenBefore(Operations ops, int read) {
    for (int op = 0; op < read; op++) {
      if (ops.isWrite(op) && ops.key(op) == ops.key(read)) {
        return true;
      }
    }
    return false;
  }

  private static int finalWrite(Operations ops, long key) {
    for (int op = ops.size() - 1; op >= 0; op--) {
      if (ops.isWrite(op) && ops.key(op) == key) {
        return op;
      }
    }
    return -1;
  }

  /** What is known, as it may be added to. */
  boolean[][] knownOrder() {
    boolean[][] copy = new boolean[size()][];
    for (int i = 0; i < size(); i++) {
      copy[i] = known[i].clone();
    }
    return copy;
  }

  /** The transactions, by place. */
  List<CapsuleTransaction> transactions() {
    return Collections.unmodifiableList(transactions);
  }
}
