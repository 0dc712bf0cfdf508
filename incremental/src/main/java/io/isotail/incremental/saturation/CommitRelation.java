package io.isotail.incremental.saturation;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.digraph.SearchMarks;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The saturated commit relation co' of the transactions in the window, kept acyclic for each level.
 *
 * <p>The relation of a level holds every edge whose {@code level} is that level or weaker, so the
 * relations form a chain. While the strongest one has left nothing out, its order proves all weaker
 * ones acyclic and they cost nothing. From the first edge that it leaves out until that edge has
 * left the window, each weaker level keeps an order of its own.
 *
 * <p>Session order and reads make most of the relation. They are no {@link CommitEdge}s but what
 * {@link RelationNode#after} and {@link RelationNode#reader} tell, since they agree with any order
 * in which transactions are appended as they are delivered; only a transaction that is promoted
 * late needs more.
 *
 * <p>It may hold only the transactions from some place of the window on. The earlier ones are
 * settled: no edge leads to them or from them.
 *
 * <p>An edge that would close a cycle stays in the relation but is left out of the order; it is
 * violated at the weakest level at which that happens.
 */
public final class CommitRelation {
  private static final IsolationLevel[] LEVELS = IsolationLevel.values();

  /** So many edges of a node are looked through for one of them. */
  private static final int FEW_EDGES = 16;

  private final int strongest;
  private final SearchMarks marks = new SearchMarks();
  private final LevelOrder[] orders;
  private final boolean[] active;
  private final List<List<CommitEdge>> leftOut = new ArrayList<>();
  private final int[] liveLeftOut;
  private final Iterable<Transaction> window;

  /** What was delivered before that place is no part of it. */
  private long from;

  /** What became of an edge. */
  public enum Added {
    /** It agrees with the order, or was mended in. */
    ORDERED,
    /** The relation had it, at this level or a weaker one. */
    KNOWN,
    /** It closes a cycle. */
    VIOLATES
  }

  private @Nullable IsolationLevel violated;
  private @Nullable CommitEdge latest;

  /** An empty relation over the committed transactions in {@code window}. */
  public CommitRelation(IsolationLevel strongest, Iterable<Transaction> window) {
    this.strongest = strongest.ordinal();
    this.window = window;
    this.orders = new LevelOrder[this.strongest + 1];
    this.active = new boolean[this.strongest + 1];
    this.liveLeftOut = new int[this.strongest + 1];
    for (int i = 0; i <= this.strongest; i++) {
      orders[i] = new LevelOrder(LEVELS[i], marks);
      leftOut.add(new ArrayList<>());
    }
    active[this.strongest] = true;
  }

  /**
   * A transaction is delivered, with its reads resolved. It comes last until an edge says
   * otherwise; session order and its reads put it after what it follows.
   */
  public void append(Transaction t) {
    enter(t);
    link(t, Long.MAX_VALUE);
  }

  /**
   * Place of the first transaction that may be part of it; what was delivered before is settled.
   */
  public long from() {
    return from;
  }

  /** Whether a transaction of the window, or the initial one, is settled. */
  public boolean settles(Transaction t) {
    return t.deliveredAt < from;
  }

  /** Makes all settled that were delivered before that place. The relation is empty. */
  public void beginAt(long place) {
    from = place;
  }

  /**
   * What was delivered from an earlier place on becomes part of the relation, before what is.
   *
   * @param all transactions from there on, as delivered
   */
  public void prepend(long place, Iterable<Transaction> all) {
    long before = from;
    from = place;
    for (Transaction t : all) {
      if (t.deliveredAt < before) {
        enter(t);
      }
      link(t, before);
    }
  }

  private void enter(Transaction t) {
    RelationNode node = RelationNode.in(t);
    if (strongest > 0 && active[strongest - 1]) {
      node.orderWeaker(strongest);
    }
    for (int i = 0; i <= strongest; i++) {
      if (active[i]) {
        orders[i].enter(node);
      }
    }
  }

  /** Links it to what it follows directly, as far as that was delivered before a place. */
  private void link(Transaction t, long place) {
    RelationNode node = RelationNode.in(t);
    Transaction predecessor = t.soPrev;
    while (predecessor != null
        && (predecessor.state == Transaction.State.PENDING
            || predecessor.deliveredAt > t.deliveredAt)) {
      // Promoted after its session had gone on; it comes, or came, behind this one.
      predecessor = predecessor.soPrev;
    }
    if (predecessor != null && isPart(predecessor, place)) {
      RelationNode before = RelationNode.in(predecessor);
      if (before.after == null) {
        node.follow(before);
      } else {
        // Promoted into the middle of its session.
        addSessionOrder(predecessor, t);
      }
    }
    for (Transaction writer : t.readWriters) {
      if (writer != null && isPart(writer, place)) {
        RelationNode.in(writer).addReader(node);
      }
    }
  }

  private boolean isPart(Transaction t, long place) {
    return t != Transaction.INITIAL
        && t.state == Transaction.State.DELIVERED
        && !settles(t)
        && t.deliveredAt < place;
  }

  /** Adds session order between two delivered transactions of which the first came late. */
  public Added addSessionOrder(Transaction from, Transaction to) {
    return add(from, to, EdgeKind.SO, 0, null, IsolationLevel.READ_COMMITTED);
  }

  /** The delivered transactions that {@code t} happens before, in delivery order. */
  public List<Transaction> happensAfter(Transaction t) {
    return Successors.of(t, marks.next());
  }

  /** Adds an inferred edge, which {@code reader}'s read of {@code key} from {@code to} implies. */
  public Added addInferred(
      Transaction from, Transaction to, long key, Transaction reader, IsolationLevel level) {
    return add(from, to, EdgeKind.CO, key, reader, level);
  }

  /** Whether no edge is left out, so that the strongest level's order is the only one. */
  public boolean nothingLeftOut() {
    return liveLeftOut[strongest] == 0 && (strongest == 0 || !active[strongest - 1]);
  }

  /**
   * Adds an inferred edge if nothing is left out and it agrees with the order, or can be mended in.
   *
   * @param fresh whether the relation certainly does not have it
   * @return false if it would close a cycle; nothing has then been changed
   */
  public boolean addIfOrdered(
      Transaction from,
      Transaction to,
      long key,
      Transaction reader,
      IsolationLevel level,
      boolean fresh) {
    if (!fresh) {
      CommitEdge known = find(RelationNode.in(from), RelationNode.in(to));
      if (known != null) {
        if (level.compareTo(known.level) < 0) {
          known.weaken(level, key, reader);
        }
        return true;
      }
    }
    CommitEdge edge =
        new CommitEdge(RelationNode.in(from), RelationNode.in(to), EdgeKind.CO, key, reader, level);
    if (!orders[strongest].insert(edge)) {
      return false;
    }
    enter(edge);
    return true;
  }

  /** From now on each weaker level keeps its own order, for as long as an edge is left out. */
  public void orderWeakerLevels() {
    List<RelationNode> nodes = new ArrayList<>();
    for (Transaction t : window) {
      RelationNode node = RelationNode.of(t);
      if (node != null) {
        node.orderWeaker(strongest);
        nodes.add(node);
      }
    }
    for (int i = strongest - 1; i >= 0; i--) {
      if (!active[i]) {
        orders[i].copyFrom(orders[i + 1], nodes);
        active[i] = true;
      }
    }
  }

  /** The edge of the last call that returned {@link Added#VIOLATES} or {@link Added#KNOWN}. */
  public CommitEdge latest() {
    if (latest == null) {
      throw new IllegalStateException("no edge yet");
    }
    return latest;
  }

  /** The weakest level at which {@link #latest()} closes a cycle. */
  public IsolationLevel violated() {
    if (violated == null) {
      throw new IllegalStateException("no violation");
    }
    return violated;
  }

  /**
   * Takes out every edge of a transaction that leaves the window.
   *
   * @return how many edges led to it: a cycle through one of them can no longer be found
   */
  public int remove(Transaction t) {
    RelationNode node = RelationNode.of(t);
    if (node == null) {
      return 0;
    }
    for (CommitEdge edge = node.firstOut(); edge != null; edge = node.firstOut()) {
      takeOut(edge);
    }
    int lost = 0;
    for (CommitEdge edge = node.firstIn(); edge != null; edge = node.firstIn()) {
      takeOut(edge);
      lost++;
    }
    if (node.after != null) {
      node.after.before = null;
    }
    if (node.before != null) {
      node.before.after = null;
      lost++;
    }
    node.remove();
    for (Transaction writer : t.readWriters) {
      // Only a writer that was promoted late can still be there.
      if (writer != null
          && writer.state == Transaction.State.DELIVERED
          && writer != Transaction.INITIAL) {
        lost++;
      }
    }
    for (int i = 0; i <= strongest; i++) {
      if (leftOut.get(i).size() > 16 + 2 * liveLeftOut[i]) {
        leftOut.get(i).removeIf(edge -> !edge.isEntered());
      }
    }
    if (liveLeftOut[strongest] == 0 && strongest > 0 && active[strongest - 1]) {
      deactivateWeaker();
    }
    return lost;
  }

  /** Forgets the whole relation, which has left nothing out, and with it the clocks. */
  public void clear() {
    from = 0;
    for (Transaction t : window) {
      RelationNode node = RelationNode.of(t);
      if (node != null) {
        node.remove();
      }
    }
    for (List<CommitEdge> edges : leftOut) {
      edges.clear();
    }
    Arrays.fill(liveLeftOut, 0);
    Arrays.fill(active, 0, strongest, false);
    latest = null;
    violated = null;
  }

  /** Marks for searches over this relation. */
  public SearchMarks marks() {
    return marks;
  }

  private Added add(
      Transaction from,
      Transaction to,
      EdgeKind kind,
      long key,
      @Nullable Transaction reader,
      IsolationLevel level) {
    RelationNode start = RelationNode.in(from);
    RelationNode end = RelationNode.in(to);
    CommitEdge edge = find(start, end);
    int upTo = strongest;
    if (edge == null) {
      edge = new CommitEdge(start, end, kind, key, reader, level);
      enter(edge);
    } else if (edge.level.compareTo(level) <= 0) {
      latest = edge;
      return Added.KNOWN;
    } else {
      upTo = edge.level.ordinal() - 1;
      edge.weaken(level, key, reader);
    }
    latest = edge;
    int weakest = -1;
    for (int i = upTo; i >= level.ordinal(); i--) {
      if (!active[i]) {
        continue;
      }
      // An edge in the order is part of the graph that is searched: it must not lead the search.
      edge.leftOut |= 1 << i;
      if (orders[i].insert(edge)) {
        edge.leftOut &= ~(1 << i);
      } else {
        leaveOut(edge, i);
        weakest = i;
      }
    }
    if (weakest < 0) {
      return Added.ORDERED;
    }
    violated = LEVELS[weakest];
    return Added.VIOLATES;
  }

  private void leaveOut(CommitEdge edge, int i) {
    leftOut.get(i).add(edge);
    liveLeftOut[i]++;
  }

  private void deactivateWeaker() {
    for (int i = 0; i < strongest; i++) {
      active[i] = false;
      for (CommitEdge edge : leftOut.get(i)) {
        edge.leftOut &= ~(1 << i);
      }
      leftOut.get(i).clear();
      liveLeftOut[i] = 0;
    }
  }

  private static void enter(CommitEdge edge) {
    edge.enter();
    edge.to.noteEntered(edge);
  }

  /**
   * Looks at both ends in turn, so that the shorter list decides how long it takes; where both are
   * long, at what the later end knows of where its edges come from.
   */
  private static @Nullable CommitEdge find(RelationNode from, RelationNode to) {
    CommitEdge out = from.firstOut();
    CommitEdge in = to.firstIn();
    for (int steps = 0; out != null && in != null; steps++) {
      if (steps == FEW_EDGES) {
        return to.edgeFrom(from);
      }
      if (out.to == to) {
        return out;
      }
      if (in.from == from) {
        return in;
      }
      out = out.nextOut();
      in = in.nextIn();
    }
    return null;
  }

  private void takeOut(CommitEdge edge) {
    edge.remove();
    edge.to.noteRemoved(edge);
    for (int level = 0; edge.leftOut != 0 && level <= strongest; level++) {
      liveLeftOut[level] -= (edge.leftOut >> level) & 1;
    }
  }

  /**
   * Saves the relation.
   *
   * @param mayBePart all transactions that are part of it, in order, and perhaps others
   */
  public void save(RelationWriter relation, Iterable<Transaction> mayBePart) {
    relation.contents(mayBePart);
    StateWriter out = relation.graph.out;
    marks.save(out);
    out.number(from);
    for (int i = 0; i <= strongest; i++) {
      orders[i].save(out);
      out.flag(active[i]);
      out.number(liveLeftOut[i]);
      out.count(leftOut.get(i).size());
      for (CommitEdge edge : leftOut.get(i)) {
        relation.edge(edge);
      }
    }
    out.constant(violated);
    relation.edge(latest);
  }

  /** Takes back what {@link #save} saved. */
  public void load(RelationReader relation) {
    relation.contents();
    StateReader in = relation.graph.in;
    marks.load(in);
    from = in.number();
    for (int i = 0; i <= strongest; i++) {
      orders[i].load(in);
      active[i] = in.flag();
      liveLeftOut[i] = in.smallNumber();
      for (int n = in.count(); n > 0; n--) {
        leftOut.get(i).add(relation.edge());
      }
    }
    violated = in.constantOrNull(IsolationLevel.class);
    latest = relation.edgeOrNull();
  }
}
