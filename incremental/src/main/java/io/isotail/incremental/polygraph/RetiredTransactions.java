package io.isotail.incremental.polygraph;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Reference2ObjectLinkedOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a graph keeps of transactions that have left the window: each with its writes alone, as long
 * as one of its versions is the last of its key, or is overwritten by one in the window, or was
 * read by one in the window, unless there are too many of these. So two transactions that overwrite
 * what was written long ago are still seen to do so.
 *
 * <p>What is kept is part of the history, and so is what follows from it.
 */
final class RetiredTransactions {
  private final EventGraph graph;
  private final RetirementNotes notes;
  private final Removal removal;
  private final @Nullable RealTime realTime;
  private final int most;

  /** Oldest first. */
  final LinkedItems<TransactionNode> all = new LinkedItems<>();

  /** Of each session the one that left the window last, if edges lead to it. */
  private final Map<SessionState, TransactionNode> latest =
      new Reference2ObjectLinkedOpenHashMap<>();

  /** What was lost when a transaction was added, until it is told. */
  private ForgottenCycles untold = ForgottenCycles.NONE;

  private final List<Transaction> dropped = new ArrayList<>();

  RetiredTransactions(EventGraph graph, Removal removal, @Nullable RealTime realTime, int most) {
    this.graph = graph;
    this.notes = graph.notes;
    this.removal = removal;
    this.realTime = realTime;
    this.most = most;
  }

  /** Takes a node that another graph has kept. */
  void add(TransactionNode node) {
    node.retired = true;
    all.add(node);
  }

  /** What could not be found since this was asked last. */
  ForgottenCycles takeForgotten() {
    ForgottenCycles forgotten = notes.followed ? untold.and(ForgottenCycles.ANY) : untold;
    notes.followed = false;
    untold = ForgottenCycles.NONE;
    return forgotten;
  }

  /** Takes out what is of no use any more after a transaction was added, or was not. */
  void dropNoted() {
    if (!notes.isEmpty()) {
      untold = untold.and(dropUseless());
    }
  }

  /** Any node may be of no use. */
  void noteUseless() {
    for (TransactionNode node : all) {
      if (!RetirementNotes.isOfUse(node)) {
        notes.note(node);
      }
    }
  }

  /** A node leaves the window; says which cycles can no longer be found. */
  ForgottenCycles retireOrDrop(TransactionNode node) {
    ForgottenCycles forgotten = takeForgotten();
    forgotten =
        forgotten.and(RetirementNotes.isOfUse(node) && most > 0 ? retire(node) : drop(node));
    TransactionNode oldest = all.first();
    if (oldest != null && all.size() > most) {
      forgotten = forgotten.and(drop(oldest));
    }
    return forgotten.and(dropUseless());
  }

  /** Takes out what is of no use any more; says which cycles can no longer be found. */
  ForgottenCycles dropUseless() {
    ForgottenCycles forgotten = ForgottenCycles.NONE;
    for (TransactionNode each = notes.poll(); each != null; each = notes.poll()) {
      forgotten = RetirementNotes.isOfUse(each) ? forgotten : forgotten.and(drop(each));
    }
    graph.enterAll();
    return forgotten;
  }

  /** Takes out its reads, and what follows from them, from list reads and from times. */
  private ForgottenCycles retire(TransactionNode node) {
    boolean lost = ListReads.showsWhatIsLost(node);
    boolean reads = node.firstRead != null || lost;
    ForgottenCycles forgotten = lost ? ForgottenCycles.ANY : cyclesThrough(node);
    for (ReadEdge read = node.firstRead; read != null; read = read.nextOfReader) {
      if (read.shown == null) {
        graph.takeOut(read);
      }
    }
    ListReads.forgetShownBy(graph, node, true);
    if (realTime != null) {
      realTime.remove(node);
    }
    List<ListAdjacency> open = notEnforced(node);
    Removal.forgetVersions(node);
    notes.incomplete |= overwritesItself(node.transaction);
    graph.inWindow.remove(node);
    add(node);
    for (VersionSlot slot : node.writes) {
      if (slot.key.lists != null) {
        slot.key.lists.addWriter(slot);
        open.removeAll(slot.key.lists.about(slot));
      }
      notes.noteOverwritten(slot.previous);
    }
    if (!reads && forgotten != ForgottenCycles.NONE) {
      // What leads to it leads on to whatever its session does next.
      followed(node);
      forgotten = ForgottenCycles.REAL_TIME;
    }
    // Of the versions of a key only the last is known from now on.
    return open.isEmpty() ? forgotten : ForgottenCycles.ANY;
  }

  void followed(TransactionNode node) {
    latest.merge(
        node.transaction.session,
        node,
        (a, b) -> a.transaction.number > b.transaction.number ? a : b);
  }

  /**
   * The last one of a session, if edges lead to it; null if {@code next} comes before it, as it may
   * when it is promoted late: then it may come after another one that is not known any more.
   */
  @Nullable TransactionNode latestBefore(Transaction next) {
    TransactionNode node = latest.get(next.session);
    if (node != null && node.transaction.number > next.number) {
      notes.followed = true;
      return null;
    }
    return node;
  }

  /**
   * Another graph ends, and this one is to stand for it: what only that one has kept is forgotten.
   */
  void standInFor(List<Transaction> kept) {
    for (Transaction transaction : kept) {
      notes.incomplete |= graph.nodeOf(transaction) == null;
    }
  }

  /** Saves which are {@link #latestBefore the last of their sessions}. */
  void saveLatest(StateWriter out) {
    out.count(latest.size());
    latest.values().forEach(node -> out.count(node.saved));
  }

  void loadLatest(List<TransactionNode> nodes, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      followed(nodes.get(in.count()));
    }
  }

  /** Whether it overwrote, or deleted, a version of its own. */
  private static boolean overwritesItself(Transaction transaction) {
    for (int i = 0; i < transaction.operations.size(); i++) {
      boolean installs =
          transaction.operations.kind(i) == OperationKind.WRITE
              && !transaction.operations.undone(i);
      int key = installs ? transaction.writeIndex(transaction.operations.key(i)) : -1;
      if (key >= 0 && transaction.finalWrite(key) != i) {
        return true;
      }
    }
    return false;
  }

  /** What lists show of its versions that still waits for another writer. */
  private static List<ListAdjacency> notEnforced(TransactionNode node) {
    List<ListAdjacency> open = new ArrayList<>();
    for (VersionSlot slot : node.writes) {
      if (slot.key.lists != null) {
        open.addAll(slot.key.lists.about(slot));
      }
    }
    open.removeIf(shown -> shown.enforced);
    return open;
  }

  private ForgottenCycles drop(TransactionNode node) {
    ForgottenCycles forgotten =
        ListReads.showsWhatIsLost(node) ? ForgottenCycles.ANY : cyclesThrough(node);
    for (VersionSlot slot : node.writes) {
      for (ReadEdge readEdge : slot.readers()) {
        forgotten = readEdge.behind != EdgeState.ABSENT ? ForgottenCycles.ANY : forgotten;
        graph.takeOut(readEdge);
      }
    }
    graph.forget(node);
    if (node.retired) {
      all.remove(node);
      latest.remove(node.transaction.session, node);
    } else {
      graph.inWindow.remove(node);
    }
    Removal.forgetVersions(node);
    ListReads.forgetShownBy(graph, node, true);
    if (realTime != null) {
      realTime.remove(node);
    }
    removal.takeOut(node);
    removal.takeOutWrites(node);
    node.overwritten = false;
    dropped.add(node.transaction);
    notes.incomplete = true;
    return forgotten;
  }

  /** Which cycles may lead through a node. */
  private ForgottenCycles cyclesThrough(TransactionNode node) {
    boolean any =
        graph.implied.anyLeadsTo(node.begin)
            || (node.begin != node.commit && graph.implied.anyLeadsTo(node.commit));
    ForgottenCycles forgotten = any ? ForgottenCycles.ANY : ForgottenCycles.NONE;
    boolean follows = TimeEdges.predecessors(node.begin, (from, via) -> true);
    return follows ? forgotten.and(ForgottenCycles.REAL_TIME) : forgotten;
  }

  /** Tells what has been taken out since this was asked last. */
  void drainDropped(Consumer<Transaction> to) {
    dropped.forEach(to);
    dropped.clear();
  }
}
