package io.isotail.incremental;

import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.changes.CommitFault;
import io.isotail.incremental.changes.LogFollower;
import io.isotail.incremental.check.CausalityCycles;
import io.isotail.incremental.check.GraphBodies;
import io.isotail.incremental.check.ReplacedVersions;
import io.isotail.incremental.check.StrongLevels;
import io.isotail.incremental.check.TruncatedReads;
import io.isotail.incremental.check.Truncation;
import io.isotail.incremental.check.WeakLevels;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.coverage.CaptureLedger;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.reads.Absences;
import io.isotail.incremental.reads.BadRead;
import io.isotail.incremental.reads.BeforeCapture;
import io.isotail.incremental.reads.LeftWriters;
import io.isotail.incremental.reads.OutsiderWrites;
import io.isotail.incremental.reads.ReadResolver;
import io.isotail.incremental.reads.UncapturedWriters;
import io.isotail.incremental.reads.UnseenEffects;
import io.isotail.incremental.reads.UnseenWrites;
import io.isotail.incremental.reads.VersionTable;
import io.isotail.incremental.reads.WriterEvidence;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.Helpers;
import io.isotail.incremental.snapshot.StateCut;
import io.isotail.incremental.snapshot.StateException;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateSink;
import io.isotail.incremental.snapshot.StateSource;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.stream.Delivery;
import io.isotail.incremental.verdict.Marker;
import io.isotail.incremental.verdict.Moment;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import io.isotail.incremental.witness.AnomalyReporter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks one history as it streams in, at every level at once, exactly as long as the window holds
 * the whole history.
 *
 * <p>Each record runs through the stages in turn: delivery, reads, clock, relation, order, witness,
 * window. State is a function of the records alone, so the same log gives the same anomalies with
 * the same ids.
 *
 * <p>Not thread-safe: one thread owns a checker and its listener is called on that thread. Nothing
 * in a record makes it throw; what makes no sense is counted and skipped.
 */
public final class Checker {
  private final CheckerConfig config;
  private final LogFollower log;
  private final LogFollower.Next taker =
      new LogFollower.Next() {
        @Override
        public void accept(long offset, long timeMs, StreamRecord record) {
          take(offset, timeMs, record);
        }

        @Override
        public void fault(CommitFault fault) {
          reporter.fault(fault);
        }
      };
  private final UnseenWrites.Gained gained =
      new UnseenWrites.Gained() {
        @Override
        public void shown(long key, long version) {
          if (strongLevels.isReplaced(key, version)) {
            // Who replaced it was placed without what it replaced.
            ledger.doubtEverywhere(UndecidedReason.LATE_WRITER);
          }
        }

        @Override
        public void wrote(Transaction writer, long key) {
          strongLevels.wrote(writer, key, levels);
        }
      };
  private final Counters counters = new Counters();
  private final CaptureLedger captured = new CaptureLedger();
  private final UnseenEffects unseen = new UnseenEffects();
  private final OutsiderWrites outsiders;
  private final Slots slots;
  private final Window window = new Window();
  private final VersionTable versions;
  private final BeforeCapture beforeCapture;
  private final Absences absences;
  private final UnseenWrites unseenWrites;
  private final VerdictLedger ledger;
  private final Delivery delivery;
  private final ReadResolver reads;
  private final AnomalyReporter reporter;
  private final WeakLevels levels;
  private final StrongLevels strongLevels;
  private final UncapturedWriters uncaptured;
  private final Truncation truncation;
  private final CausalityCycles cycles;
  private final ControlSettings settings;

  /** Losses that the verdicts tell of. */
  private long lossesNoted;

  /** Revocations after which the window was forgotten. */
  private long revocationsNoted;

  /** The state that was saved last, which may still be written. */
  private @Nullable CheckerCut latestCut;

  /** Starts with an empty history. */
  public Checker(CheckerConfig config, AnomalyListener listener) {
    this(config, listener, Tuning.DEFAULT);
  }

  /** A checker with other bounds on memory and time. */
  public Checker(CheckerConfig config, AnomalyListener listener, Tuning tuning) {
    this.config = config;
    this.log = new LogFollower(config.silentAfterMs());
    this.slots = new Slots(tuning.firstSlot());
    LeftWriters left = new LeftWriters(config, window);
    this.versions = new VersionTable(config.retiredVersions(), left);
    this.ledger = new VerdictLedger(config, window);
    this.outsiders = new OutsiderWrites(config, unseen);
    WriterEvidence evidence = new WriterEvidence(config, unseen, versions);
    this.beforeCapture = new BeforeCapture(versions);
    this.absences = new Absences(config, versions, beforeCapture, unseen, left, window);
    this.unseenWrites =
        new UnseenWrites(versions, beforeCapture, absences, config.retiredVersions());
    this.delivery =
        new Delivery(
            config,
            counters,
            unseen,
            outsiders,
            versions,
            evidence,
            beforeCapture,
            absences,
            unseenWrites,
            ledger,
            slots);
    this.uncaptured =
        new UncapturedWriters(
            config, versions, beforeCapture, absences, unseenWrites, slots, window);
    this.reads = new ReadResolver(config, versions, evidence, beforeCapture, counters, ledger);
    IsolationLevel strongestWeak = config.strongest().weakerOf(IsolationLevel.strongestWeak());
    this.reporter =
        new AnomalyReporter(
            config, strongestWeak, outsiders::mayHaveWritten, counters, ledger, listener);
    this.levels = new WeakLevels(strongestWeak, tuning, window, counters, unseen, ledger, reporter);
    ReplacedVersions replaced = new ReplacedVersions(config, versions, evidence, counters);
    this.strongLevels =
        new StrongLevels(config, tuning, window, outsiders, replaced, ledger, reporter);
    this.settings = new ControlSettings(config, counters, ledger, strongLevels);
    this.truncation =
        new Truncation(
            counters,
            versions,
            absences,
            unseenWrites,
            unseen,
            slots,
            ledger,
            levels,
            strongLevels);
    this.cycles = new CausalityCycles(delivery, reporter);
  }

  /**
   * Takes the next record of the stream.
   *
   * @param offset log offset, never decreasing, or line of the file. Several records may stand at
   *     one offset, in the order in which they are handed over
   * @param appendTimeMs log append time in ms, never decreasing; 0 in files
   */
  public void accept(long offset, long appendTimeMs, StreamRecord record) {
    if (record instanceof LogStart) {
      unseen.noteLogFollowed();
    }
    log.accept(offset, appendTimeMs, record, taker);
  }

  /** Takes the next record of which all is known that the database's log tells. */
  private void take(long offset, long appendTimeMs, StreamRecord record) {
    ledger.at(offset, appendTimeMs);
    if (record instanceof TransactionRecord transaction) {
      delivery.transaction(offset, appendTimeMs, transaction);
    } else if (record instanceof Heartbeat heartbeat) {
      delivery.heartbeat(appendTimeMs, heartbeat);
      captured.heard(heartbeat, appendTimeMs);
    } else if (record instanceof Hello hello) {
      delivery.hello(appendTimeMs, hello);
    } else if (record instanceof Goodbye goodbye) {
      delivery.goodbye(appendTimeMs, goodbye);
    } else if (record instanceof Gap gap) {
      delivery.gap(appendTimeMs, gap);
    } else if (record instanceof Control control) {
      settings.accept(control, new Moment(offset, appendTimeMs));
    }
    if (unseen.losses() != lossesNoted) {
      lossesNoted = unseen.losses();
      ledger.doubtEverywhere(UndecidedReason.LOST_RECORDS);
    }
    long revocations = beforeCapture.revocations() + absences.revocations() + log.revocations();
    if (revocations != revocationsNoted) {
      revocationsNoted = revocations;
      forgetWindow();
    }
    deliver();
    if (delivery.waitsSinceLoss()) {
      ledger.stillInDoubt(UndecidedReason.LOST_RECORDS);
    }
  }

  /** The stream has ended: what has not come will not come. */
  public void finish() {
    log.finish(taker);
    delivery.finish();
    deliver();
  }

  /**
   * Saves the whole state, between two records. The checker goes on undisturbed.
   *
   * @param sink takes the snapshot in chunks
   */
  public void save(StateSink sink) {
    cut(Helpers.NONE).write(sink);
  }

  /**
   * The whole state between two records, to be written while the checker goes on, and before the
   * next cut: one that is written later, or meanwhile, fails.
   *
   * @param helpers none of them is at it any more when this returns or throws
   */
  public StateCut cut(Helpers helpers) {
    if (latestCut != null) {
      latestCut.giveUp();
    }
    GraphWriter noted = new GraphWriter();
    CheckerCut cut = new CheckerCut(config, noted);
    latestCut = cut;
    save(noted, helpers);
    return cut;
  }

  /** A checker that goes on where the one that was saved stood, with the default tuning. */
  public static Checker restore(
      CheckerConfig config, AnomalyListener listener, StateSource source) {
    return restore(config, listener, Tuning.DEFAULT, source);
  }

  /**
   * A checker that goes on where the one that was saved stood.
   *
   * @param config must equal the one that the state was saved under
   * @param tuning may be another one; the verdicts do not depend on it
   * @throws StateException if the snapshot is damaged, incomplete, of a later format, or was saved
   *     under another configuration; the message says what differs
   */
  public static Checker restore(
      CheckerConfig config, AnomalyListener listener, Tuning tuning, StateSource source) {
    return CheckerState.restore(new Checker(config, listener, tuning), source);
  }

  private void save(GraphWriter graph, Helpers helpers) {
    StateWriter out = graph.out;
    out.section("counters");
    counters.save(out);
    captured.save(out);
    unseen.save(out);
    outsiders.save(out);
    slots.save(out);
    ledger.save(out);
    beforeCapture.save(out);
    out.number(lossesNoted);
    out.number(revocationsNoted);
    settings.save(out);
    out.section("log");
    log.save(out);
    out.section("window");
    window.save(graph);
    out.section("delivery");
    delivery.save(graph);
    try (GraphBodies bodies = strongLevels.save(graph, helpers)) {
      out.section("versions");
      versions.save(graph);
      absences.save(graph);
      unseenWrites.save(graph);
      levels.save(graph);
      out.section("anomalies");
      reporter.save(graph);
      bodies.append(out);
    }
  }

  void load(GraphReader graph) {
    StateReader in = graph.in;
    in.section("counters");
    counters.load(in);
    captured.load(in);
    unseen.load(in);
    outsiders.load(in);
    slots.load(in);
    ledger.load(in);
    beforeCapture.load(in);
    lossesNoted = in.number();
    revocationsNoted = in.number();
    settings.load(in);
    in.section("log");
    log.load(in);
    in.section("window");
    window.load(graph);
    in.section("delivery");
    delivery.load(graph);
    window.loaded();
    strongLevels.load(graph);
    in.section("versions");
    versions.load(graph);
    absences.load(graph);
    unseenWrites.load(graph);
    levels.load(graph);
    in.section("anomalies");
    reporter.load(graph);
    levels.loadedTransactions();
    strongLevels.loadBodies(in);
    absences.loaded(graph.everyTransaction());
  }

  CheckerConfig config() {
    return config;
  }

  /** Where the checker stands. Callable at any time from the owning thread. */
  public CheckerReport report() {
    return new CheckerReport(
        ledger.reports(config.strongest(), settings.windowTransactions()),
        strongLevels.checked(),
        ledger.violatedInWindow(),
        counters.sessions,
        counters.transactions,
        counters.aborted,
        counters.unknown,
        counters.operations,
        counters.reads,
        counters.readsDecided,
        counters.readsBeforeCapture,
        counters.readsForeign,
        captured.report(),
        ledger.undecided(),
        reporter.counts(),
        counters.occurrences,
        counters.edgesInferred,
        counters.edgesDropped + strongLevels.lost(),
        strongLevels.searches().searches(),
        strongLevels.searches().steps(),
        counters.truncated,
        counters.duplicateRecords,
        versions.duplicates(),
        counters.replacedTwice,
        counters.lostRecords(),
        counters.badRecords,
        counters.silentProxies,
        window.size(),
        delivery.pending() + log.waiting(),
        slots.live() - window.uncaptured(),
        delivery.liveProxies());
  }

  /** Changes and notes to be seen beside what the history does, the oldest first. */
  public List<Marker> markers() {
    return settings.markers().all();
  }

  /** Keeps the markers of a checker in whose place this one comes, and the versions it has seen. */
  public void keepMarkersOf(Checker before) {
    settings.goOnFrom(before.settings);
  }

  /** Marks what no record tells, such as another promise; verdicts do not depend on it. */
  public void mark(Marker marker) {
    settings.markers().add(marker);
  }

  /**
   * What the anomalies have in common; the cause that was seen last comes first. Callable at any
   * time from the owning thread.
   */
  public List<CauseReport> causes() {
    return reporter.causes().reports();
  }

  /** The incidents that the causes belong to; else as {@link #causes}. */
  public List<IncidentReport> incidents() {
    return reporter.causes().incidents();
  }

  /** Incidents that were forgotten, with their causes, to make room for others. */
  public long forgottenIncidents() {
    return reporter.causes().forgottenIncidents();
  }

  /**
   * How often any cause or incident has changed; {@link #causes} and {@link #incidents} tell
   * nothing new while this is the same, but for transactions that were checked meanwhile.
   */
  public long causeChanges() {
    return reporter.causes().changes();
  }

  /** Whether a transaction that may have committed deleted a key, or may have, unseen. */
  public boolean keysAreDeleted() {
    return unseen.anyDeleted() || unseen.anyOpaque();
  }

  /** Whether a transaction that was promised less than {@code serializable} wrote something. */
  public boolean anyOutsiderWrites() {
    return outsiders.any();
  }

  /** Whether no version was seen to be written by two transactions, whatever became of them. */
  public boolean versionsAreUnique() {
    return versions.shared() == 0;
  }

  /** The delivered transactions that the window holds, in delivery order; to be looked at only. */
  Window delivered() {
    return window;
  }

  private void deliver() {
    while (true) {
      Transaction due = delivery.next();
      if (due != null) {
        process(due);
        continue;
      }
      List<Transaction> cycle = delivery.stuckCycle();
      if (cycle == null) {
        return;
      }
      cycles.breakUp(cycle);
    }
  }

  private void process(Transaction t) {
    if (t.committed) {
      beforeCapture.mark(t);
      absences.mark(t);
      unseenWrites.enterDelivered(t, levels::prepareLateWrite, gained);
      uncaptured.of(t, settings.windowTransactions()).forEach(this::enterUncaptured);
    }
    window.add(t);
    if (t.committed) {
      check(t);
    }
    if (uncaptured.madeInsteadOf(t)) {
      // What is known of it was not used.
      ledger.doubtEverywhere(UndecidedReason.LATE_WRITER);
    }
    if (UnseenEffects.writesUnseen(t)) {
      ledger.doubtAbout(t, UndecidedReason.OPAQUE_WRITE);
    }
    while (window.size() > settings.windowTransactions()) {
      truncateOldest();
    }
  }

  private void truncateOldest() {
    Transaction oldest = window.removeOldest();
    if (oldest != null) {
      truncation.truncate(oldest);
    }
  }

  /** What the window holds may rest on reads whose writers are no longer certain. */
  private void forgetWindow() {
    while (!window.isEmpty()) {
      truncateOldest();
    }
    strongLevels.beginAnew(UndecidedReason.LATE_WRITER);
    ledger.doubtEverywhere(UndecidedReason.LATE_WRITER);
  }

  private void enterUncaptured(Transaction writer) {
    window.add(writer);
    writer.state = Transaction.State.DELIVERED;
    strongLevels.deliveredUncaptured(writer, levels);
  }

  private void check(Transaction t) {
    counters.transactions++;
    ledger.delivered(t);
    reporter.delivered(t);
    settings.delivered(t);
    if (t.waiting != null && t.waiting.readBeforeLoss) {
      // What was lost may have come before or after it.
      ledger.doubtEverywhere(UndecidedReason.LOST_RECORDS);
    }
    levels.prepare(t);
    List<BadRead> bad = resolve(t);
    levels.leaveOutReadsFromTheFuture(t);
    if (t.waiting != null && t.waiting.looksBad && bad.isEmpty()) {
      reporter.cycleUntold(t);
    }
    delivery.delivered(t);
    counters.edgesDropped += TruncatedReads.count(t, unseen);
    for (BadRead read : bad) {
      reporter.badRead(read);
    }
    strongLevels.delivered(t, levels);
  }

  /** The reads of what was promised a level that is not checked now are not decided. */
  private List<BadRead> resolve(Transaction t) {
    long decided = counters.readsDecided;
    long beforeCapture = counters.readsBeforeCapture;
    List<BadRead> bad = reads.resolve(t);
    if (strongLevels.sheds(t)) {
      counters.readsDecided = decided;
      counters.readsBeforeCapture = beforeCapture;
    }
    return bad;
  }
}
