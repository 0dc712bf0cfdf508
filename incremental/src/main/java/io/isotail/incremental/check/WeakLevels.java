package io.isotail.incremental.check;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Observed;
import io.isotail.incremental.polygraph.LevelGraph;
import io.isotail.incremental.reads.UnseenEffects;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.saturation.Clock;
import io.isotail.incremental.saturation.CommitRelation;
import io.isotail.incremental.saturation.DeliveryOrder;
import io.isotail.incremental.saturation.RelationReader;
import io.isotail.incremental.saturation.RelationWriter;
import io.isotail.incremental.saturation.Saturator;
import io.isotail.incremental.saturation.VectorClocks;
import io.isotail.incremental.saturation.WriterIndex;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import io.isotail.incremental.witness.AnomalyReporter;
import it.unimi.dsi.fastutil.longs.LongCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The levels up to {@code causal}: looks for a commit order of the delivered transactions at each.
 *
 * <p>Delivery order is one as long as nobody reads past what he has observed, and to show that
 * takes next to nothing ({@link DeliveryOrder}). From the first transaction on that disturbs it, or
 * for which that would take long to show, the relation is saturated until what disturbed the order
 * has left the window. It begins shortly before that transaction: what came earlier is settled, as
 * long as nobody reads what could make it matter ({@link SettledPast}).
 *
 * <p>Where a stronger level is known to hold over all of the window it implies these, and nothing
 * is done even then, until it no longer holds.
 */
public final class WeakLevels {
  private final IsolationLevel strongest;
  private final Window window;
  private final Counters counters;
  private final UnseenEffects unseen;
  private final VerdictLedger ledger;
  private final AnomalyReporter reporter;
  private final WriterIndex writers;
  private final VectorClocks clocks;
  private final CommitRelation relation;
  private final DeliveryOrder deliveryOrder;
  private final InferredEdges edges;
  private final Saturator saturator;
  private final SettledPast settled;
  private final int lookBack;
  private final LastReads lastReads = new LastReads();

  /**
   * Whether delivery order is no commit order, or not known to be one, and a stronger level holds
   * over all of the window: then nothing is kept here.
   */
  private boolean spared;

  /** Whether a transaction has left the window since then. */
  private boolean leftWhileSpared;

  /**
   * Whether what is settled stands in the order of a stronger level's numbers, and none of it has
   * left the window.
   */
  private boolean settledByNumber;

  /**
   * The last place at which no stronger level held over all of the window, or something violated a
   * weak level or came before what was delivered already.
   */
  private long notHeldAt = -1;

  /** Infers what the order of delivery has to agree with, where only read committed is checked. */
  private final Saturator ofReadCommitted;

  /**
   * Whether a level asks for the other writers of a key: read committed looks only at what was read
   * from.
   */
  private final boolean asksForWriters;

  /** Whether a level asks what happens before: read atomic looks only at so and wr themselves. */
  private final boolean asksForClocks;

  /** Nothing delivered yet. */
  public WeakLevels(
      IsolationLevel strongest,
      Tuning tuning,
      Window window,
      Counters counters,
      UnseenEffects unseen,
      VerdictLedger ledger,
      AnomalyReporter reporter) {
    this.strongest = strongest;
    this.window = window;
    this.counters = counters;
    this.unseen = unseen;
    this.ledger = ledger;
    this.reporter = reporter;
    this.writers = new WriterIndex(tuning);
    this.clocks = new VectorClocks(tuning);
    this.relation = new CommitRelation(strongest, window);
    this.asksForWriters = strongest.observed() != Observed.READ_FROM_BEFORE;
    this.asksForClocks = strongest.observed() == Observed.HAPPENS_BEFORE;
    this.deliveryOrder = new DeliveryOrder(writers, relation.marks(), tuning.mostSteps());
    this.edges = new InferredEdges(window, counters, relation, deliveryOrder, reporter);
    this.saturator = new Saturator(writers, edges);
    this.settled = new SettledPast(window, relation, writers, strongest);
    this.lookBack = tuning.lookBack();
    this.ofReadCommitted = new Saturator(writers, new DeliveryAgreement());
  }

  /** Reads ahead what the keys of {@code t} will be asked for. */
  public void prepare(Transaction t) {
    if (asksForWriters && !spared) {
      writers.prefetch(t.operations);
    }
  }

  /**
   * A late promoted transaction may have read from its own successors: its session has gone on, so
   * such a read closes a causality cycle. It is reported and taken out. Called before {@code t} is
   * delivered.
   */
  public void leaveOutReadsFromTheFuture(Transaction t) {
    Transaction successor = passedBy(t);
    if (successor == null) {
      return;
    }
    notHeldAt = window.lastPlace();
    saturateAll();
    if (successor.state == Transaction.State.DELIVERED) {
      leaveOutReadsFrom(t, successor);
    }
  }

  /**
   * The next of its session that was delivered before it; null if there is none, as nearly always:
   * a successor waits for its predecessor, unless that is promoted only after it was delivered.
   */
  private static @Nullable Transaction passedBy(Transaction t) {
    if (t.outcome != Outcome.UNKNOWN) {
      return null;
    }
    Transaction successor = t.soNext;
    while (successor != null && successor.state == Transaction.State.PENDING) {
      successor = successor.soNext;
    }
    return successor;
  }

  private void leaveOutReadsFrom(Transaction t, Transaction successor) {
    t.changed();
    int kept = 0;
    for (int i = 0; i < t.readWriters.length; i++) {
      Transaction writer = t.readWriters[i];
      boolean future =
          writer != null
              && writer.state == Transaction.State.DELIVERED
              && (writer == successor || happensBefore(successor, writer));
      if (future) {
        reporter.causalityCycle(t, successor, writer);
      } else {
        t.readOperations[kept] = t.readOperations[i];
        t.readWriters[kept++] = writer;
      }
    }
    t.readOperations = Arrays.copyOf(t.readOperations, kept);
    t.readWriters = Arrays.copyOf(t.readWriters, kept);
  }

  private boolean happensBefore(Transaction earlier, Transaction t) {
    boolean sees = clocks.sees(t, earlier);
    noteUnlessComplete(sees || !clocks.incomplete());
    return sees;
  }

  /**
   * {@code t} is delivered as the last of the window, over all of which a stronger level holds.
   *
   * @return false if that does not do, and it is to be {@link #delivered} all the same: what
   *     violated a weak level is still in the window, or the relation was let go and built anew too
   *     often of late
   */
  boolean deliveredWhileHeld(Transaction t) {
    if (!deliveryOrder.kept()) {
      if (!deliveryOrder.undisturbedSince(notHeldAt, window.oldestPlace(), window.lastPlace())) {
        return false;
      }
      letGo();
      deliveryOrder.keep(window.lastPlace());
      spare();
    } else if (!spared && agrees(t)) {
      addUnordered(t);
    } else if (!spared) {
      spare();
    }
    lastReads.add(t);
    return true;
  }

  private void letGo() {
    clocks.clear();
    relation.clear();
  }

  private void spare() {
    writers.clear();
    spared = true;
    leftWhileSpared = false;
  }

  /** No stronger level holds over all of the window, with the transaction delivered last. */
  void notHeld() {
    notHeldAt = window.lastPlace();
  }

  /**
   * {@code t} is delivered, with its reads resolved, as the last of the window.
   *
   * @param numbered has all transactions of the window, {@code t} apart, in an order of commits;
   *     null if there is none
   * @return the keys of its reads that violate a level, to be used before the next call
   */
  public LongCollection delivered(Transaction t, @Nullable LevelGraph numbered) {
    lastReads.add(t);
    edges.begin(t);
    order(t, numbered);
    endEdges();
    return edges.staleKeys();
  }

  /** Returns whether what was inferred violates a level. */
  private boolean endEdges() {
    boolean violates = edges.anyViolation();
    if (violates) {
      notHeldAt = window.lastPlace();
    }
    edges.end();
    return violates;
  }

  private void order(Transaction t, @Nullable LevelGraph numbered) {
    if (spared && numbered != null) {
      writers.clear();
      numbered.lastWriters(t.deliveredAt - lookBack, writers::addLastSettled);
      beginBefore(t);
    } else if (spared) {
      saturate();
    } else if (deliveryOrder.kept() && agrees(t)) {
      addUnordered(t);
    } else if (deliveryOrder.kept()) {
      beginBefore(t);
    } else {
      enter(t);
      Transaction successor = passedBy(t);
      if (successor != null) {
        promoteLate(t, successor);
      }
    }
  }

  /** Whether delivery order is still a commit order with {@code t}. */
  private boolean agrees(Transaction t) {
    if (asksForWriters) {
      return deliveryOrder.agrees(t, t.promise.weakerOf(strongest));
    }
    return readInDeliveryOrder(t)
        || ofReadCommitted.tryStrongest(t, strongest) == Saturator.Outcome.AGREES;
  }

  /** Then the writer that was read from first was delivered first, and needs to commit no later. */
  private static boolean readInDeliveryOrder(Transaction t) {
    long latest = -1;
    for (Transaction writer : t.readWriters) {
      if (writer != null && writer.state != Transaction.State.TRUNCATED) {
        if (writer.deliveredAt < latest) {
          return false;
        }
        latest = writer.deliveredAt;
      }
    }
    return true;
  }

  private void addUnordered(Transaction t) {
    if (asksForWriters) {
      writers.addUnordered(t);
    }
  }

  private void enter(Transaction t) {
    assignClock(t);
    long needed = settled.neededFor(t, true);
    while (needed < relation.from()) {
      beginEarlier(needed, t);
      assignClock(t);
      needed = settled.neededFor(t, true);
    }
    edges.inferFor(t);
    relation.append(t);
    addWriter(t);
    infer(t);
  }

  private void assignClock(Transaction t) {
    clocks.forgetBefore(Math.max(window.oldestPlace(), relation.from()));
    if (asksForClocks) {
      noteUnlessComplete(clocks.assign(t));
    }
  }

  private void addWriter(Transaction t) {
    if (asksForClocks) {
      writers.add(t);
    } else if (asksForWriters) {
      writers.append(t);
    }
  }

  /** A transaction of the window may be about to gain a write: none may be settled. */
  public void prepareLateWrite() {
    if (!spared && !deliveryOrder.kept()) {
      saturateAll();
    }
  }

  /**
   * It has become known that {@code writer}, of the window, wrote a key too. Those who read the key
   * from others, and were delivered after it, are asked again.
   *
   * @param held whether a stronger level holds over all of the window all the same
   * @return whether that violates a level
   */
  public boolean wrote(Transaction writer, long key, boolean held) {
    if (held && spared) {
      return false;
    }
    if (asksForWriters && !spared) {
      writers.addLate(writer, key);
    }
    List<Transaction> readers = readersOfOthers(writer, key);
    if (readers.isEmpty()) {
      return false;
    }
    edges.beginLate(window.lastPlace());
    if (spared) {
      saturate();
    } else if (!deliveryOrder.kept()) {
      readers.forEach(this::inferAgain);
    } else if (!readers.stream().allMatch(this::agrees)) {
      if (held) {
        spare();
      } else {
        saturate();
      }
    }
    return endEdges();
  }

  private void inferAgain(Transaction reader) {
    if (asksForClocks) {
      noteUnlessComplete(clocks.recall(reader));
    }
    infer(reader);
  }

  /** Those who read a key from others, and may have observed a writer of it. */
  private List<Transaction> readersOfOthers(Transaction writer, long key) {
    if (!lastReads.anyAfter(writer, key)) {
      return List.of();
    }
    List<Transaction> readers = new ArrayList<>();
    for (Transaction t : window.deliveredAfter(writer)) {
      for (int r = 0; r < t.readOperations.length; r++) {
        if (t.operations.key(t.readOperations[r]) == key && t.readWriters[r] != writer) {
          readers.add(t);
          break;
        }
      }
    }
    return readers;
  }

  /** With a clock that does not name all that happens before, a violation may be missed. */
  private void noteUnlessComplete(boolean complete) {
    if (!complete) {
      ledger.undecided(IsolationLevel.CAUSAL, IsolationLevel.CAUSAL, UndecidedReason.CAPACITY);
    }
  }

  /** Does for each transaction of the window what has not been done for it. */
  private void saturateAll() {
    if (spared || deliveryOrder.kept()) {
      saturate();
    } else if (settled.any()) {
      beginEarlier(window.oldestPlace(), null);
    }
  }

  private void saturate() {
    beginSaturating();
    writers.clear();
    for (Transaction t : window) {
      enter(t);
    }
  }

  private void beginSaturating() {
    if (spared && leftWhileSpared) {
      // What it came before and after was not kept; a weaker promise may need that.
      counters.edgesDropped++;
    }
    settledByNumber = spared;
    spared = false;
    leftWhileSpared = false;
    deliveryOrder.disturbed(window.lastPlace(), window.oldestPlace());
  }

  /** Saturates the relation for what was delivered shortly before {@code t}, and for that. */
  private void beginBefore(Transaction t) {
    beginSaturating();
    relation.beginAt(t.deliveredAt);
    beginEarlier(t.deliveredAt - lookBack, t);
    enter(t);
  }

  /**
   * Has the relation begin earlier than before, and with at least twice as many transactions.
   *
   * @param place from which on it must hold what was delivered
   * @param latest that is no part of it yet
   */
  private void beginEarlier(long place, @Nullable Transaction latest) {
    edges.beginEarlier(relation.from());
    long needed = place;
    while (needed < relation.from()) {
      long twice = 2 * relation.from() - window.lastPlace() - 1;
      needed = beginAt(Math.max(window.oldestPlace(), Math.min(needed, twice)), latest);
    }
    edges.begun();
  }

  /** Returns the place at which it would have to begin, for what has been settled until now. */
  private long beginAt(long place, @Nullable Transaction latest) {
    List<Transaction> all = window.deliveredFrom(place);
    all.remove(latest);
    for (int i = all.size() - 1; i >= 0; i--) {
      writers.takeBack(all.get(i));
    }
    relation.prepend(place, all);
    clocks.clear(all);
    for (Transaction t : all) {
      assignClock(t);
      long needed = settled.neededFor(t, false);
      if (needed < place) {
        return needed;
      }
      addWriter(t);
      edges.inferFor(t);
      if (relation.nothingLeftOut()) {
        saturator.tryStrongest(t, strongest);
      } else {
        saturator.infer(t, strongest);
      }
    }
    return place;
  }

  /** Delivery order is a commit order of what is left, so the relation can be let go. */
  private void rest() {
    letGo();
    writers.clear();
    for (Transaction t : window) {
      addUnordered(t);
    }
    deliveryOrder.keep(window.lastPlace());
  }

  /**
   * A transaction turned out to have committed after its session had gone on: every transaction
   * after it in so ∪ wr has seen what it saw, and its writes. Costs time in proportion to the
   * window.
   */
  private void promoteLate(Transaction promoted, Transaction successor) {
    deliveryOrder.disturbed(promoted.deliveredAt, window.oldestPlace());
    if (successor.state == Transaction.State.DELIVERED) {
      if (relation.nothingLeftOut()) {
        lookAtWeakerLevels(promoted);
        saturator.inferWeaker(promoted, strongest);
      }
      if (relation.addSessionOrder(promoted, successor) == CommitRelation.Added.VIOLATES) {
        reporter.cycle(relation.latest(), relation.violated(), successor);
      }
    }
    Clock seen = clocks.with(promoted);
    for (Transaction t : relation.happensAfter(promoted)) {
      if (asksForClocks) {
        noteUnlessComplete(clocks.join(t, seen));
      }
      infer(t);
      // What it has come to see may come before what it read, and that may be gone.
      counters.edgesDropped += TruncatedReads.count(t, unseen);
    }
  }

  /** While nothing is violated, the strongest level alone is looked at. */
  private void infer(Transaction t) {
    if (relation.nothingLeftOut()) {
      Saturator.Outcome outcome = saturator.tryStrongest(t, strongest);
      if (outcome == Saturator.Outcome.AGREES) {
        return;
      }
      if (outcome == Saturator.Outcome.DISAGREES) {
        lookAtWeakerLevels(t);
      }
    }
    saturator.infer(t, strongest);
  }

  /** Finds out which of the edges in the window the weaker levels need, {@code latest} apart. */
  private void lookAtWeakerLevels(Transaction latest) {
    relation.orderWeakerLevels();
    for (Transaction t : window) {
      if (t != latest && !relation.settles(t) && t.deliveredAt <= edges.place()) {
        saturator.inferWeaker(t, strongest);
      }
    }
  }

  /** {@code t} leaves the window; called before it is stripped. */
  public void remove(Transaction t) {
    lastReads.remove(t);
    leftWhileSpared |= spared;
    if (asksForWriters && !spared) {
      writers.remove(t, settled.any());
    }
    if (!deliveryOrder.kept()) {
      clocks.remove(t);
      counters.edgesDropped += relation.remove(t);
      if (settledByNumber && relation.settles(t)) {
        // What it came before was not kept.
        counters.edgesDropped++;
        settledByNumber = false;
      }
    }
  }

  /**
   * What stood between two transactions of a session has left the window; the earlier one, which
   * was promoted late, is still there.
   */
  public void closeRanks(Transaction promoted, Transaction successor) {
    boolean ordered =
        !deliveryOrder.kept()
            && promoted.state == Transaction.State.DELIVERED
            && successor.state == Transaction.State.DELIVERED;
    if (ordered) {
      saturateAll();
    }
    if (ordered && relation.addSessionOrder(promoted, successor) == CommitRelation.Added.VIOLATES) {
      notHeldAt = window.lastPlace();
      reporter.cycle(relation.latest(), relation.violated(), successor);
    }
  }

  /** {@code t} has left the window. */
  public void removed(Transaction t) {
    if (window.isEmpty()) {
      spared = false;
    }
    if (deliveryOrder.undisturbedAfter(t.deliveredAt, window.lastPlace())) {
      rest();
    }
  }

  /** Saves clocks, writers and the relation. */
  public void save(GraphWriter graph) {
    RelationWriter parts = new RelationWriter(graph);
    graph.out.section("clocks");
    clocks.save(parts);
    graph.out.section("writers");
    writers.save(graph, !deliveryOrder.kept());
    graph.out.section("relation");
    relation.save(parts, deliveryOrder.kept() ? List.of() : window);
    deliveryOrder.save(graph.out);
    graph.out.flag(spared);
    graph.out.flag(leftWhileSpared);
    graph.out.flag(settledByNumber);
    graph.out.number(notHeldAt);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader graph) {
    RelationReader parts = new RelationReader(graph);
    graph.in.section("clocks");
    clocks.load(parts);
    graph.in.section("writers");
    writers.load(graph);
    graph.in.section("relation");
    relation.load(parts);
    deliveryOrder.load(graph.in);
    spared = graph.in.flag();
    leftWhileSpared = graph.in.flag();
    settledByNumber = graph.in.flag();
    notHeldAt = graph.in.number();
  }

  /** The transactions that {@link #load} has referred to are loaded too. */
  public void loadedTransactions() {
    window.forEach(lastReads::add);
    if (deliveryOrder.kept() && !spared) {
      window.forEach(this::addUnordered);
    }
  }
}
