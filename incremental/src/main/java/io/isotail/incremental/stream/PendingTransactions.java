package io.isotail.incremental.stream;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.reads.Absences;
import io.isotail.incremental.reads.BeforeCapture;
import io.isotail.incremental.reads.OutsiderWrites;
import io.isotail.incremental.reads.UnseenWrites;
import io.isotail.incremental.reads.VersionTable;
import io.isotail.incremental.reads.WriterEvidence;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Transaction.State;
import io.isotail.incremental.window.Version;
import io.isotail.incremental.window.Wait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The committed transactions that are not delivered yet, and what each of them waits for: its
 * session predecessor, the writers of what it read, and the horizon where the writer of a read
 * cannot be told before it has passed.
 *
 * <p>A transaction of unknown outcome becomes one of them as soon as another one proves that it
 * must have committed. Bound: {@code window.pending-transactions}; beyond it, the one that has
 * waited longest goes on without what it waits for.
 */
final class PendingTransactions {
  private final CheckerConfig config;
  private final Counters counters;
  private final VersionTable versions;
  private final WriterEvidence evidence;
  private final BeforeCapture beforeCapture;
  private final Absences absences;
  private final UnseenWrites unseenWrites;
  private final OutsiderWrites outsiders;
  private final CandidateWriters writers;
  private final WaitingRoom waiting = new WaitingRoom();

  /**
   * Those that were promoted and are not linked yet. Each may promote another one, and a chain of
   * them may be as long as the log, so none is admitted inside the admission of another. Empty
   * between two calls.
   */
  private final ArrayDeque<Transaction> promoted = new ArrayDeque<>();

  /** What the horizon has passed already. */
  private long horizonPosition = -1;

  /** Where the horizon stood when the last search for a cycle found none. */
  private long searchedHorizon = -1;

  PendingTransactions(
      CheckerConfig config,
      Counters counters,
      VersionTable versions,
      WriterEvidence evidence,
      BeforeCapture beforeCapture,
      Absences absences,
      UnseenWrites unseenWrites,
      OutsiderWrites outsiders) {
    this.config = config;
    this.counters = counters;
    this.versions = versions;
    this.evidence = evidence;
    this.beforeCapture = beforeCapture;
    this.absences = absences;
    this.unseenWrites = unseenWrites;
    this.outsiders = outsiders;
    this.writers = new CandidateWriters(versions, evidence, config);
  }

  /** See {@link CandidateWriters#doubtful}. */
  boolean doubtful(Transaction reader, Transaction writer) {
    return writers.doubtful(reader, writer);
  }

  /** Tells each transaction that waits, some of them twice. */
  void forEach(Consumer<Transaction> each) {
    waiting.forEach(each);
  }

  /** Number of transactions that wait. */
  int size() {
    return waiting.size();
  }

  /** The oldest one that did not become ready at once, or null. */
  @Nullable Transaction oldest() {
    return waiting.oldest();
  }

  /** See {@link Delivery#stuckCycle}. */
  @Nullable List<Transaction> stuckCycle(boolean finished) {
    Transaction oldest = waiting.size() > 0 && waiting.noneReady() ? waiting.oldest() : null;
    if (oldest == null
        || oldest.arrival >= horizonPosition
        || (!finished && searchedHorizon == horizonPosition)) {
      return null;
    }
    List<Transaction> cycle = new WaitCycle(writers).findFrom(oldest);
    if (cycle == null) {
      searchedHorizon = horizonPosition;
    }
    return cycle;
  }

  /**
   * Takes the ready one that comes first in the log, or null.
   *
   * @param lossPosition position in the stream at which the last loss became known
   */
  @Nullable Transaction next(long lossPosition) {
    Transaction ready = waiting.takeReady();
    if (ready != null) {
      wait(ready).readBeforeLoss = ready.arrival <= lossPosition;
    }
    return ready;
  }

  /** It has been processed and is in the window: what waits for it goes on. */
  void delivered(Transaction transaction) {
    waiting.delivered(transaction);
    List<Transaction> dependents = wait(transaction).dependents;
    transaction.waiting = null;
    if (dependents != null) {
      for (Transaction dependent : dependents) {
        unblock(dependent);
      }
    }
  }

  /** A committed transaction starts to wait for its predecessors, at that stream time. */
  void admit(Transaction transaction, long nowMs) {
    enter(transaction, nowMs);
    awaitPredecessors(transaction, nowMs);
    admitPromoted(nowMs);
  }

  /** Starts to wait, and is not ready before {@link #awaitPredecessors} has been called for it. */
  private void enter(Transaction transaction, long nowMs) {
    waiting.enter(transaction);
    Wait wait = new Wait();
    wait.sinceMs = nowMs;
    wait.blockers = 1;
    transaction.waiting = wait;
  }

  private void admitPromoted(long nowMs) {
    for (Transaction next = promoted.poll(); next != null; next = promoted.poll()) {
      awaitPredecessors(next, nowMs);
    }
  }

  private void awaitPredecessors(Transaction transaction, long nowMs) {
    Wait wait = wait(transaction);
    link(transaction);
    Transaction predecessor = transaction.soPrev;
    if (predecessor != null && predecessor.state == State.PENDING) {
      block(transaction, predecessor);
    }
    boolean awaitsHorizon =
        outsiders.isAwaitedBy(transaction)
            || CandidateWriters.anyListedTwice(transaction.operations);
    Operations ops = transaction.operations;
    for (int i = 0; i < ops.size(); i++) {
      OperationKind kind = ops.kind(i);
      if ((kind != OperationKind.READ && kind != OperationKind.LISTED) || ops.undone(i)) {
        continue;
      }
      if (ops.versionKind(i) == VersionKind.INITIAL) {
        awaitsHorizon |=
            config.closed()
                ? config.deletes()
                : kind == OperationKind.READ && absences.awaitHorizon();
        i += ops.namesWriters(i) ? 0 : versions.knownElements(ops, i);
      } else if (ops.versionKind(i) == VersionKind.KNOWN) {
        if (config.isUnique(ops.statement(i))) {
          awaitUniqueWriter(transaction, ops.key(i), ops.version(i), nowMs);
        } else {
          awaitsHorizon |= evidence.provesAnything(ops.statement(i)) && !isBeforeCapture(ops, i);
        }
      }
    }
    if (awaitsHorizon || wait.missing != null) {
      if (transaction.arrival < horizonPosition) {
        giveUpMissing(transaction);
        if (awaitsHorizon || CandidateWriters.readsLists(transaction)) {
          awaitAllWriters(transaction, nowMs);
        }
      } else {
        if (awaitsHorizon) {
          wait.awaitsHorizon = true;
          wait.blockers++;
        }
        waiting.awaitHorizon(transaction);
      }
    }
    unblock(transaction);
    if (wait.blockers > 0) {
      waiting.noteWaiting(transaction);
    }
    boundPending();
  }

  /** Whether nobody who is captured can have written what was read: it need not be waited for. */
  private boolean isBeforeCapture(Operations ops, int read) {
    return !config.closed() && ops.namesWriters(read) && beforeCapture.covers(ops, read);
  }

  /** Puts a committed transaction into its place in session order. */
  private void link(Transaction transaction) {
    Transaction next = null;
    Transaction previous = transaction.session.lastCommitted;
    while (previous != null && previous.arrival > transaction.arrival) {
      next = previous;
      previous = previous.soPrev;
    }
    transaction.soPrev = previous;
    transaction.soNext = next;
    if (previous != null) {
      previous.soNext = transaction;
    }
    if (next == null) {
      transaction.session.lastCommitted = transaction;
    } else {
      next.changed();
      next.soPrev = transaction;
      if (next.state == State.PENDING) {
        block(next, transaction);
      }
    }
  }

  private void awaitUniqueWriter(Transaction reader, long key, long value, long nowMs) {
    Transaction sole = versions.soleWriter(key, value);
    if (sole != null && sole.committed) {
      if (sole.state == State.PENDING
          && sole != reader
          && !CandidateWriters.excluded(reader, sole)) {
        block(reader, sole);
      }
      return;
    }
    Version version = versions.find(key, value);
    if (version != null
        && version.size() > 0
        && !writers.mayBeRetried(version)
        && !writers.mayBeAppendedAgain(version, reader)) {
      awaitWriter(reader, Statement.NONE, key, value, nowMs);
      return;
    }
    Version awaited = versions.findOrAdd(key, value);
    Wait wait = wait(reader);
    if (wait.missing == null) {
      wait.missing = new ArrayList<>(2);
    }
    if (!wait.missing.contains(awaited)) {
      wait.missing.add(awaited);
      awaited.addWaiter(reader);
      wait.blockers++;
    }
  }

  /** Waits for the only transaction that can have written the version, promoting it if need be. */
  private void awaitWriter(Transaction reader, Statement read, long key, long value, long nowMs) {
    Transaction writer = writers.sole(read, key, value, CandidateWriters.readsLists(reader));
    if (writer == null
        || writer == reader
        || CandidateWriters.excluded(reader, writer)
        || !writers.isProven(writer, read, key)) {
      return;
    }
    if (!writer.committed && writer.outcome == Outcome.UNKNOWN && writer.state == State.PASSIVE) {
      writer.committed = true;
      counters.unknown--;
      enter(writer, nowMs);
      promoted.add(writer);
    }
    if (writer.state == State.PENDING) {
      block(reader, writer);
    }
  }

  private void awaitAllWriters(Transaction reader, long nowMs) {
    unseenWrites.enterBeforeDelivery(reader);
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.shows(i)) {
        awaitWriter(reader, ops.statement(i), ops.key(i), ops.version(i), nowMs);
      }
    }
  }

  /** A writer of a version has arrived: the readers that wait for that version go on. */
  void writerArrived(Version version, long nowMs) {
    if (writers.mayBeRetried(version)) {
      return;
    }
    for (Transaction reader : version.takeWaiters()) {
      if (writers.mayBeAppendedAgain(version, reader)) {
        version.addWaiter(reader);
        continue;
      }
      Wait wait = reader.waiting;
      if (wait != null && wait.missing != null && wait.missing.remove(version)) {
        awaitWriter(reader, Statement.NONE, version.key, version.version, nowMs);
        admitPromoted(nowMs);
        unblock(reader);
      }
    }
  }

  /**
   * Everything before that position of the stream has arrived.
   *
   * @param position place in the stream that has been reached
   */
  void passHorizon(long newHorizon, long position, long nowMs) {
    horizonPosition = newHorizon;
    for (Transaction transaction = waiting.takePassed(horizonPosition);
        transaction != null;
        transaction = waiting.takePassed(horizonPosition)) {
      wait(transaction).blockers++;
      giveUpMissing(transaction);
      if (wait(transaction).awaitsHorizon) {
        wait(transaction).awaitsHorizon = false;
        wait(transaction).arrivedAtHorizon = position;
        awaitAllWriters(transaction, nowMs);
        admitPromoted(nowMs);
        unblock(transaction);
      } else if (CandidateWriters.readsLists(transaction)) {
        awaitAllWriters(transaction, nowMs);
        admitPromoted(nowMs);
      }
      unblock(transaction);
    }
  }

  private static void block(Transaction transaction, Transaction predecessor) {
    wait(predecessor).addDependent(transaction);
    wait(transaction).blockers++;
  }

  private void unblock(Transaction transaction) {
    Wait wait = wait(transaction);
    wait.blockers--;
    if (wait.blockers == 0) {
      waiting.makeReady(transaction);
    }
  }

  /** Every transaction that is pending has one. */
  private static Wait wait(Transaction pending) {
    Wait wait = pending.waiting;
    if (wait == null) {
      throw new IllegalStateException(pending + " does not wait");
    }
    return wait;
  }

  private void giveUpMissing(Transaction transaction) {
    Wait wait = wait(transaction);
    List<Version> missing = wait.missing;
    wait.missing = null;
    if (missing != null) {
      for (Version version : missing) {
        version.removeWaiter(transaction);
        versions.removeIfUnused(version);
        unblock(transaction);
      }
    }
  }

  /** The reads of {@code reader} from {@code writer} are left out: they close a causality cycle. */
  void exclude(Transaction reader, Transaction writer) {
    Wait readers = wait(reader);
    if (readers.excludedWriters == null) {
      readers.excludedWriters = new ArrayList<>(1);
    }
    readers.excludedWriters.add(writer);
    Wait writers = wait(writer);
    List<Transaction> dependents = writers.dependents;
    if (dependents == null) {
      return;
    }
    int before = dependents.size();
    boolean bySession = reader.soPrev == writer;
    List<Transaction> kept = new ArrayList<>(before);
    int removed = 0;
    for (Transaction dependent : dependents) {
      if (dependent == reader && !(bySession && !kept.contains(reader))) {
        removed++;
      } else {
        kept.add(dependent);
      }
    }
    writers.dependents = kept;
    for (int i = 0; i < removed; i++) {
      unblock(reader);
    }
  }

  private void boundPending() {
    if (waiting.size() > config.pendingTransactions()) {
      Transaction oldest = waiting.takeAwaitingSince(Long.MAX_VALUE);
      if (oldest != null) {
        goOn(oldest, UndecidedReason.CAPACITY);
      }
    }
  }

  /** Those that have waited for a writer since before then go on without it. */
  void giveUpWaitingSince(long sinceMs) {
    for (Transaction transaction = waiting.takeAwaitingSince(sinceMs);
        transaction != null;
        transaction = waiting.takeAwaitingSince(sinceMs)) {
      goOn(transaction, UndecidedReason.LATE_WRITER);
    }
  }

  /** The transaction goes on without what it waits for; what is then not known stays undecided. */
  private void goOn(Transaction transaction, UndecidedReason reason) {
    wait(transaction).gaveUp = reason;
    if (outsiders.isAwaitedBy(transaction)) {
      outsiders.wentOn();
    }
    giveUpMissing(transaction);
    if (wait(transaction).awaitsHorizon) {
      wait(transaction).awaitsHorizon = false;
      unblock(transaction);
    }
  }

  /** Saves those that wait; what each waits for is saved with it. */
  void save(GraphWriter graph) {
    waiting.save(graph);
    graph.out.number(horizonPosition);
    graph.out.number(searchedHorizon);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph) {
    waiting.load(graph);
    horizonPosition = graph.in.number();
    searchedHorizon = graph.in.number();
  }
}
