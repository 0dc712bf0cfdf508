package io.isotail.incremental.polygraph;

import io.isotail.incremental.certificate.Certificate;
import io.isotail.incremental.certificate.Excerpt;
import io.isotail.incremental.certificate.Numbers;
import io.isotail.incremental.certificate.Placed;
import io.isotail.incremental.certificate.Wish;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.LongCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether one level holds, transaction by transaction.
 *
 * <p>A {@link Certificate} shows it as long as there is room for the next transaction. For one for
 * which there is none, a {@link Polygraph} is made of those that it may contradict, and tells an
 * order of these or why there is none. Where that would be too many, or too often, a graph of the
 * whole window takes the place of the certificate for a while.
 */
public final class LevelGraph {
  /** Larger ones are not looked through after each step. */
  private static final int MOST_ASSERTED = 100;

  private final IsolationLevel level;
  private final GraphLimits limits;
  private final SearchBudget budget;
  private final SearchAccount account;
  private final CommitHints hints = new CommitHints();
  private final SessionGaps gaps = new SessionGaps(this::contains);
  private final LatestBegins left = new LatestBegins();
  private final Patience patience;
  private Certificate certificate;

  /** In place of the certificate, which is empty then; or null. */
  private @Nullable Polygraph graph;

  /** Ends of transactions that were not ordered by time, but for those that the graph counts. */
  private long unordered;

  /** Whether a graph was begun when some had left, of which it does not know what led to them. */
  private boolean forgot;

  /** What was read of a saved certificate until its transactions are there. */
  private List<Numbers> loaded = List.of();

  /** Before and after a transaction in its session, as far as they are part of this. */
  private record Neighbours(@Nullable Transaction before, @Nullable Transaction after) {}

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
    this.level = level;
    this.limits = limits;
    this.account = account;
    this.budget = budget;
    this.patience = new Patience(limits.copied());
    this.certificate = newCertificate();
  }

  private Certificate newCertificate() {
    return new Certificate(level, limits.mostRetired(), limits.uncertaintyNs());
  }

  private Polygraph newGraph(boolean lasting) {
    return new Polygraph(level, limits, account, budget, lasting);
  }

  /**
   * Adds the transaction that was delivered last.
   *
   * @return null if the level still holds; otherwise why not, and the transaction stays out
   */
  public @Nullable Conflict add(Transaction transaction) {
    Neighbours near = neighbours(transaction);
    Wish wish = hints.of(transaction);
    boolean late = comesBeforeWhatHasLeft(transaction.times);
    unordered += late ? 1 : 0;
    patience.transaction();
    Function<Polygraph, @Nullable Conflict> adding =
        to -> to.add(transaction, near.before, near.after, wish.commit(hints.latest()));
    if (graph != null || (limits.listReads() && transaction.operations.anyList())) {
      return inLastingGraph(adding);
    }
    LongPredicate counts = key -> !transaction.leavesOutReadsOf(key);
    boolean mayMove = patience.mostCopied() > 0;
    boolean hasRoom =
        certificate.add(
            transaction, counts, placed(near.before), placed(near.after), late, wish, mayMove);
    patience.looked(certificate.takeLooked());
    if (hasRoom) {
      hints.note(certificate.latest());
      assert isSound();
      return null;
    }
    Search search = search(certificate.before(), adding);
    if (search == null) {
      return inLastingGraph(adding);
    }
    if (search.conflict == null) {
      certificate.renumber(search.excerpt, search.order(), transaction, wish);
      hints.note(certificate.latest());
    }
    certificate.forgetVain();
    assert isSound();
    return search.conflict;
  }

  /** A search in a graph of its own, and how it ended. */
  private record Search(Excerpt excerpt, Polygraph graph, @Nullable Conflict conflict) {
    List<Transaction> order() {
      return NumberedGraph.order(graph);
    }
  }

  /**
   * Makes a change in a graph of those with larger numbers, and if they contradict it once more
   * with what they have read, which says why. Where it contradicts only that this comes before
   * them, that is asked too.
   *
   * @return null if that would take too long
   */
  private @Nullable Search search(long from, Function<Polygraph, @Nullable Conflict> change) {
    long least = from;
    while (true) {
      int most = patience.mostCopied();
      Search search = search(least, most, false, change);
      if (search != null) {
        patience.copied(search.excerpt.later().size());
      }
      if (search != null && search.conflict != null) {
        search = search(least, most, true, change);
      }
      if (search == null) {
        return null;
      }
      long taken = search.conflict == null ? least : leastTaken(search.conflict, least);
      if (taken == least) {
        unordered += search.graph.unordered();
        return search;
      }
      least = taken;
    }
  }

  private @Nullable Search search(
      long least, int most, boolean whole, Function<Polygraph, @Nullable Conflict> change) {
    Excerpt excerpt = certificate.excerpt(least, most, whole);
    if (excerpt == null) {
      return null;
    }
    Polygraph small = newGraph(false);
    NumberedGraph.fill(small, excerpt, true);
    return new Search(excerpt, small, change.apply(small));
  }

  /** The least number of those that a conflict takes to come first. */
  private long leastTaken(Conflict conflict, long otherwise) {
    long least = otherwise;
    for (List<Dependency> cycle : conflict.cycles()) {
      for (Dependency dependency : cycle) {
        TransactionNode first = dependency.takenAsFirst();
        Placed placed = first == null ? null : certificate.of(first.transaction);
        least = placed == null ? least : Math.min(least, certificate.leastFor(placed));
      }
    }
    return least;
  }

  private @Nullable Conflict inLastingGraph(Function<Polygraph, @Nullable Conflict> change) {
    Polygraph lasting = lasting();
    long unorderedBefore = lasting.unordered();
    Conflict conflict = change.apply(lasting);
    if (lasting.unordered() > unorderedBefore) {
      // Its numbers could contradict its time.
      patience.restart(lasting.inWindow());
    }
    if (patience.isRestored(lasting.inWindow()) && !lasting.anyLists()) {
      leave(lasting);
    }
    return conflict;
  }

  /** The graph of the window, which takes the place of the certificate from now on. */
  private Polygraph lasting() {
    if (graph == null) {
      Polygraph lasting = newGraph(true);
      patience.lose(certificate.size());
      Excerpt all = certificate.all();
      forgot |= certificate.anyLeft();
      certificate.end();
      NumberedGraph.fill(lasting, all, false);
      lasting.boundPointsBack();
      certificate = newCertificate();
      graph = lasting;
    }
    return graph;
  }

  /** The certificate takes the place of the graph. */
  private void leave(Polygraph lasting) {
    unordered += lasting.unordered();
    List<Numbers> numbers = NumberedGraph.numbers(lasting);
    lasting.end();
    graph = null;
    certificate.fill(numbers);
    patience.restore();
  }

  /**
   * It has become known that a transaction of the window, which is part of this, wrote a key too.
   *
   * @return null if the level still holds; otherwise why not, and the transaction is no longer part
   *     of this
   */
  public @Nullable Conflict addWrite(Transaction transaction, long key) {
    if (!contains(transaction)) {
      throw new IllegalArgumentException(transaction + " is not part of the graph");
    }
    Function<Polygraph, @Nullable Conflict> adding = to -> to.addWrite(transaction, key);
    if (graph != null) {
      return inLastingGraph(adding);
    }
    Placed placed = Objects.requireNonNull(certificate.of(transaction));
    if (certificate.addWrite(placed, key)) {
      return null;
    }
    Search search = search(placed.begin(), adding);
    if (search == null) {
      return inLastingGraph(adding);
    }
    if (search.conflict != null) {
      certificate.exclude(placed);
    } else {
      certificate.renumber(search.excerpt, search.order(), null, Wish.NONE);
      if (!certificate.addWrite(placed, key)) {
        throw new IllegalStateException("no room for a write of " + transaction);
      }
    }
    return search.conflict;
  }

  /**
   * Why what a transaction read and overwrote of some keys does not fit, all else that is known of
   * it apart; null if it does. The transaction stays out.
   */
  public @Nullable Conflict conflictOfUpdates(Transaction transaction, LongCollection updated) {
    Wish wish = hints.of(transaction);
    Function<Polygraph, @Nullable Conflict> trying =
        to -> to.conflictOfUpdates(transaction, updated, wish.commit(hints.latest()));
    if (graph != null) {
      return inLastingGraph(trying);
    }
    LongPredicate counts = key -> updated.contains(key) && transaction.writes(key);
    boolean fits = certificate.hasRoom(transaction, counts, wish);
    Search search = fits ? null : search(certificate.before(), trying);
    if (!fits && search == null) {
      return inLastingGraph(trying);
    }
    certificate.forgetVain();
    return search == null ? null : search.conflict;
  }

  /**
   * Why two transactions contradict each other that have both overwritten what a third one wrote,
   * which is no part of this; null if they do not. The second stays out, and of the third nothing
   * counts but what it wrote.
   */
  public @Nullable Conflict conflictOfUpdates(
      Transaction writer, Transaction first, Transaction second) {
    Polygraph small = newGraph(false);
    small.takeWrites(writer);
    Conflict conflict = null;
    for (Transaction each : List.of(first, second)) {
      conflict = conflict == null ? small.add(each, null, null, hints.latest()) : conflict;
    }
    return conflict;
  }

  /** A transaction is no longer known to have replaced a version of a key. */
  public void forgetReplaced(Transaction transaction, long key) {
    if (graph != null) {
      graph.forgetReplaced(transaction, key);
    }
  }

  /** For tests. */
  private boolean isSound() {
    return certificate.size() > MOST_ASSERTED || certificate.isSound();
  }

  private Neighbours neighbours(Transaction transaction) {
    Transaction after = null;
    if (transaction.outcome == Outcome.UNKNOWN) {
      // A successor is there only if this was promoted late.
      gaps.filled(transaction);
      for (Transaction t = transaction.soNext; t != null && after == null; t = t.soNext) {
        after = contains(t) ? t : null;
      }
    }
    return new Neighbours(gaps.before(transaction), after);
  }

  private @Nullable Placed placed(@Nullable Transaction transaction) {
    return transaction == null ? null : certificate.of(transaction);
  }

  /** Whether it may have ended before one began that is not known any more. */
  private boolean comesBeforeWhatHasLeft(Times times) {
    return level.followsRealTime()
        && times.orderable()
        && times.clock() != null
        && left.mayFollow(times, limits.uncertaintyNs());
  }

  /** Number of transactions of the window that are part of this. */
  public int inWindow() {
    return graph == null ? certificate.size() : graph.inWindow();
  }

  /** Whether the transactions have numbers. */
  public boolean isNumbered() {
    return graph == null;
  }

  /** Tells of each key the last writer by number, of those delivered before a place. */
  public void lastWriters(long place, Certificate.LastWriter to) {
    certificate.lastWriters(place, to);
  }

  /** Whether a transaction is part of this. */
  public boolean contains(Transaction transaction) {
    return graph == null ? certificate.of(transaction) != null : graph.contains(transaction);
  }

  /**
   * A transaction leaves the window.
   *
   * @return which cycles can no longer be found
   */
  public ForgottenCycles truncate(Transaction transaction) {
    gaps.forget(transaction);
    if (!contains(transaction)) {
      return ForgottenCycles.NONE;
    }
    if (level.followsRealTime()) {
      left.note(transaction.times);
    }
    if (graph != null) {
      return graph.truncate(transaction);
    }
    certificate.truncate(transaction);
    assert isSound();
    return ForgottenCycles.NONE;
  }

  /** Ends; no transaction is part of it any more. */
  public void end() {
    certificate.end();
    if (graph != null) {
      graph.end();
    }
  }

  /** Begins, empty, with what another level's graph keeps of what has left the window. */
  public void addRetiredOf(LevelGraph other) {
    hints.addAll(other.hints);
    certificate.fill(other.keptNumbers());
  }

  private List<Numbers> keptNumbers() {
    return graph == null ? certificate.keptNumbers() : NumberedGraph.keptNumbers(graph);
  }

  /** Another level's graph ends, and this one is to stand for it. */
  public void standInFor(LevelGraph other) {
    if (graph != null) {
      graph.standInFor(other.kept());
    }
  }

  /** All are added; takes out what {@link #addRetiredOf} added and nobody in the window needs. */
  public ForgottenCycles dropUseless() {
    if (graph != null) {
      return graph.dropUseless();
    }
    certificate.dropUseless();
    return ForgottenCycles.NONE;
  }

  /** Tells what has been taken out since this was asked last. */
  public void drainDropped(Consumer<Transaction> to) {
    certificate.drainDropped(to);
    if (graph != null) {
      graph.drainDropped(to);
    }
  }

  /** The transactions that have left the window and are still kept. */
  public List<Transaction> kept() {
    List<Transaction> kept = new ArrayList<>();
    if (graph == null) {
      certificate.all().earlier().forEach(placed -> kept.add(placed.transaction));
    } else {
      graph.kept().forEach(node -> kept.add(node.transaction));
    }
    return kept;
  }

  /** Which cycles could not be found since this was asked last, because of what has left before. */
  public ForgottenCycles forgotten() {
    forgot |= certificate.takeForgotten();
    ForgottenCycles forgotten = forgot ? ForgottenCycles.ANY : ForgottenCycles.NONE;
    forgot = false;
    return graph == null ? forgotten : forgotten.and(graph.forgotten());
  }

  /** Ends of transactions that were not ordered by time, since they came too late. */
  public long unordered() {
    return graph == null ? unordered : unordered + graph.unordered();
  }

  /** See {@link Certificate#changed}. */
  public void changed(Transaction transaction) {
    if (graph == null) {
      certificate.changed(transaction);
    }
  }

  /** Saves its transactions; {@link #saveBody} must follow. */
  public void saveHead(GraphWriter to) {
    StateWriter out = to.out;
    hints.save(out);
    left.save(out);
    patience.save(out);
    out.number(unordered);
    out.flag(graph != null);
    if (graph == null) {
      certificate.save(to);
    } else {
      graph.saveHead(to);
    }
  }

  /** Saves the rest; may be called for several graphs at the same time, each by one thread. */
  public void saveBody(StateWriter out) {
    if (graph != null) {
      graph.saveBody(out);
    }
  }

  /** Takes back what {@link #saveHead} saved, into an empty graph. */
  public void loadHead(GraphReader from) {
    StateReader in = from.in;
    hints.load(in);
    left.load(in);
    patience.load(in);
    unordered = in.number();
    if (in.flag()) {
      graph = newGraph(true);
      graph.loadHead(from);
      graph.boundPointsBack();
    } else {
      loaded = certificate.load(from);
    }
  }

  /** Takes back what {@link #saveBody} saved. */
  public void loadBody(StateReader in) {
    if (graph == null) {
      certificate.restore(loaded);
      loaded = List.of();
    } else {
      graph.loadBody(in);
    }
  }
}
