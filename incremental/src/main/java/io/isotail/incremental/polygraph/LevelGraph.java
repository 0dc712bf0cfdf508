package io.isotail.incremental.polygraph;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
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
 * The graph of one level over the transactions in the window, with a guessed order of each key's
 * versions.
 *
 * <p>With the order given, an edge from each version's writer to the next one's and from each
 * reader to the writer of the version after the one it read imply all others.
 */
public final class LevelGraph {
  /** A place is not guessed farther back: clocks may be far apart. */
  private static final int MOST_STEPS_BACK = 4_096;

  private final EventGraph graph;
  private final WantedEdges edges;
  private final Removal removal;

  /** What has left the window and is kept. */
  private final RetiredTransactions retired;

  private final GraphLimits limits;
  private final SearchBudget budget;
  private final SearchAccount account;

  /** Null where the level does not ask for real time. */
  private final @Nullable RealTime realTime;

  private final CommitHints hints = new CommitHints();
  private final SessionGaps gaps;
  private final LegalPlace legalPlace;

  /**
   * An empty graph of a level from {@code prefix} on.
   *
   * @param account shared with the graphs of the history's other levels
   */
  public LevelGraph(IsolationLevel level, GraphLimits limits, SearchAccount account) {
    this(level, limits, account, SearchBudget.DEFAULT);
  }

  /** An empty graph of a level, with bounds of what a search may cost. */
  LevelGraph(IsolationLevel level, GraphLimits limits, SearchAccount account, SearchBudget budget) {
    this.limits = limits;
    this.account = account;
    this.budget = budget;
    this.graph = new EventGraph(level);
    this.edges = graph.edges;
    this.legalPlace = new LegalPlace(graph);
    this.gaps = new SessionGaps(graph);
    this.realTime = level.followsRealTime() ? new RealTime(graph, limits) : null;
    this.removal = new Removal(graph, realTime);
    this.retired = new RetiredTransactions(graph, removal, realTime, limits.mostRetired());
  }

  /**
   * Adds the transaction that was delivered last.
   *
   * @return null if the level still holds; otherwise why not, and the transaction stays out
   */
  public @Nullable Conflict add(Transaction transaction) {
    TransactionNode node = graph.newNode(transaction);
    graph.append(node);
    if (realTime != null) {
      realTime.add(node);
    }
    addSessionOrder(node);
    addReads(node, key -> !transaction.leavesOutReadsOf(key));
    node.hint = hints.of(node);
    Conflict conflict = enterWanted(node);
    if (conflict == null) {
      addWrites(node);
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
  public @Nullable Conflict addWrite(Transaction transaction, long key) {
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
  public @Nullable Conflict conflictOfUpdates(Transaction transaction, LongCollection updated) {
    TransactionNode node = graph.newNode(transaction);
    graph.append(node);
    addReads(node, key -> updated.contains(key) && transaction.writes(key));
    node.hint = hints.of(node);
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

  private @Nullable Conflict enterWanted(TransactionNode newest) {
    ClosedCycle closed = graph.enterWanted();
    return closed == null
        ? null
        : new VersionSearch(graph, removal, realTime, budget, account).resolve(newest, closed);
  }

  /** Saves its transactions; {@link #saveBody} must follow. */
  public void saveHead(GraphWriter out) {
    state().saveHead(out);
  }

  /** Saves the rest; may be called for several graphs at the same time, each by one thread. */
  public void saveBody(StateWriter out) {
    state().saveBody(out);
  }

  /** Takes back what {@link #saveHead} saved, into an empty graph. */
  public void loadHead(GraphReader in) {
    state().loadHead(in);
  }

  /** Takes back what {@link #saveBody} saved. */
  public void loadBody(StateReader in) {
    state().loadBody(in);
  }

  private LevelGraphState state() {
    return new LevelGraphState(graph, retired, realTime, hints);
  }

  /** Number of transactions of the window that are part of the graph. */
  public int inWindow() {
    return graph.inWindow.size();
  }

  /** Whether a transaction is part of the graph. */
  public boolean contains(Transaction transaction) {
    return graph.nodeOf(transaction) != null;
  }

  /**
   * A transaction leaves the window; see {@link RetiredTransactions}.
   *
   * @return which cycles can no longer be found
   */
  public ForgottenCycles truncate(Transaction transaction) {
    gaps.forget(transaction);
    TransactionNode node = graph.nodeOf(transaction);
    return node == null ? ForgottenCycles.NONE : retired.retireOrDrop(node);
  }

  /** Ends; no transaction is part of it any more. */
  public void end() {
    graph.inWindow.forEach(TransactionNode::leave);
    retired.all.forEach(TransactionNode::leave);
  }

  /** Begins, empty, with what another level's graph keeps of what has left the window. */
  public void addRetiredOf(LevelGraph other) {
    hints.addAll(other.hints);
    graph.notes.incomplete |= other.graph.notes.incomplete;
    retired.fill();
    for (TransactionNode known : other.retired.all) {
      TransactionNode node = graph.newNode(known.transaction);
      node.hint = known.hint;
      hints.note(known.hint);
      graph.order.append(node);
      node.enter();
      retired.add(node);
      addWrites(node);
    }
    graph.enterAll();
  }

  /** Another level's graph ends, and this one is to stand for it. */
  public void standInFor(LevelGraph other) {
    retired.standInFor(other.retired);
  }

  /** All are added; takes out what {@link #addRetiredOf} added and nobody in the window needs. */
  public ForgottenCycles dropUseless() {
    retired.filled();
    return retired.dropUseless();
  }

  /** Tells what has been taken out since this was asked last. */
  public void drainDropped(Consumer<Transaction> to) {
    retired.drainDropped(to);
  }

  /** The transactions that have left the window and are still kept. */
  public List<Transaction> kept() {
    List<Transaction> kept = new ArrayList<>(retired.all.size());
    retired.all.forEach(node -> kept.add(node.transaction));
    return kept;
  }

  /** Which cycles could not be found since this was asked last, because of what has left before. */
  public ForgottenCycles forgotten() {
    return retired.takeForgotten();
  }

  /** Ends of transactions that were not ordered by time, since they came too late. */
  public long unordered() {
    return graph.unordered;
  }

  private void addSessionOrder(TransactionNode node) {
    TransactionNode before = before(node.transaction);
    TransactionNode after = null;
    if (node.transaction.outcome == Outcome.UNKNOWN) {
      // A successor is there only if this was promoted late.
      gaps.filled(node.transaction);
      after = after(node.transaction);
    }
    edges.wantInSession(node, before, after);
  }

  /** The last one of its session before a transaction, or null. */
  private @Nullable TransactionNode before(Transaction transaction) {
    TransactionNode before = gaps.nodeBefore(transaction);
    return before == null ? retired.latestBefore(transaction) : before;
  }

  /** The first one of its session after a transaction, or null. */
  private @Nullable TransactionNode after(Transaction transaction) {
    TransactionNode after = null;
    for (Transaction t = transaction.soNext; t != null && after == null; t = t.soNext) {
      after = graph.nodeOf(t);
    }
    return after;
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
      if ((ofVersion.reader == node && ofVersion.shown == null)
          || (ofNode.version == version && ofNode.shown == null)) {
        return true;
      }
      ofVersion = ofVersion.linkedAfter;
      ofNode = ofNode.nextOfReader;
    }
    return false;
  }

  private void addWrites(TransactionNode node) {
    int n = node.transaction.writeCount();
    VersionSlot[] places = new VersionSlot[n];
    for (int i = 0; i < n; i++) {
      places[i] = guessPlace(graph.versions(node.transaction.writeKey(i)), node);
    }
    boolean legal = legalPlace.move(node, places);
    node.writes = new VersionSlot[n];
    for (int i = 0; i < n; i++) {
      addWrite(node, i, legal ? legalPlace.behind(i) : places[i]);
    }
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

  /** Behind whatever committed earlier as far as is told, and behind what it read itself. */
  private static VersionSlot guessPlace(KeyVersions versions, TransactionNode node) {
    VersionSlot place = versions.last();
    int steps = 0;
    while (place.writer != null
        && steps++ < MOST_STEPS_BACK
        && place.writer.hint > node.hint
        && !isReadBy(place, node)
        && place.previous != null) {
      place = place.previous;
    }
    return place;
  }
}
