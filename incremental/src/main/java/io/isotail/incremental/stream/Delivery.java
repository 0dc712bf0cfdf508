package io.isotail.incremental.stream;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.reads.Absences;
import io.isotail.incremental.reads.BeforeCapture;
import io.isotail.incremental.reads.OutsiderWrites;
import io.isotail.incremental.reads.UnseenEffects;
import io.isotail.incremental.reads.UnseenWrites;
import io.isotail.incremental.reads.VersionTable;
import io.isotail.incremental.reads.WriterEvidence;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
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
  private final OutsiderWrites outsiders;
  private final VersionTable versions;
  private final BeforeCapture beforeCapture;
  private final Absences absences;
  private final UnseenWrites unseenWrites;
  private final Databases databases = new Databases();
  private final Assembler assembler;
  private final Horizon horizon;
  private final HeardTime heard;

  private final ArrayDeque<Transaction> passive = new ArrayDeque<>();
  private final PendingTransactions pending;
  private long position = -1;
  private long lossPosition = -1;
  private long lossesSeen;
  private int databasesSeen;
  private long lastSilenceCheckMs;
  private boolean finished;

  /** An empty stream. */
  @SuppressWarnings("TooManyParameters")
  public Delivery(
      CheckerConfig config,
      Counters counters,
      UnseenEffects unseen,
      OutsiderWrites outsiders,
      VersionTable versions,
      WriterEvidence evidence,
      BeforeCapture beforeCapture,
      Absences absences,
      UnseenWrites unseenWrites,
      VerdictLedger ledger,
      Slots slots) {
    this.config = config;
    this.counters = counters;
    this.unseen = unseen;
    this.outsiders = outsiders;
    this.versions = versions;
    this.beforeCapture = beforeCapture;
    this.absences = absences;
    this.unseenWrites = unseenWrites;
    this.pending =
        new PendingTransactions(
            config, counters, versions, evidence, beforeCapture, absences, unseenWrites, outsiders);
    this.assembler = new Assembler(config, counters, unseen, ledger, slots, databases);
    this.horizon = new Horizon(config.silentAfterMs());
    this.heard = new HeardTime(config.silentAfterMs());
  }

  /** A transaction, or a chunk of one. */
  public void transaction(long offset, long timeMs, TransactionRecord record) {
    position++;
    heard.hear(timeMs);
    noteProxy(record.session().proxy());
    beforeCapture.captured(record.session(), databases.of(record.session()));
    noteDatabases();
    Transaction transaction = assembler.accept(position, offset, record);
    if (transaction != null) {
      String proxy = record.session().proxy();
      transaction.session.proxySince = proxy == null ? Long.MAX_VALUE : horizon.knownSince(proxy);
      if (proxy != null) {
        horizon.ended(proxy, record.session().id(), record.transaction(), heard.nowMs());
      }
      arrive(transaction);
    }
    advance();
  }

  /** A proxy starts. */
  public void hello(long timeMs, Hello hello) {
    position++;
    heard.hear(timeMs);
    horizon.hello(hello.proxy(), position, heard.nowMs());
    beforeCapture.hello(hello, databases.of(hello.database()));
    noteDatabases();
    advance();
  }

  /** A proxy is alive. */
  public void heartbeat(long timeMs, Heartbeat heartbeat) {
    position++;
    heard.hear(timeMs);
    noteProxy(heartbeat.proxy());
    horizon.heartbeat(heartbeat, position, heard.nowMs());
    advance();
  }

  /** A proxy stops. */
  public void goodbye(long timeMs, Goodbye goodbye) {
    position++;
    heard.hear(timeMs);
    horizon.goodbye(goodbye.proxy());
    advance();
  }

  /** Records were lost. */
  public void gap(long timeMs, Gap gap) {
    position++;
    heard.hear(timeMs);
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
    for (Transaction transaction = passive.poll();
        transaction != null;
        transaction = passive.poll()) {
      if (!transaction.committed) {
        return transaction;
      }
    }
    return pending.next(lossPosition);
  }

  /** The transaction has been processed and is in the window: what waits for it goes on. */
  public void delivered(Transaction transaction) {
    pending.delivered(transaction);
  }

  /**
   * The next group of transactions that wait for each other, of which none can ever be delivered: a
   * cycle of session order and reads. Every reader in it that reads from its predecessor on the
   * cycle could be left out.
   *
   * @return the cycle in the order so ∪ wr, or null when there is none that is certain
   */
  public @Nullable List<Transaction> stuckCycle() {
    return pending.stuckCycle(finished);
  }

  /** The reads of {@code reader} from {@code writer} are left out: they close a causality cycle. */
  public void exclude(Transaction reader, Transaction writer) {
    pending.exclude(reader, writer);
  }

  /**
   * Whether all that {@code reader} read from {@code writer} may as well be of somebody else, so
   * that a cycle through it proves nothing.
   */
  public boolean doubtful(Transaction reader, Transaction writer) {
    return pending.doubtful(reader, writer);
  }

  /** Whether a transaction waits that was in the log before the last loss was known. */
  public boolean waitsSinceLoss() {
    Transaction oldest = unseen.lost() ? pending.oldest() : null;
    return oldest != null && oldest.arrival <= lossPosition;
  }

  /** Transactions that wait. */
  public int pending() {
    return pending.size();
  }

  /** Proxies that keep their promise of heartbeats. */
  public int liveProxies() {
    return horizon.live();
  }

  private void arrive(Transaction transaction) {
    unseen.note(transaction);
    outsiders.note(transaction);
    beforeCapture.arrived(transaction);
    unseenWrites.arrived(transaction);
    absences.arrived(transaction, this::forEachUndelivered);
    versions.prefetch(transaction.operations);
    List<Version> awaited = versions.register(transaction);
    if (transaction.committed) {
      pending.admit(transaction, heard.nowMs());
    } else {
      if (transaction.outcome == Outcome.UNKNOWN) {
        counters.unknown++;
      } else {
        counters.aborted++;
      }
      passive.add(transaction);
    }
    for (Version version : awaited) {
      pending.writerArrived(version, heard.nowMs());
    }
  }

  private void forEachUndelivered(Consumer<Transaction> each) {
    passive.forEach(each);
    pending.forEach(each);
  }

  private void advance() {
    if (!config.live()) {
      noteLosses();
      return;
    }
    if (heard.nowMs() - lastSilenceCheckMs >= 1_000) {
      lastSilenceCheckMs = heard.nowMs();
      int silent = horizon.removeSilent(heard.nowMs()).size();
      if (silent > 0) {
        counters.silentProxies += silent;
        unseen.noteLoss();
      }
      pending.giveUpWaitingSince(heard.nowMs() - MAX_WAIT_MS);
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
    pending.passHorizon(horizon.advance(position), position, heard.nowMs());
  }

  /** Rows that another database has from the start were written by nobody in the stream. */
  private void noteDatabases() {
    if (databases.count() > databasesSeen) {
      databasesSeen = databases.count();
      if (databasesSeen > 1 && config.closed()) {
        unseen.noteLoss();
      }
    }
  }

  private void noteProxy(@Nullable String proxy) {
    if (proxy != null && !proxy.isEmpty() && config.live() && !horizon.knows(proxy)) {
      // Its hello was before the stream's first record, or it had been taken for dead.
      unseen.noteLoss();
      horizon.join(proxy, position, heard.nowMs());
    }
  }

  /** Saves what has arrived and is not delivered, and how far the stream has come. */
  public void save(GraphWriter graph) {
    assembler.save(graph);
    graph.transactions(passive);
    pending.save(graph);
    StateWriter out = graph.out;
    databases.save(out);
    out.number(databasesSeen);
    horizon.save(out);
    out.number(position);
    out.number(lossPosition);
    out.number(lossesSeen);
    out.number(lastSilenceCheckMs);
    heard.save(out);
    out.flag(finished);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader graph) {
    assembler.load(graph);
    passive.addAll(graph.transactions());
    pending.load(graph);
    StateReader in = graph.in;
    databases.load(in);
    databasesSeen = in.smallNumber();
    horizon.load(in);
    position = in.number();
    lossPosition = in.number();
    lossesSeen = in.number();
    lastSilenceCheckMs = in.number();
    heard.load(in);
    finished = in.flag();
  }
}
