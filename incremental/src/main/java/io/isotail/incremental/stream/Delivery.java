package io.isotail.incremental.stream;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.reads.UnseenEffects;
import io.isotail.incremental.reads.VersionTable;
import io.isotail.incremental.reads.WriterEvidence;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Transaction.State;
import io.isotail.incremental.window.Version;
import io.isotail.incremental.window.Wait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes records in log order and gives out transactions in delivery order. */
public final class Delivery {
  /**
   * Longest wait for a writer in stream time, in ms: longer than any ordinary transaction lasts.
   */
  static final long MAX_WAIT_MS = 60_000;

  private final CheckerConfig config;
  private final Counters counters;
  private final UnseenEffects unseen;
  private final VersionTable versions;
  private final WriterEvidence evidence;
  private final Assembler assembler;
  private final Horizon horizon;

  private final ArrayDeque<Transaction> passive = new ArrayDeque<>();
  private final WaitingRoom waiting = new WaitingRoom();
  private final CandidateWriters writers;
  private long position = -1;
  private long horizonPosition = -1;
  private long searchedHorizon = -1;
  private long lossPosition = -1;
  private long lossesSeen;
  private long lastSilenceCheckMs;
  private long nowMs;
  private boolean finished;

  /** An empty stream. */
  public Delivery(
      CheckerConfig config,
      Counters counters,
      UnseenEffects unseen,
      VersionTable versions,
      WriterEvidence evidence,
      VerdictLedger ledger,
      Slots slots) {
    this.config = config;
    this.counters = counters;
    this.unseen = unseen;
    this.versions = versions;
    this.evidence = evidence;
    this.writers = new CandidateWriters(versions, config);
    this.assembler = new Assembler(config, counters, unseen, ledger, slots);
    this.horizon = new Horizon(config.silentAfterMs());
  }

  /** A transaction, or a chunk of one. */
  public void transaction(long offset, long timeMs, TransactionRecord record) {
    position++;
    nowMs = timeMs;
    noteProxy(record.session().proxy());
    Transaction txn = assembler.accept(position, offset, record);
    if (txn != null) {
      String proxy = record.session().proxy();
      if (proxy != null) {
        horizon.ended(proxy, record.session().id(), record.transaction(), nowMs);
      }
      arrive(txn);
    }
    advance();
  }

  /** A proxy starts. */
  public void hello(long timeMs, Hello hello) {
    position++;
    nowMs = timeMs;
    horizon.hello(hello.proxy(), position, nowMs);
    advance();
  }

  /** A proxy is alive. */
  public void heartbeat(long timeMs, Heartbeat heartbeat) {
    position++;
    nowMs = timeMs;
    noteProxy(heartbeat.proxy());
    horizon.heartbeat(heartbeat, position, nowMs);
    advance();
  }

  /** A proxy stops. */
  public void goodbye(long timeMs, Goodbye goodbye) {
    position++;
    nowMs = timeMs;
    horizon.goodbye(goodbye.proxy());
    advance();
  }

  /** Records were lost. */
  public void gap(long timeMs, Gap gap) {
    position++;
    nowMs = timeMs;
    noteProxy(gap.proxy());
    counters.lostAnnounced += gap.lostRecords();
    unseen.noteLoss();
    advance();
  }

  /** The stream has ended: what has not come will not come. */
  public void finish() {
    finished = true;
    horizon.close();
    passHorizon();
  }

  /**
   * The next transaction that is due, in delivery order. A passive one is due at once.
   *
   * @return null when nothing is due
   */
  public @Nullable Transaction next() {
    for (Transaction txn = passive.poll(); txn != null; txn = passive.poll()) {
      if (!txn.committed) {
        return txn;
      }
    }
    Transaction ready = waiting.takeReady();
    if (ready != null) {
      wait(ready).readBeforeLoss = ready.arrival <= lossPosition;
    }
    return ready;
  }

  /** The transaction has been processed and is in the window: what waits for it goes on. */
  public void delivered(Transaction txn) {
    waiting.leave(txn);
    List<Transaction> dependents = wait(txn).dependents;
    txn.waiting = null;
    if (dependents != null) {
      for (Transaction dependent : dependents) {
        unblock(dependent);
      }
    }
  }

  /**
   * The next group of transactions that wait for each other, of which none can ever be delivered: a
   * cycle of session order and reads. Every reader in it that reads from its predecessor on the
   * cycle could be left out.
   *
   * @return the cycle in the order so ∪ wr, or null when there is none that is certain
   */
  public @Nullable List<Transaction> stuckCycle() {
    if (waiting.size() == 0 || !waiting.noneReady()) {
      return null;
    }
    Transaction oldest = waiting.oldest();
    if (oldest == null
        || oldest.arrival >= horizonPosition
        || (!finished && searchedHorizon == horizonPosition)) {
      return null;
    }
    List<Transaction> cycle = new WaitCycle(this).findFrom(oldest);
    if (cycle == null) {
      searchedHorizon = horizonPosition;
    }
    return cycle;
  }

  /** The reads of {@code reader} from {@code writer} are left out: they close a causality cycle. */
  public void exclude(Transaction reader, Transaction writer) {
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

  /**
   * Whether all that {@code reader} read from {@code writer} may as well be of somebody else, so
   * that a cycle through it proves nothing.
   */
  public boolean doubtful(Transaction reader, Transaction writer) {
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (CandidateWriters.isRead(ops, i)
          && writers.sole(ops.statement(i).table(), ops.key(i), ops.version(i)) == writer
          && isProven(writer, ops.statement(i).table(), ops.key(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a transaction waits that was in the log before the last loss was known. */
  public boolean waitsSinceLoss() {
    Transaction oldest = unseen.lost() ? waiting.oldest() : null;
    return oldest != null && oldest.arrival <= lossPosition;
  }

  /** Transactions that wait. */
  public int pending() {
    return waiting.size();
  }

  /** Proxies that keep their promise of heartbeats. */
  public int liveProxies() {
    return horizon.live();
  }

  /** The writers that {@code reader} still waits for, session predecessor first. */
  List<Transaction> pendingPredecessors(Transaction reader) {
    List<Transaction> predecessors = new ArrayList<>();
    if (reader.soPrev != null && reader.soPrev.state == State.PENDING) {
      predecessors.add(reader.soPrev);
    }
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      Transaction writer =
          CandidateWriters.isRead(ops, i)
              ? writers.sole(ops.statement(i).table(), ops.key(i), ops.version(i))
              : null;
      if (writer != null
          && writer != reader
          && writer.state == State.PENDING
          && !CandidateWriters.excluded(reader, writer)
          && !predecessors.contains(writer)) {
        predecessors.add(writer);
      }
    }
    return predecessors;
  }

  private void arrive(Transaction txn) {
    unseen.note(txn);
    versions.prefetch(txn.operations);
    List<Version> awaited = versions.register(txn);
    if (txn.committed) {
      admit(txn);
    } else {
      if (txn.outcome == Outcome.UNKNOWN) {
        counters.unknown++;
      } else {
        counters.aborted++;
      }
      passive.add(txn);
    }
    for (Version version : awaited) {
      if (writers.mayBeRetried(version)) {
        continue;
      }
      for (Transaction reader : version.takeWaiters()) {
        Wait wait = reader.waiting;
        if (wait != null && wait.missing != null && wait.missing.remove(version)) {
          awaitWriter(reader, null, version.key, version.version);
          unblock(reader);
        }
      }
    }
  }

  /** A committed transaction starts to wait for its predecessors. */
  private void admit(Transaction txn) {
    waiting.enter(txn);
    Wait wait = new Wait();
    wait.sinceMs = nowMs;
    wait.blockers = 1;
    txn.waiting = wait;
    link(txn);
    Transaction predecessor = txn.soPrev;
    if (predecessor != null && predecessor.state == State.PENDING) {
      block(txn, predecessor);
    }
    boolean awaitsHorizon = false;
    Operations ops = txn.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.READ || ops.undone(i)) {
        continue;
      }
      if (ops.versionKind(i) == VersionKind.INITIAL) {
        awaitsHorizon |= config.deletes() && config.closed();
      } else if (ops.versionKind(i) == VersionKind.KNOWN) {
        if (config.uniqueVersions()) {
          awaitUniqueWriter(txn, ops.key(i), ops.version(i));
        } else {
          awaitsHorizon |= evidence.provesAnything(ops.statement(i).table());
        }
      }
    }
    if (awaitsHorizon || wait.missing != null) {
      if (txn.arrival < horizonPosition) {
        giveUpMissing(txn);
        if (awaitsHorizon) {
          awaitAllWriters(txn);
        }
      } else {
        if (awaitsHorizon) {
          wait.awaitsHorizon = true;
          wait.blockers++;
        }
        waiting.awaitHorizon(txn);
      }
    }
    unblock(txn);
    if (wait.blockers > 0) {
      waiting.noteWaiting(txn);
    }
    boundPending();
  }

  /** Puts a committed transaction into its place in session order. */
  private void link(Transaction txn) {
    Transaction next = null;
    Transaction previous = txn.session.lastCommitted;
    while (previous != null && previous.arrival > txn.arrival) {
      next = previous;
      previous = previous.soPrev;
    }
    txn.soPrev = previous;
    txn.soNext = next;
    if (previous != null) {
      previous.soNext = txn;
    }
    if (next == null) {
      txn.session.lastCommitted = txn;
    } else {
      next.soPrev = txn;
      if (next.state == State.PENDING) {
        block(next, txn);
      }
    }
  }

  private void awaitUniqueWriter(Transaction reader, long key, long value) {
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
    if (version != null && version.size() > 0 && !writers.mayBeRetried(version)) {
      awaitWriter(reader, null, key, value);
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
  private void awaitWriter(Transaction reader, @Nullable String table, long key, long value) {
    Transaction writer = writers.sole(table, key, value);
    if (writer == null
        || writer == reader
        || CandidateWriters.excluded(reader, writer)
        || !isProven(writer, table, key)) {
      return;
    }
    if (!writer.committed && writer.outcome == Outcome.UNKNOWN && writer.state == State.PASSIVE) {
      writer.committed = true;
      counters.unknown--;
      admit(writer);
    }
    if (writer.state == State.PENDING) {
      block(reader, writer);
    }
  }

  private void awaitAllWriters(Transaction reader) {
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (CandidateWriters.isRead(ops, i)) {
        awaitWriter(reader, ops.statement(i).table(), ops.key(i), ops.version(i));
      }
    }
  }

  /** Whether nobody else than a known writer can have written a version of the key. */
  private boolean isProven(Transaction writer, @Nullable String table, long key) {
    return (writer.committed
            ? evidence.againstCommitted(table, key)
            : evidence.againstUncommitted(table, key))
        == null;
  }

  private static void block(Transaction txn, Transaction predecessor) {
    wait(predecessor).addDependent(txn);
    wait(txn).blockers++;
  }

  private void unblock(Transaction txn) {
    Wait wait = wait(txn);
    wait.blockers--;
    if (wait.blockers == 0) {
      waiting.makeReady(txn);
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

  private void giveUpMissing(Transaction txn) {
    Wait wait = wait(txn);
    List<Version> missing = wait.missing;
    wait.missing = null;
    if (missing != null) {
      for (Version version : missing) {
        version.removeWaiter(txn);
        versions.removeIfUnused(version);
        unblock(txn);
      }
    }
  }

  private void advance() {
    if (!config.live()) {
      noteLosses();
      return;
    }
    if (nowMs - lastSilenceCheckMs >= 1_000) {
      lastSilenceCheckMs = nowMs;
      int silent = horizon.removeSilent(nowMs).size();
      if (silent > 0) {
        counters.silentProxies += silent;
        unseen.noteLoss();
      }
      boundWaiting();
    }
    noteLosses();
    passHorizon();
  }

  private void noteLosses() {
    if (unseen.losses() != lossesSeen) {
      lossesSeen = unseen.losses();
      lossPosition = position;
    }
  }

  private void passHorizon() {
    horizonPosition = horizon.advance(position);
    for (Transaction txn = waiting.takePassed(horizonPosition);
        txn != null;
        txn = waiting.takePassed(horizonPosition)) {
      giveUpMissing(txn);
      if (wait(txn).awaitsHorizon) {
        wait(txn).awaitsHorizon = false;
        awaitAllWriters(txn);
        unblock(txn);
      }
    }
  }

  private void noteProxy(@Nullable String proxy) {
    if (proxy != null && !proxy.isEmpty() && config.live() && !horizon.knows(proxy)) {
      // Its hello was before the stream's first record, or it had been taken for dead.
      unseen.noteLoss();
      horizon.join(proxy, nowMs);
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

  private void boundWaiting() {
    long sinceMs = nowMs - MAX_WAIT_MS;
    for (Transaction txn = waiting.takeAwaitingSince(sinceMs);
        txn != null;
        txn = waiting.takeAwaitingSince(sinceMs)) {
      goOn(txn, UndecidedReason.LATE_WRITER);
    }
  }

  /** The transaction goes on without what it waits for; what is then not known stays undecided. */
  private void goOn(Transaction txn, UndecidedReason reason) {
    wait(txn).gaveUp = reason;
    giveUpMissing(txn);
    if (wait(txn).awaitsHorizon) {
      wait(txn).awaitsHorizon = false;
      unblock(txn);
    }
  }

  /** Saves what has arrived and is not delivered, and how far the stream has come. */
  public void save(GraphWriter graph) {
    assembler.save(graph);
    graph.transactions(passive);
    waiting.save(graph);
    StateWriter out = graph.out;
    horizon.save(out);
    out.number(position);
    out.number(horizonPosition);
    out.number(searchedHorizon);
    out.number(lossPosition);
    out.number(lossesSeen);
    out.number(lastSilenceCheckMs);
    out.number(nowMs);
    out.flag(finished);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader graph) {
    assembler.load(graph);
    passive.addAll(graph.transactions());
    waiting.load(graph);
    StateReader in = graph.in;
    horizon.load(in);
    position = in.number();
    horizonPosition = in.number();
    searchedHorizon = in.number();
    lossPosition = in.number();
    lossesSeen = in.number();
    lastSilenceCheckMs = in.number();
    nowMs = in.number();
    finished = in.flag();
  }
}
