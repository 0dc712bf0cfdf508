package io.isotail.incremental.polygraph;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.LongCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A graph of one level over transactions, with a guessed order of each key's versions.
 *
 * <p>With the order given, an edge from each version's writer to the next one's and from each
 * reader to the writer of the version after the one it read imply all others.
 */
final class Polygraph {
  /** A place is not guessed farther back: clocks may be far apart. */
  private static final int MOST_STEPS_BACK = 4_096;

  final EventGraph graph;
  private final WantedEdges edges;
  private final Removal removal;

  /** What has left the window and is kept. */
  private final RetiredTransactions retired;

  private final GraphLimits limits;
  private final SearchBudget budget;
  private final SearchAccount account;

  /** Null where the level does not ask for real time. */
  private final @Nullable RealTime realTime;

  private final LegalPlace legalPlace;

  /**
   * An empty graph of a level from {@code prefix} on.
   *
   * @param account shared with the graphs of the history's other levels
   * @param budget what one search may cost
   * @param lasting whether it is what holds its transactions, and no copy for one search
   */
  Polygraph(
      IsolationLevel level,
      GraphLimits limits,
      SearchAccount account,
      SearchBudget budget,
      boolean lasting) {
    this.limits = limits;
    this.account = account;
    this.budget = budget;
    this.graph = new EventGraph(level, lasting);
    this.edges = graph.edges;
    this.legalPlace = new LegalPlace(graph);
    this.realTime = level.followsRealTime() ? new RealTime(graph, limits) : null;
    this.removal = new Removal(graph, realTime);
    this.retired = new RetiredTransactions(graph, removal, realTime, limits.mostRetired());
  }

  /**
   * Adds the transaction that was delivered last.
   *
   * @param before the last one before it in its session that is in the window, or null
   * @param after the first one after it in its session, or null
   * @param hint when it committed, as far as is told
   * @return null if the level still holds; otherwise why not, and the transaction stays out
   */
  @Nullable Conflict add(
      Transaction transaction,
      @Nullable Transaction before,
      @Nullable Transaction after,
      long hint) {
    TransactionNode node = graph.newNode(transaction);
    graph.append(node);
    if (realTime != null) {
      realTime.add(node);
    }
    edges.wantInSession(node, nodeBefore(transaction, before), nodeOf(after));
    addReads(node, key -> !transaction.leavesOutReadsOf(key));
    addReplaced(node);
    node.hint = hint;
    Conflict conflict = enterWanted(node);
    if (conflict == null) {
      addWrites(node);
      addReplacedBy(node);
      if (limits.listReads()) {
        ListReads.add(graph, node);
      }
      conflict = enterWanted(node);
      node.stays();
    }
    retired.dropNoted();
    return conflict;
  }

  /**
   * It has become known that a transaction of the window, which is part of the graph, wrote a key
   * too.
   *
   * @return null if the level still holds; otherwise why not, and the transaction is no longer part
   *     of the graph
   */
  @Nullable Conflict addWrite(Transaction transaction, long key) {
    TransactionNode node = graph.nodeOf(transaction);
    if (node == null) {
      throw new IllegalArgumentException(transaction + " is not part of the graph");
    }
    int i = transaction.writeIndex(key);
    node.addWrite(i);
    addWrite(node, i, guessPlace(graph.versions(key), node));
    Conflict conflict = enterWanted(node);
    retired.dropNoted();
    return conflict;
  }

  /**
   * Why what a transaction read and overwrote of some keys does not fit, all else that is known of
   * it apart; null if it does. The transaction stays out.
   */
  @Nullable Conflict conflictOfUpdates(Transaction transaction, LongCollection updated, long hint) {
    TransactionNode node = graph.newNode(transaction);
    graph.append(node);
    addReads(node, key -> updated.contains(key) && transaction.writes(key));
    node.hint = hint;
    Conflict conflict = enterWanted(node);
    if (conflict == null) {
      addWrites(node);
      conflict = enterWanted(node);
    }
    if (conflict == null) {
      removal.exclude(node);
      graph.enterAll();
    }
    retired.dropNoted();
    return conflict;
  }

  /** Takes a transaction that has left the window; nothing is known of it but its writes. */
  void takeRetired(TransactionNode node) {
    graph.take(node);
    retired.add(node);
    retired.followed(node);
  }

  /** Takes what a transaction wrote, and nothing else of it: neither its session nor its times. */
  void takeWrites(Transaction transaction) {
    TransactionNode node = graph.newNode(transaction);
    graph.order.append(node);
    graph.take(node);
    retired.add(node);
    addWrites(node);
    graph.enterAll();
  }

  /** Takes a transaction of the window, with its times. */
  void takeInWindow(TransactionNode node) {
    graph.take(node);
    graph.inWindow.add(node);
    if (realTime != null) {
      realTime.add(node);
    }
  }

  private @Nullable Conflict enterWanted(TransactionNode newest) {
    ClosedCycle closed = graph.enterWanted();
    return closed == null
        ? null
        : new VersionSearch(graph, removal, realTime, budget, account).resolve(newest, closed);
  }

  /** Saves its transactions; {@link #saveBody} must follow. */
  void saveHead(GraphWriter out) {
    state().saveHead(out);
  }

  /** Saves the rest; may be called for several graphs at the same time, each by one thread. */
  void saveBody(StateWriter out) {
    state().saveBody(out);
  }

  /** Takes back what {@link #saveHead} saved, into an empty graph. */
  void loadHead(GraphReader in) {
    state().loadHead(in);
  }

  /** Takes back what {@link #saveBody} saved. */
  void loadBody(StateReader in) {
    state().loadBody(in);
  }

  private PolygraphState state() {
    return new PolygraphState(graph, retired, realTime);
  }

  /** All that is known is added; from now on ends that come too late are not ordered by time. */
  void boundPointsBack() {
    graph.mostPointsBack = limits.mostPointsBack();
  }

  /** Ends of transactions that were not ordered by time, since they came too late. */
  long unordered() {
    return graph.unordered;
  }

  /** Whether list reads show anything of the order of a key's versions. */
  boolean anyLists() {
    return graph.keysWithLists > 0;
  }

  /** Number of transactions of the window that are part of the graph. */
  int inWindow() {
    return graph.inWindow.size();
  }

  /** Whether a transaction is part of the graph. */
  boolean contains(Transaction transaction) {
    return graph.nodeOf(transaction) != null;
  }

  /**
   * A transaction leaves the window; see {@link RetiredTransactions}.
   *
   * @return which cycles can no longer be found
   */
  ForgottenCycles truncate(Transaction transaction) {
    TransactionNode node = graph.nodeOf(transaction);
    return node == null ? ForgottenCycles.NONE : retired.retireOrDrop(node);
  }

  /** Ends; no transaction is part of it any more. */
  void end() {
    graph.inWindow.forEach(graph::forget);
    retired.all.forEach(graph::forget);
  }

  /** Another level's graph ends, and this one is to stand for it. */
  void standInFor(List<Transaction> kept) {
    retired.standInFor(kept);
  }

  /** Takes out what has left the window and nobody in it needs. */
  ForgottenCycles dropUseless() {
    retired.noteUseless();
    return retired.dropUseless();
  }

  /** Tells what has been taken out since this was asked last. */
  void drainDropped(Consumer<Transaction> to) {
    retired.drainDropped(to);
  }

  /** The nodes that have left the window and are still kept, oldest first. */
  List<TransactionNode> kept() {
    List<TransactionNode> kept = new ArrayList<>(retired.all.size());
    retired.all.forEach(kept::add);
    return kept;
  }

  /** Which cycles could not be found since this was asked last, because of what has left before. */
  ForgottenCycles forgotten() {
    return retired.takeForgotten();
  }

  private @Nullable TransactionNode nodeBefore(
      Transaction transaction, @Nullable Transaction before) {
    return before == null ? retired.latestBefore(transaction) : graph.nodeOf(before);
  }

  private @Nullable TransactionNode nodeOf(@Nullable Transaction transaction) {
    return transaction == null ? null : graph.nodeOf(transaction);
  }

  private void addReads(TransactionNode node, LongPredicate ofKey) {
    Transaction transaction = node.transaction;
    for (int i = 0; i < transaction.readWriters.length; i++) {
      Transaction writer = transaction.readWriters[i];
      long key = transaction.operations.key(transaction.readOperations[i]);
      if (writer == null || !transaction.readsVersion(i) || !ofKey.test(key)) {
        continue;
      }
      VersionSlot version;
      if (writer == Transaction.INITIAL) {
        version = graph.versions(key);
      } else {
        TransactionNode source = graph.nodeOf(writer);
        if (source == null) {
          continue;
        }
        version = source.slotOf(key);
        if (version == null) {
          continue;
        }
      }
      if (!wasReadLastBy(version, node)) {
        ReadEdge readEdge = new ReadEdge(node, version);
        readEdge.link();
        edges.wantRead(readEdge);
        edges.connect(readEdge);
      }
    }
  }

  /** Whether a transaction whose reads are being added has read a version already. */
  private static boolean wasReadLastBy(VersionSlot version, TransactionNode node) {
    ReadEdge last = version.readers().last();
    return last != null && last.reader == node;
  }

  private static boolean isReadBy(VersionSlot version, TransactionNode node) {
    ReadEdge ofVersion = version.readers().first();
    ReadEdge ofNode = node.firstRead;
    while (ofVersion != null && ofNode != null) {
      if ((ofVersion.reader == node && ofVersion.isRead())
          || (ofNode.version == version && ofNode.isRead())) {
        return true;
      }
      ofVersion = ofVersion.linkedAfter;
      ofNode = ofNode.nextOfReader;
    }
    return false;
  }

  /** Puts each version that it is known to have replaced directly before its own. */
  private void addReplaced(TransactionNode node) {
    Transaction transaction = node.transaction;
    for (int i = 0; transaction.anyReplaced() && i < transaction.writeCount(); i++) {
      VersionSlot version = slotOf(transaction.replaced(i), transaction.writeKey(i));
      if (version != null) {
        addReplaced(node, version);
      }
    }
  }

  /** Puts each version that is known to have replaced its own directly behind it. */
  private void addReplacedBy(TransactionNode node) {
    Transaction transaction = node.transaction;
    for (int i = 0; transaction.anyReplaced() && i < transaction.writeCount(); i++) {
      VersionSlot next = slotOf(transaction.replacedBy(i), transaction.writeKey(i));
      if (next != null) {
        addReplaced(next.owner(), node.writes[i]);
      }
    }
  }

  private void addReplaced(TransactionNode overwriter, VersionSlot version) {
    ReadEdge replaced = ReadEdge.replaced(overwriter, version);
    replaced.link();
    edges.wantRead(replaced);
    edges.connect(replaced);
  }

  private @Nullable VersionSlot slotOf(@Nullable Transaction writer, long key) {
    TransactionNode node = nodeOf(writer);
    return node == null ? null : node.slotOf(key);
  }

  /** A transaction is no longer known to have replaced a version of a key. */
  void forgetReplaced(Transaction transaction, long key) {
    TransactionNode node = graph.nodeOf(transaction);
    ReadEdge read = node == null ? null : node.firstRead;
    while (read != null) {
      ReadEdge next = read.nextOfReader;
      if (read.replaces && read.version.key.id == key) {
        graph.takeOut(read);
      }
      read = next;
    }
    retired.dropNoted();
  }

  private void addWrites(TransactionNode node) {
    int n = node.transaction.writeCount();
    VersionSlot[] places = new VersionSlot[n];
    for (int i = 0; i < n; i++) {
      VersionSlot known = knownPlace(node.transaction, i);
      places[i] =
          known == null ? guessPlace(graph.versions(node.transaction.writeKey(i)), node) : known;
    }
    boolean legal = legalPlace.move(node, places);
    node.writes = new VersionSlot[n];
    for (int i = 0; i < n; i++) {
      boolean moves = legal && knownPlace(node.transaction, i) == null;
      addWrite(node, i, moves ? legalPlace.behind(i) : places[i]);
    }
  }

  /** Behind what it is known to have replaced, or before what replaced its own; or null. */
  private @Nullable VersionSlot knownPlace(Transaction transaction, int i) {
    if (!transaction.anyReplaced()) {
      return null;
    }
    long key = transaction.writeKey(i);
    VersionSlot version = slotOf(transaction.replaced(i), key);
    VersionSlot next = version == null ? slotOf(transaction.replacedBy(i), key) : null;
    return next == null ? version : next.previous;
  }

  private void addWrite(TransactionNode node, int i, VersionSlot place) {
    VersionSlot slot = new VersionSlot(place.key, node);
    VersionSlot shown = null;
    if (place.key.lists != null) {
      place.key.lists.addWriter(slot);
      shown = place.key.lists.placeOf(slot);
    }
    VersionSlot previous = shown == null ? place : shown;
    WantedEdges.disconnect(previous);
    place.key.insert(slot, previous);
    graph.notes.noteOverwritten(previous);
    node.writes[i] = slot;
    edges.connect(previous);
    edges.connect(slot);
    if (place.key.lists != null) {
      ListReads.enforce(graph, place.key.lists.about(slot));
    }
  }

  /**
   * Behind whatever committed earlier as far as is told, behind what it read itself, and behind
   * what has left.
   */
  private static VersionSlot guessPlace(KeyVersions versions, TransactionNode node) {
    VersionSlot place = versions.last();
    int steps = 0;
    while (place.writer != null
        && !place.writer.retired
        && steps++ < MOST_STEPS_BACK
        && place.writer.hint > node.hint
        && !isReadBy(place, node)
        && place.previous != null) {
      place = place.previous;
    }
    while (place.next != null && isReplacedBy(place, place.next)) {
      place = place.next;
    }
    return place;
  }

  private static boolean isReplacedBy(VersionSlot version, VersionSlot next) {
    for (ReadEdge read = version.readers().first();
        read != null && version.key.replaced > 0;
        read = read.linkedAfter) {
      if (read.replaces && read.reader == next.writer) {
        return true;
      }
    }
    return false;
  }
}
