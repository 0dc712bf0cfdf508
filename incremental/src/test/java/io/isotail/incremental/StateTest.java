package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.Helpers;
import io.isotail.incremental.snapshot.StateCut;
import io.isotail.incremental.snapshot.StateException;
import io.isotail.incremental.snapshot.StateSource;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.NotedStates;
import io.isotail.incremental.window.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A checker that is saved and restored at any record is the one that it was. */
final class StateTest {
  private static final int HISTORIES = Seeds.HISTORIES;

  private static final long FIRST_SEED = Seeds.FIRST;

  private static final int STREAMS = Math.max(150, HISTORIES / 10);

  /** A transaction of a causality cycle waits for another read: one stream of thousands has it. */
  private static final long WAITS_AFTER_A_CYCLE = 100_972;

  /** One stream of hundreds leaves ids behind of which nothing else is remembered. */
  private static final long LEAVES_IDS = 243;

  /** In one history of hundreds the last writers of a key are all that is kept of it. */
  private static final long KEEPS_THE_LAST_WRITERS = 250;

  private static int runs;

  /**
   * Nothing is in them between two records, or while nobody asks for a report, or only after a
   * million keys or versions of a log, 10,000 tables, a thousand rows of an incident or 200
   * incidents, where a closed history of mixed levels reaches its bound of waiting transactions, or
   * while one waits whose read only a witness of a circle shows as bad.
   */
  private static final List<String> HARD_TO_FILL =
      List.of(
          "LogFollower.revocations",
          "LogFollower.everDatabase",
          "LogFollower.toldBefore",
          "CapturedTransactions.idsOfParts",
          "CapturedTransactions.undecided",
          "CapturedTransactions.undecidedAny",
          "LoggedRows.lateMs",
          "LoggedRows.forgot",
          "LoggedRow.broken",
          "LoggedRow.cut",
          "Absences.revocations",
          "Absences.firstArrivals",
          "Delivery.passive",
          "WaitingRoom.ready",
          "BoundedKeys.all",
          "KeysByTable.whole",
          "MixedVersions.tooMany",
          "OutsiderWrites.wentOn",
          "BesideOutsiders.unsure",
          "PendingTransactions.promoted",
          "Wait.readBeforeLoss",
          "Wait.looksBad",
          "EventGraph.unordered",
          "LevelGraph.forgot",
          "Swaps.anyBelowFloor",
          "Fitting.replaced",
          "Known.anyUnproven",
          "HurtRows.more",
          "Cause.made",
          "Incident.made",
          "IncidentLedger.forgotten",
          "Dependency.impliedBy",
          "Dependency.source",
          "TransactionNode.awaitsRun",
          "TransactionNode.broughtIntoForce",
          "TransactionNode.overwritten",
          "RetirementNotes.overwritten",
          "RetiredTransactions.untold");

  /** A field that held nothing in any comparison may have been forgotten. */
  @AfterAll
  static void theStreamsFilledEveryField() {
    if (runs >= 2 * STREAMS) {
      assertThat(SameState.neverFilled()).isSubsetOf(HARD_TO_FILL);
    }
  }

  /** A snapshot that makes no sense must not change what all checkers of the process share. */
  @AfterAll
  static void theInitialTransactionIsAsItWas() {
    assertThat(Transaction.INITIAL.state).isEqualTo(Transaction.State.PASSIVE);
    assertThat(Transaction.INITIAL.operations.size()).isZero();
    assertThat(Transaction.INITIAL.soNext).isNull();
  }

  /** What a checker has told, in order. */
  private static final class Told implements AnomalyListener {
    final List<String> all = new ArrayList<>();

    @Override
    public void found(Anomaly anomaly) {
      all.add(anomaly.toString());
    }

    @Override
    public void repeated(String id, long count) {
      all.add(id + " x " + count);
    }
  }

  @Test
  void aRestoredFileCheckIsDeeplyEqualAndGoesOnIdentically() {
    int told = runFile(KEEPS_THE_LAST_WRITERS);
    for (long seed : RandomHistory.seeds(FIRST_SEED, STREAMS)) {
      told += runFile(seed);
    }
    assertThat(told).isGreaterThan(HISTORIES / 100);
  }

  private static int runFile(long seed) {
    List<TransactionRecord> history =
        seed % 10 == 0
            ? RandomHistory.of(seed, 40)
            : seed % 3 == 0 ? ConcurrentHistory.of(seed) : RandomHistory.of(seed);
    IsolationLevel[] levels = IsolationLevel.values();
    CheckerConfig config = CheckerConfig.forFile("h", levels[(int) (seed % levels.length)]);
    config = seed % 2 == 0 ? config : config.withClockUncertainty(seed % 5);
    config = seed % 4 == 0 ? config : narrow(config, seed);
    history = ReplacedVersionsIn.contradicting(history, seed);
    return run(config, RandomHistory.shuffled(history, seed), seed, 0);
  }

  /** So many sessions that those of the random history have no numbers in clocks. */
  @Test
  void aRestoredCheckOfManySessionsIsDeeplyEqualAndGoesOnIdentically() {
    int told = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, Math.max(16, HISTORIES / 300))) {
      List<TransactionRecord> history = RandomHistory.shuffled(RandomHistory.of(seed, 30), seed);
      // With the first, slots ascend with places; with the second, chunks have gone.
      boolean all = seed % 2 == 0;
      CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL);
      config = all ? config : config.withWindow(180);
      told += run(config, RandomHistory.ofOtherSessions(all ? 130 : 1_226), history, seed, 0);
    }
    assertThat(told).isGreaterThan(5);
  }

  @Test
  void aRestoredLiveCheckIsDeeplyEqualAndGoesOnIdentically() {
    int told = runLive(WAITS_AFTER_A_CYCLE) + runLive(LEAVES_IDS);
    for (long seed : RandomHistory.seeds(FIRST_SEED, STREAMS)) {
      told += runLive(seed);
    }
    assertThat(told).isGreaterThan(HISTORIES / 100);
  }

  private static int runLive(long seed) {
    List<TransactionRecord> history =
        seed % 10 == 0
            ? RandomHistory.of(seed, 30)
            : seed % 3 == 0 ? ConcurrentHistory.of(seed) : RandomHistory.of(seed);
    CheckerConfig config =
        narrow(CheckerConfig.forLive("h").withStrongest(IsolationLevel.STRICT_SERIALIZABLE), seed)
            .withClosed(seed % 2 == 0)
            .withUniqueVersions(seed % 3 != 0)
            .withClockUncertainty(seed % 5);
    IsolationLevel promise =
        seed % 4 == 0
            ? IsolationLevel.CAUSAL
            : seed % 4 == 1 ? IsolationLevel.SERIALIZABLE : IsolationLevel.STRICT_SERIALIZABLE;
    config = seed % 5 == 0 ? config : config.withPromise(promise);
    double damage = seed % 4 == 0 ? 0 : 0.3;
    long stepMs = seed % 7 == 0 ? 3_000 : 10;
    return run(
        config,
        seed % 8 == 3
            ? namingWriters(seed, damage)
            : LiveStream.of(
                RandomHistory.shuffled(ReplacedVersionsIn.contradicting(history, seed), seed),
                seed,
                damage),
        seed,
        stepMs);
  }

  @Test
  void aRestoredCheckBesideALogIsDeeplyEqualAndGoesOnIdentically() {
    CheckerConfig config =
        CheckerConfig.forLive("h").withPromise(IsolationLevel.STRICT_SERIALIZABLE);
    int told = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, STREAMS)) {
      told +=
          run(
              config,
              new LoggedHistory(
                      seed, 25, LoggedHistory.Log.values()[(int) (seed % 3)], seed % 2 == 0)
                  .stream,
              seed,
              1);
    }
    assertThat(told).isPositive();
  }

  /** Commits that the log does not tell wait for what shows that it ought to. */
  @Test
  void restoredDoubtsAboutCommitsAreDeeplyEqualAndGoOnIdentically() {
    CheckerConfig config =
        CheckerConfig.forLive("h").withPromise(IsolationLevel.STRICT_SERIALIZABLE);
    for (long seed = 2; seed <= 12; seed += 2) {
      List<StreamRecord> stream =
          new LoggedHistory(seed, 60, LoggedHistory.Log.WHOLE, true, true).stream;
      run(config, stream.subList(0, 1), stream.subList(1, stream.size()), seed, 1);
    }
  }

  /** With names and levels, over hours: incidents grow, are linked, are over and go on. */
  @Test
  void restoredIncidentsAreDeeplyEqualAndGoOnIdentically() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, Math.max(1, HISTORIES / 5_000))) {
      CheckerConfig config =
          CheckerConfig.forFile("shop", IsolationLevel.SERIALIZABLE)
              .withPromise(IsolationLevel.SERIALIZABLE)
              .withWindow(50);
      List<TransactionRecord> history = IncidentsTest.eventful(seed);
      assertThat(
              run(config, history.subList(0, 1), history.subList(1, history.size()), seed, 20_000))
          .isGreaterThan(50);
    }
  }

  private static List<StreamRecord> namingWriters(long seed, double damage) {
    TrustHistory history = new TrustHistory(seed, true);
    return LiveStream.of(
        history.captured,
        seed,
        damage,
        history.oldestRunning,
        history.nextIds,
        history.late,
        seed % 16 == 3 ? history.captured : List.of());
  }

  @Test
  void whoHelpsToSaveMakesNoDifference() {
    int largest = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, 200)) {
      CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE);
      Checker checker = new Checker(config, new Told());
      List<TransactionRecord> history = ReplacedVersionsIn.of(RandomHistory.of(seed, 40), seed);
      for (int i = 0; i < history.size(); i++) {
        checker.accept(i, i, history.get(i));
      }
      List<byte[]> helped = new ArrayList<>();
      int[] begun = new int[1];
      checker
          .cut(
              work -> {
                begun[0]++;
                return ForkJoinPool.commonPool().submit(work)::join;
              })
          .write(helped::add);
      assertThat(bytes(helped)).as("seed %d", seed).isEqualTo(bytes(save(checker)));
      largest = Math.max(largest, begun[0]);
    }
    assertThat(largest).as("graphs of one checker").isGreaterThan(2);
  }

  /** Small bounds, so that each of them is reached. */
  private static CheckerConfig narrow(CheckerConfig c, long seed) {
    return new CheckerConfig(
        c.history(),
        c.strongest(),
        c.promise(),
        c.promises(),
        c.closed(),
        c.uniqueVersions(),
        c.countingTables(),
        c.deletes(),
        c.outsiders(),
        c.live(),
        2 + (int) (seed % 7),
        (int) (seed % 11),
        seed % 3 == 0 ? 2 : c.pendingTransactions(),
        seed % 13 == 0 ? 4 : c.maxTransactionOperations(),
        c.clockUncertaintyNs(),
        c.silentAfterMs(),
        seed % 5 == 0 ? 1 : c.provenPerInterval());
  }

  /**
   * Lets a checker and its replacements take the same stream; returns how much they told.
   *
   * @param stepMs stream time from record to record
   */
  private static int run(
      CheckerConfig config, List<? extends StreamRecord> stream, long seed, long stepMs) {
    int told = run(config, List.of(), stream, seed, stepMs);
    runs++;
    return told;
  }

  /** Runs the stream as it is, after other records. */
  private static int run(
      CheckerConfig config,
      List<? extends StreamRecord> before,
      List<? extends StreamRecord> stream,
      long seed,
      long stepMs) {
    Random random = new Random(seed);
    Tuning tuning = CheckRun.TUNINGS.get((int) (seed % CheckRun.TUNINGS.size()));
    Told told = new Told();
    Told toldByRestored = new Told();
    Checker checker = new Checker(config, told, tuning);
    for (int i = 0; i < before.size(); i++) {
      checker.accept(i - before.size(), 0, before.get(i));
    }
    Checker restored = Checker.restore(config, toldByRestored, tuning, source(save(checker)));
    StateCut unwritten = null;
    byte[] atCut = {};
    for (int i = 0; i <= stream.size(); i++) {
      int at = i;
      Supplier<String> where = () -> "seed %d at record %d of%n%s".formatted(seed, at, stream);
      if (i < stream.size()) {
        StreamRecord record =
            before.isEmpty() ? decorated(stream.get(i), seed, random) : stream.get(i);
        checker.accept(i, 1 + i * stepMs, record);
        restored.accept(i, 1 + i * stepMs, record);
      } else {
        checker.finish();
        restored.finish();
      }
      assertThat(NotedStates.stale(checker.delivered())).as(where).isNull();
      assertThat(toldByRestored.all).as(where).isEqualTo(told.all);
      assertThat(restored.report()).as(where).isEqualTo(checker.report());
      assertThat(SameState.difference(checker, restored)).as(where).isNull();
      if (random.nextInt(3) == 0 || i == stream.size()) {
        if (unwritten != null) {
          assertThat(bytes(written(unwritten))).as(where).isEqualTo(atCut);
        }
        List<byte[]> saved = save(checker);
        restored = Checker.restore(config, toldByRestored, tuning, source(saved));
        assertThat(SameState.difference(checker, restored)).as(where).isNull();
        assertThat(bytes(save(restored))).as(where).isEqualTo(bytes(saved));
        unwritten = checker.cut(Helpers.NONE);
        atCut = bytes(saved);
      } else if (unwritten != null && i % 4 == 0) {
        assertThat(bytes(written(unwritten))).as(where).isEqualTo(atCut);
        unwritten = null;
      }
    }
    return told.all.size();
  }

  /**
   * Adds what random histories lack: names, statements, levels, writes of any table, changes of the
   * window, databases, and versions that several transactions write.
   */
  private static StreamRecord decorated(StreamRecord record, long seed, Random random) {
    if (random.nextInt(20) == 0) {
      IsolationLevel[] levels = IsolationLevel.values();
      return new Control(Map.of(Control.LEVEL, levels[random.nextInt(levels.length)].label()));
    }
    if (random.nextInt(20) == 0) {
      return new Control(
          Map.of(
              random.nextInt(5) == 0 ? "colour" : "window.transactions",
              Integer.toString(2 + random.nextInt(6))));
    }
    boolean sharedVersions = seed % 6 == 1;
    if (!(record instanceof TransactionRecord t) || (random.nextInt(3) > 0 && !sharedVersions)) {
      return record;
    }
    Operations.Builder ops = new Operations.Builder();
    int extra = random.nextInt(40);
    if (extra < 4) {
      ops.statement(new Statement("t", "DELETE ?"));
      ops.delete(extra).statement(new Statement(null, "")).delete(extra + 1);
    } else if (extra == 4) {
      ops.opaque();
    }
    for (int i = 0; i < t.operations().size(); i++) {
      Operations of = t.operations();
      long version = sharedVersions ? (of.version(i) + 1) / 2 : of.version(i);
      ops.statement(of.statementIndex(i) < 0 ? null : of.statement(i));
      ops.add(of.kind(i), of.key(i), of.versionKind(i), version);
      if (of.undone(i)) {
        ops.undoFrom(ops.size() - 1);
      }
      if (seed % 4 == 0) {
        ops.names("k" + of.key(i), i % 2 == 0 ? null : "\u00fc\ud800");
      }
    }
    SessionInfo session = t.session();
    return new TransactionRecord(
        seed % 7 == 3 ? session.in(1 + Math.floorMod(session.id(), 2), 1_000) : session,
        t.sequence(),
        t.transaction(),
        t.chunk(),
        t.outcome(),
        random.nextBoolean() ? "read-atomic" : null,
        random.nextLong(),
        random.nextLong(),
        "clock",
        ops.build(),
        Origin.of(
            null,
            random.nextBoolean() ? "/orders" : null,
            "trace " + random.nextInt(3),
            random.nextBoolean() ? "shop 1." + random.nextInt(3) : null));
  }

  @Test
  void aSnapshotThatWasCutShortIsRefused() {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL);
    List<byte[]> saved = save(shop(config, 3_000));
    assertThat(saved).hasSizeGreaterThan(1);
    for (int chunks = 0; chunks < saved.size(); chunks++) {
      List<byte[]> cut = saved.subList(0, chunks);
      assertRefused(config, cut, "snapshot ends");
    }
    byte[] first = saved.get(0);
    for (int length = 0; length < first.length; length += 1 + length / 3) {
      assertRefused(config, List.of(Arrays.copyOf(first, length)), "bytes long; expected");
    }
    assertRefused(config, saved.subList(1, saved.size()), "missing or mixed up");
    List<byte[]> other = save(shop(config, 3_001));
    List<byte[]> mixed = new ArrayList<>(saved);
    mixed.set(1, other.get(1));
    assertRefused(config, mixed, "of another snapshot");
  }

  @Test
  void everyFlippedBitIsNoticed() {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL);
    byte[] saved = bytes(save(shop(config, 5)));
    for (int bit = 0; bit < saved.length * 8; bit++) {
      byte[] flipped = saved.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertRefused(config, List.of(flipped), "snapshot");
    }
  }

  /** With right checksums, as if another version of the program had written it. */
  @Test
  void contentThatMakesNoSenseIsRefusedOrRestored() {
    int refused = 0;
    int bytes = 0;
    for (IsolationLevel level :
        List.of(IsolationLevel.CAUSAL, IsolationLevel.STRICT_SERIALIZABLE)) {
      CheckerConfig config = CheckerConfig.forFile("h", level).withWindow(4);
      byte[] saved = bytes(save(shop(config, 20)));
      bytes += saved.length;
      for (int at = 15; at < saved.length - 4; at++) {
        byte[] changed = saved.clone();
        changed[at] ^= (byte) (1 << at % 7);
        CRC32C checksum = new CRC32C();
        checksum.update(changed, 0, changed.length - 4);
        ByteBuffer.wrap(changed).putInt(changed.length - 4, (int) checksum.getValue());
        try {
          Checker.restore(config, new Told(), source(List.of(changed)));
        } catch (StateException e) {
          assertThat(e).hasMessageStartingWith("snapshot");
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(bytes / 10);
  }

  @Test
  void aGraphThatFillsManyChunksIsRestored() {
    CheckerConfig config =
        CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE).withWindow(15_000);
    Checker checker = shop(config, 20_000);
    List<byte[]> saved = save(checker);
    assertThat(saved).hasSizeGreaterThan(8);
    Checker restored = Checker.restore(config, new Told(), source(saved));
    assertThat(SameState.difference(checker, restored)).isNull();
    assertThat(bytes(save(restored))).isEqualTo(bytes(saved));
  }

  /** By another thread, so that each part of the state is read while something changes it. */
  @Test
  void aStateIsWrittenWhileCheckingGoesOn() throws Exception {
    for (IsolationLevel level :
        List.of(IsolationLevel.CAUSAL, IsolationLevel.STRICT_SERIALIZABLE)) {
      Shop shop = new Shop(CheckerConfig.forFile("h", level).withWindow(2_000));
      shop.run(5_000);
      for (int save = 0; save < 10; save++) {
        byte[] atCut = bytes(save(shop.checker));
        StateCut cut = shop.checker.cut(Helpers.NONE);
        Future<List<byte[]>> written = ForkJoinPool.commonPool().submit(() -> written(cut));
        do {
          shop.run(100);
        } while (!written.isDone());
        assertThat(bytes(written.get())).as("save %d at %s", save, level).isEqualTo(atCut);
      }
    }
  }

  @Test
  void aStateIsNotWrittenAnyMoreOnceItWasSavedAgain() {
    Checker checker = shop(CheckerConfig.forFile("h", IsolationLevel.CAUSAL), 5);
    StateCut cut = checker.cut(Helpers.NONE);
    save(checker);
    assertThatThrownBy(() -> written(cut))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("saved again");
  }

  @Test
  void aLaterFormatIsRefused() {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL);
    byte[] saved = bytes(save(shop(config, 5)));
    saved[5]++;
    assertRefused(
        config,
        List.of(saved),
        "has format %d; this version reads format %d: a later version wrote it"
            .formatted(StateWriter.FORMAT + 1, StateWriter.FORMAT));
  }

  @Test
  void anotherConfigurationIsRefusedByName() {
    CheckerConfig config = CheckerConfig.forLive("orders").withWindow(50);
    List<byte[]> saved = save(new Checker(config, new Told()));
    assertThatThrownBy(
            () ->
                Checker.restore(config.withWindow(60).withClosed(true), new Told(), source(saved)))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("closed=false in the snapshot, true now")
        .hasMessageContaining("window.transactions=50 in the snapshot, 60 now")
        .hasMessageNotContaining("deletes");
    assertThat(config.settings()).hasSameSizeAs(CheckerConfig.class.getRecordComponents());
  }

  @Test
  void constantsInAnotherOrderAreRefusedByName() {
    CheckerConfig config = CheckerConfig.forLive("orders");
    List<byte[]> chunks = new ArrayList<>();
    StateWriter out = new StateWriter(chunks::add);
    out.section("configuration");
    out.count(config.settings().size());
    config
        .settings()
        .forEach(
            (name, value) -> {
              out.text(name);
              out.text(value);
            });
    out.section("constants");
    out.text("WRITE, READ, DELETE, OPAQUE, LISTED");
    out.end();
    assertThatThrownBy(() -> Checker.restore(config, new Told(), source(chunks)))
        .isInstanceOf(StateException.class)
        .hasMessage(
            "snapshot was saved with OperationKind WRITE, READ, DELETE, OPAQUE, LISTED; this version"
                + " has READ, WRITE, DELETE, OPAQUE, LISTED");
  }

  /** The tuning is no part of the state: whoever has got more memory may use it. */
  @Test
  void anotherTuningGivesTheSameVerdicts() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, Math.max(100, HISTORIES / 20))) {
      List<TransactionRecord> history = RandomHistory.of(seed, 30);
      CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(20);
      Checker checker = new Checker(config, new Told());
      Checker moving = new Checker(config, new Told());
      for (int i = 0; i < history.size(); i++) {
        checker.accept(i, 0, history.get(i));
        moving.accept(i, 0, history.get(i));
        if (i % 5 == 4) {
          Tuning next = CheckRun.TUNINGS.get(i / 5 % CheckRun.TUNINGS.size());
          moving = Checker.restore(config, new Told(), next, source(save(moving)));
        }
      }
      assertThat(moving.report().verdicts())
          .as("seed %d", seed)
          .isEqualTo(checker.report().verdicts());
    }
  }

  @Test
  void aWindowTransactionTakesFewBytes() {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(5_000);
    Checker checker = shop(config, 10_000);
    int bytes = bytes(save(checker)).length;
    System.out.printf(
        "%d bytes for a window of 5,000 transactions of 4 operations and 10,000 retired versions:"
            + " %d bytes a transaction%n",
        bytes, bytes / 5_000);
    assertThat(
            SameState.difference(
                checker, Checker.restore(config, new Told(), source(save(checker)))))
        .isNull();
    assertThat(bytes / 5_000).isLessThan(500);
  }

  private static Checker shop(CheckerConfig config, int transactions) {
    Shop shop = new Shop(config);
    shop.run(transactions);
    return shop.checker;
  }

  /** 16 sessions that each read two of 1,000 rows and write them again, by keys that are hashes. */
  private static final class Shop {
    final Checker checker;
    private final Random random = new Random(1);
    private final long[] rows = random.longs(1_000).toArray();
    private final long[] versions = new long[rows.length];
    private final Statement read = new Statement("orders", "SELECT * FROM orders WHERE id = ?");
    private final Statement write =
        new Statement("orders", "UPDATE orders SET state = ? WHERE id = ?");
    private int n;

    Shop(CheckerConfig config) {
      checker = new Checker(config, new Told());
    }

    void run(int transactions) {
      for (int end = n + transactions; n < end; n++) {
        Operations.Builder ops = new Operations.Builder();
        for (int i = 0; i < 2; i++) {
          int row = random.nextInt(rows.length / 2) * 2 + i;
          ops.statement(read);
          if (versions[row] == 0) {
            ops.readInitial(rows[row]);
          } else {
            ops.read(rows[row], versions[row]);
          }
          versions[row] = random.nextLong();
          ops.statement(write).write(rows[row], versions[row]);
        }
        checker.accept(
            n,
            0,
            new TransactionRecord(
                SessionInfo.ofFile(n % 16, "s" + n % 16),
                n / 16,
                n / 16,
                0,
                Outcome.COMMITTED,
                null,
                n * 1_000_000L,
                n * 1_000_000L + random.nextInt(1_000_000),
                "c",
                ops.build()));
      }
    }
  }

  private static void assertRefused(CheckerConfig config, List<byte[]> chunks, String message) {
    assertThatThrownBy(() -> Checker.restore(config, new Told(), source(chunks)))
        .isInstanceOf(StateException.class)
        .hasMessageContaining(message);
  }

  private static List<byte[]> save(Checker checker) {
    return written(checker::save);
  }

  private static List<byte[]> written(StateCut cut) {
    List<byte[]> chunks = new ArrayList<>();
    cut.write(chunks::add);
    assertThat(chunks).allMatch(chunk -> chunk.length <= StateWriter.MAX_CHUNK_BYTES);
    return chunks;
  }

  private static StateSource source(List<byte[]> chunks) {
    Iterator<byte[]> rest = chunks.iterator();
    return () -> rest.hasNext() ? rest.next() : null;
  }

  private static byte[] bytes(List<byte[]> chunks) {
    int length = chunks.stream().mapToInt(chunk -> chunk.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] chunk : chunks) {
      System.arraycopy(chunk, 0, all, at, chunk.length);
      at += chunk.length;
    }
    return all;
  }
}
