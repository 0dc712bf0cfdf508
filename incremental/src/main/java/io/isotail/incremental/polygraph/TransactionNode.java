package io.isotail.incremental.polygraph;

import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction in a level's graph. */
final class TransactionNode extends Linked<TransactionNode> {
  private static final VersionSlot[] NO_VERSIONS = {};

  final Transaction transaction;
  final Event begin;
  final Event commit;

  /**
   * Where it stands among the writers of each key that it wrote, as those ascend; empty until it
   * does.
   */
  VersionSlot[] writes = NO_VERSIONS;

  /**
   * Its reads from others, and what it is listed behind; {@link ReadEdge#nextOfReader} leads on.
   */
  @Nullable ReadEdge firstRead;

  private @Nullable ReadEdge lastRead;

  /** Where its list reads end; those of others may show the same. */
  List<ListAdjacency> shows = List.of();

  private List<ListAdjacency> broughtIntoForce = List.of();

  /** Whether it has left the window, and is kept for the versions that it wrote. */
  boolean retired;

  /** Whether it comes before all whose place is not fixed, and nothing that it follows is known. */
  boolean fixed;

  /** Whether it is noted as retired and perhaps of no use any more. */
  boolean overwritten;

  /** Its beginning and its end by its own clock; null where that is not told. */
  TimePoint.@Nullable Begun begun;

  @Nullable TimePoint end;

  /** Its beginning and its end in the chain of all clocks; null where that is not told. */
  TimePoint.@Nullable Begun begunAcross;

  @Nullable TimePoint endAcross;

  /**
   * The number of the first transaction of its session from which session order leads here, from
   * one to the next as they were delivered; those of them that have left the window apart. One that
   * was promoted late, after its session had gone on, begins a run of its own.
   */
  long run;

  /** Whether it becomes part of the run of the one before it, once that leads here. */
  private boolean awaitsRun;

  /** Its neighbours in its session; null where there are none, or not any more. */
  @Nullable TransactionNode before;

  @Nullable TransactionNode after;

  /** The edge from the one before it in its session. */
  EdgeState afterBefore = EdgeState.ABSENT;

  /** When it committed, as far as is told; only a guess rests on it. */
  long hint;

  /**
   * A transaction that is to be part of a graph.
   *
   * @param oneEvent whether the level does not tell its begin and its commit apart
   */
  TransactionNode(Transaction transaction, boolean oneEvent) {
    this.transaction = transaction;
    this.run = transaction.number;
    this.begin = new Event(this);
    this.commit = oneEvent ? begin : new Event(this);
    if (!oneEvent) {
      begin.commit = commit;
      commit.begin = begin;
    }
  }

  /** Puts it into the run of the one before it, once that leads here. */
  void awaitRun() {
    awaitsRun = true;
  }

  /** Stands directly after another one of its session. */
  void follow(TransactionNode earlier, EdgeState edge) {
    before = earlier;
    earlier.after = this;
    afterBefore = edge;
  }

  /** The one before it in its session leads here from now on. */
  void joinRun(TransactionNode earlier) {
    if (awaitsRun) {
      run = earlier.run;
      awaitsRun = false;
    }
  }

  /** Makes room for the version of key number {@code i}, which it is now known to have written. */
  void addWrite(int i) {
    VersionSlot[] more = new VersionSlot[writes.length + 1];
    System.arraycopy(writes, 0, more, 0, i);
    System.arraycopy(writes, i, more, i + 1, writes.length - i);
    writes = more;
  }

  /**
   * An order that its lists show is in force since it was added. What its writes have put in force
   * goes with them.
   */
  void broughtIntoForce(ListAdjacency shown) {
    if (broughtIntoForce.isEmpty()) {
      broughtIntoForce = new ArrayList<>(2);
    }
    broughtIntoForce.add(shown);
  }

  /** What is in force since it was added, until it {@link #stays}. */
  List<ListAdjacency> broughtIntoForce() {
    return broughtIntoForce;
  }

  /** It was added, and fits. */
  void stays() {
    broughtIntoForce = List.of();
  }

  /** Adds where a list read of its own ends. */
  void addShown(ListAdjacency adjacency) {
    if (shows.isEmpty()) {
      shows = new ArrayList<>(2);
    }
    shows.add(adjacency);
  }

  /** Where it stands among the writers of {@code key}; null if it did not write it. */
  @Nullable VersionSlot slotOf(long key) {
    int i = transaction.writeIndex(key);
    return i < 0 || writes.length == 0 ? null : writes[i];
  }

  /** Adds a read, or what it is listed behind, as the last. */
  void addRead(ReadEdge read) {
    ReadEdge last = lastRead;
    read.previousOfReader = last;
    if (last == null) {
      firstRead = read;
    } else {
      last.nextOfReader = read;
    }
    lastRead = read;
  }

  /** Takes out one of these; that one still leads on to the next. */
  void takeOut(ReadEdge read) {
    ReadEdge previous = read.previousOfReader;
    ReadEdge next = read.nextOfReader;
    if (previous == null) {
      firstRead = next;
    } else {
      previous.nextOfReader = next;
    }
    if (next == null) {
      lastRead = previous;
    } else {
      next.previousOfReader = previous;
    }
  }

  /** Whether it comes before another one of its session. */
  boolean isEarlierThan(TransactionNode other) {
    return transaction.number < other.transaction.number;
  }

  /**
   * Whether it reads from another one, is listed behind it, replaced its version, or comes after it
   * in its session.
   */
  boolean follows(TransactionNode other) {
    if (transaction.session == other.transaction.session
        && other.transaction.number < transaction.number) {
      return true;
    }
    for (ReadEdge read = firstRead; read != null; read = read.nextOfReader) {
      if (read.version.writer == other && !read.element) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether dependencies of session order that are part of the graph lead from here to a later one
   * of its session. False where that is not known.
   *
   * <p>They do: each of a run comes directly behind the one before it, as far as the graph has
   * them, and they leave the window in the order of the run. Of what is retired any may be missing.
   * Where one in the middle is taken out, its neighbours are joined.
   */
  boolean isEarlierInRun(TransactionNode later) {
    return run == later.run
        && transaction.session == later.transaction.session
        && transaction.number < later.transaction.number
        && !retired;
  }

  /** What shows that a version of its own directly succeeds one of another writer, or null. */
  @Nullable ListAdjacency listedBehind(TransactionNode other) {
    for (ReadEdge read = firstRead; read != null; read = read.nextOfReader) {
      if (read.version.writer == other && read.shown != null) {
        return read.shown;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return transaction.name();
  }
}
