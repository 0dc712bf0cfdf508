package io.isotail.incremental;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A small history of a store with replicas that may lag behind, as its captured clients saw it, and
 * as it really was.
 *
 * <p>Clients see versions that come back: small values, rows from before capture began, counters
 * that an aborted attempt and its retry share, and writers nobody captures. In truth every version
 * is told apart, a delete is a version too, and all writers are there.
 */
final class TrustHistory {
  private static final String COUNTING = "counting";
  private static final String ANY = "any";
  private static final long IDS = 1L << 32;
  private static final List<String> POSTGRES_LEVELS =
      List.of("read-committed", "repeatable-read", "serializable");
  private static final int FOREIGN_SESSION = 900;
  private static final long MOST_CLOCK_OFFSET_NS = 30;

  /** A version of a key: its number in truth, and what clients see; null where the row is not. */
  private record Instance(long id, Long shown) {}

  private static final Instance NEVER_WRITTEN = new Instance(0, null);

  /** What the captured clients saw, in an order that keeps each session's. */
  final List<TransactionRecord> captured = new ArrayList<>();

  /** What a transaction really did, captured or not, by session and number. */
  final Map<List<Long>, NaiveChecker.Input> truth = new HashMap<>();

  /** What clients were told, and of each write which version it really replaced. */
  final Map<List<Long>, NaiveChecker.Input> told = new HashMap<>();

  /** By key and what clients see of it: the version in truth, of a writer that committed if any. */
  private final Map<List<Long>, Long> versions = new HashMap<>();

  /** What is declared of the history, all of which is so. */
  final CheckerConfig config;

  /** What the hellos of the two proxies say of transaction ids. */
  final long[] oldestRunning = {Hello.NOT_KNOWN, Hello.NOT_KNOWN};

  /** From which ids on they say that transactions are of later. */
  final long[] nextIds = {Hello.NOT_KNOWN, Hello.NOT_KNOWN};

  /** Whether the second proxy started first, and its hello comes late. */
  final boolean late;

  /** Whether versions are the ids of their writers. */
  final boolean namesWriters;

  /** Versions in truth that were written before capture began. */
  private final Set<Long> beforeCapture = new HashSet<>();

  /** Those that were written before the first proxy started. */
  private final Set<Long> beforeFirstProxy = new HashSet<>();

  private final Random random;
  private final boolean unique;
  private final boolean open;
  private final boolean deletes;
  private final boolean postgres;
  private final boolean untimed;
  private final int promise;
  private final int clocks;
  private final int stale;

  /** How seldom it is not told which version was replaced; 0: always. */
  private final int tells;

  /** Of its own, so that what happens does not depend on what is told. */
  private final Random telling;

  private final int keys;
  private final Instance[] latest;
  private final Instance[][] replica;
  private final long[] counters;
  private final long[] clockOffsets = new long[3];
  private final List<List<Instance[]>> recent = new ArrayList<>();
  private long nextId = 1;
  private long nextUnique = 1;
  private long nextTransaction;
  private long underId;
  private boolean firstStarted;

  /** The row after the others, which nobody writes; null if there is none. */
  private @Nullable Instance untouched;

  TrustHistory(long seed) {
    this(seed, false);
  }

  /**
   * The history of a seed.
   *
   * @param namesWriters whether versions are the ids of their writers
   */
  TrustHistory(long seed, boolean namesWriters) {
    random = Seeds.random(seed);
    this.namesWriters = namesWriters;
    long epochs = random.nextInt(3);
    nextTransaction = 1000 + (random.nextBoolean() ? epochs * IDS : random.nextLong(4 * IDS));
    unique = random.nextInt(3) == 0;
    open = random.nextInt(4) > 0;
    deletes = random.nextInt(3) == 0;
    postgres = random.nextInt(4) == 0;
    untimed = random.nextInt(6) == 0;
    promise = random.nextInt(3) == 0 ? 7 : 1 + random.nextInt(6);
    clocks = 1 + random.nextInt(3);
    stale = Math.min(3, (namesWriters ? 1 : 0) + random.nextInt(6));
    keys = 1 + random.nextInt(namesWriters ? 3 : 4);
    tells = (int) (seed % 5);
    telling = Seeds.random(seed ^ 0x7e11);
    int sessions = 1 + random.nextInt(4);
    latest = new Instance[keys];
    counters = new long[keys];
    for (int key = 0; key < keys && !namesWriters; key++) {
      boolean preloaded = open && random.nextBoolean();
      latest[key] = preloaded ? version(key, 0) : NEVER_WRITTEN;
      counters[key] = preloaded ? latest[key].shown : 0;
      if (preloaded) {
        versions.put(List.of((long) key, latest[key].shown), latest[key].id);
      }
    }
    replica = new Instance[sessions][];
    for (int s = 0; s < sessions; s++) {
      replica[s] = latest.clone();
    }
    late = namesWriters && open && random.nextInt(5) == 0;
    if (namesWriters) {
      beginCapture();
      keepRowOfEarlierEpoch();
    }
    for (int c = 0; c < clockOffsets.length; c++) {
      clockOffsets[c] = random.nextInt((int) MOST_CLOCK_OFFSET_NS);
    }
    config = declared();
    generate(sessions, 3 + random.nextInt(9));
  }

  private CheckerConfig declared() {
    CheckerConfig declared =
        CheckerConfig.forLive("h")
            .withClosed(!open)
            .withUniqueVersions(unique)
            .withCountingTables(Set.of(COUNTING))
            .withDeletes(deletes || random.nextBoolean());
    if (random.nextInt(3) > 0) {
      declared = declared.withWindow(2 + random.nextInt(6));
    }
    if (random.nextInt(4) == 0) {
      declared = declared.withRetired(random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      declared = declared.withClockUncertainty(MOST_CLOCK_OFFSET_NS);
    }
    return promise < IsolationLevel.values().length
        ? declared.withPromise(IsolationLevel.values()[promise])
        : declared;
  }

  private void generate(int sessions, int transactions) {
    long[] sequence = new long[sessions];
    int jump = namesWriters && random.nextInt(4) == 0 ? random.nextInt(transactions) : -1;
    int firstStarts = late ? random.nextInt(transactions) : 0;
    for (int n = 0; n < transactions; n++) {
      boolean foreign = open && random.nextInt(5) == 0;
      int session = random.nextInt(sessions);
      if (n == firstStarts && late) {
        oldestRunning[0] = nextTransaction - random.nextInt(3);
        tellNextId(0);
      }
      foreign |= n < firstStarts && session % 2 == 0;
      firstStarted = n >= firstStarts;
      if (n == jump) {
        long room = Math.min(IDS / 2, IDS - nextTransaction % IDS);
        nextTransaction = skipped(nextTransaction + room / 2);
      }
      catchUp(session);
      if (foreign) {
        run(n, FOREIGN_SESSION + n, replica[session], 0);
      } else {
        run(n, session, replica[session], sequence[session]++);
      }
    }
  }

  /**
   * What was before: every row was written by up to three transactions that are not captured, in
   * whatever order of their ids, and replicas may lag. Whatever the hellos say is so.
   */
  private void beginCapture() {
    for (int key = 0; key < keys; key++) {
      latest[key] = NEVER_WRITTEN;
    }
    for (Instance[] seen : replica) {
      Arrays.fill(seen, NEVER_WRITTEN);
    }
    long first = nextTransaction;
    int writers = open ? random.nextInt(9) : 0;
    nextTransaction = skipped(first + writers);
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      ids.add(first + i);
    }
    Collections.shuffle(ids, random);
    for (long id : ids) {
      Instance written = new Instance(nextId++, id % IDS);
      int key = random.nextInt(keys);
      if (written.shown < 3 || versions.containsKey(List.of((long) key, written.shown))) {
        continue;
      }
      beforeCapture.add(written.id);
      latest[key] = written;
      versions.put(List.of((long) key, written.shown), written.id);
      for (Instance[] seen : replica) {
        if (random.nextInt(4) >= stale) {
          seen[key] = written;
        }
      }
    }
    int known = random.nextInt(10);
    for (int proxy = 0; proxy < 2; proxy++) {
      if (known != proxy) {
        oldestRunning[proxy] = nextTransaction - random.nextInt(2) * random.nextInt(1 + writers);
        tellNextId(proxy);
      }
    }
  }

  private void tellNextId(int proxy) {
    nextIds[proxy] =
        nextTransaction % 2 == 0 ? Hello.NOT_KNOWN : nextTransaction + nextTransaction % 3 / 2;
  }

  /**
   * From the second epoch on, a row that nobody writes any more may have been written under an id
   * that is given out again.
   */
  private void keepRowOfEarlierEpoch() {
    if (open && nextTransaction >= IDS && random.nextBoolean()) {
      untouched = new Instance(nextId++, (nextTransaction + random.nextInt(12)) % IDS);
      versions.put(List.of((long) keys, untouched.shown), untouched.id);
    }
  }

  /** The ids below 3 name nobody. */
  private static long skipped(long id) {
    return id % IDS < 3 ? id - id % IDS + 3 : id;
  }

  private long nextTransaction() {
    long id = nextTransaction;
    nextTransaction = skipped(nextTransaction + 1);
    return id;
  }

  /**
   * Whether a version in truth was written before capture began.
   *
   * @param byFirst by the first proxy, and nothing is looked at that another one captured
   */
  boolean isBeforeCapture(long version, boolean byFirst) {
    return beforeCapture.contains(version) || (byFirst && beforeFirstProxy.contains(version));
  }

  /**
   * What a transaction really did, where reads of versions of before capture found none.
   *
   * @param taken the keys of which they are taken for that
   */
  NaiveChecker.Input withoutBeforeCapture(
      NaiveChecker.Input real, LongPredicate taken, boolean byFirst) {
    Operations.Builder mapped = new Operations.Builder();
    Operations ops = real.operations();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.READ
          && ops.versionKind(i) == VersionKind.KNOWN
          && taken.test(ops.key(i))
          && isBeforeCapture(ops.version(i), byFirst)) {
        mapped.readInitial(ops.key(i));
      } else {
        mapped.addOne(ops, i);
      }
    }
    return new NaiveChecker.Input(
        real.session(), real.position(), real.outcome(), real.times(), mapped.build());
  }

  private void catchUp(int session) {
    if (random.nextInt(4) >= stale) {
      replica[session] = latest.clone();
    } else if (!recent.isEmpty() && random.nextBoolean()) {
      for (Instance[] write : recent.get(random.nextInt(recent.size()))) {
        int key = (int) write[0].id;
        replica[session][key] = write[1];
      }
    }
  }

  private void run(int n, int session, Instance[] sees, long sequence) {
    Operations.Builder shown = new Operations.Builder();
    Operations.Builder real = new Operations.Builder();
    Instance[] own = new Instance[keys];
    List<Instance[]> writes = new ArrayList<>();
    int length = 1 + random.nextInt(4);
    long top = namesWriters ? nextTransaction() : 0;
    for (int o = 0; o < length; o++) {
      int key = random.nextInt(keys);
      shown.statement(new Statement(table(key), "", namesWriters));
      Instance current = own[key] != null ? own[key] : sees[key];
      if (untouched != null && random.nextInt(6) == 0) {
        read(shown, real, keys, untouched);
      } else if (random.nextInt(5) < 2) {
        boolean delete = deletes && table(key).equals(ANY) && random.nextInt(3) == 0;
        boolean undone = random.nextInt(10) == 0;
        underId = namesWriters && (undone || random.nextInt(6) == 0) ? nextTransaction() : top;
        boolean again = own[key] != null && own[key].shown != null;
        Instance written =
            delete
                ? new Instance(nextId++, null)
                : version(key, again ? own[key].shown : counters[key]);
        if (delete) {
          shown.delete(key);
        } else {
          shown.write(key, written.shown);
        }
        real.write(key, written.id);
        Instance replaced = own[key] == null ? latest[key] : own[key];
        if (replaced.shown != null && tells > 0 && telling.nextInt(tells) > 0) {
          shown.replaces(replaced.shown);
          real.replaces(replaced.id);
        }
        if (undone) {
          shown.undoFrom(shown.size() - 1);
          real.undoFrom(real.size() - 1);
        } else {
          own[key] = written;
          unseen(shown, real, key, top, own);
          unseenElsewhere(shown, real, top, own);
        }
      } else {
        read(shown, real, key, current);
      }
    }
    for (int key = 0; key < keys; key++) {
      if (own[key] != null) {
        writes.add(new Instance[] {new Instance(key, null), own[key]});
      }
    }
    int fate = random.nextInt(14);
    Outcome told = fate == 0 ? Outcome.ABORTED : fate == 1 ? Outcome.UNKNOWN : Outcome.COMMITTED;
    Operations done = real.build();
    for (int i = 0; i < done.size() && !firstStarted; i++) {
      beforeFirstProxy.add(done.version(i));
    }
    boolean commits = told == Outcome.COMMITTED || (fate == 1 && random.nextBoolean());
    boolean crashed = !commits && namesWriters && random.nextBoolean();
    if (crashed) {
      nextTransaction = top; // Its ids are given out again, and nobody ever sees what it wrote.
    }
    if (commits) {
      for (Instance[] write : writes) {
        int key = (int) write[0].id;
        latest[key] = write[1];
        sees[key] = write[1];
        counters[key] = write[1].shown == null ? counters[key] : write[1].shown;
      }
      writes.forEach(write -> versions.put(shown(write), write[1].id));
      recent.add(writes);
    } else if (stale == 3 && !crashed && random.nextInt(4) == 0) {
      // A store without any isolation shows what is rolled back.
      recent.add(writes);
      writes.forEach(write -> versions.putIfAbsent(shown(write), write[1].id));
    }
    if (session < FOREIGN_SESSION) {
      record(n, session, sequence, told, commits, shown.build(), real.build());
    } else {
      Outcome outcome = commits ? Outcome.COMMITTED : Outcome.ABORTED;
      truth.put(
          List.of((long) session, sequence),
          new NaiveChecker.Input(
              session, sequence, outcome, Times.NONE, real.build().withReplacedOf(key -> false)));
    }
  }

  /** A trigger may write the key once more, under an id that was seen to write it. */
  private void unseen(
      Operations.Builder shown, Operations.Builder real, int key, long top, Instance[] own) {
    if (!namesWriters || random.nextInt(6) > 0) {
      return;
    }
    Operations seen = shown.build();
    for (int i = 0; i < seen.size(); i++) {
      if (seen.isWrite(i)
          && seen.versionKind(i) == VersionKind.KNOWN
          && seen.key(i) == key
          && seen.version(i) == top % IDS) {
        own[key] = new Instance(nextId++, top % IDS);
        real.write(key, own[key].id);
        return;
      }
    }
  }

  /** A trigger may write any key, under the id of the transaction or under one of its own. */
  private void unseenElsewhere(
      Operations.Builder shown, Operations.Builder real, long top, Instance[] own) {
    if (!namesWriters || random.nextInt(4) > 0) {
      return;
    }
    int key = random.nextInt(keys);
    long id = random.nextInt(4) == 0 ? nextTransaction() : top;
    shown.statement(new Statement(table(key), "", true)).opaque();
    own[key] = new Instance(nextId++, id % IDS);
    real.write(key, own[key].id);
  }

  private static List<Long> shown(Instance[] write) {
    return Arrays.asList(write[0].id, write[1].shown);
  }

  /** A transaction that did nothing but write some versions, which clients see like that. */
  NaiveChecker.Input writerOf(long session, Operations writes) {
    Operations.Builder real = new Operations.Builder();
    for (int i = 0; i < writes.size(); i++) {
      real.write(writes.key(i), versions.get(List.of(writes.key(i), writes.version(i))));
    }
    return new NaiveChecker.Input(session, 0, Outcome.COMMITTED, Times.NONE, real.build());
  }

  /** The strongest level that a writer satisfies whatever level it ran at, by its writes. */
  IsolationLevel bindsAll() {
    return postgres ? IsolationLevel.SNAPSHOT_ISOLATION : IsolationLevel.CAUSAL;
  }

  /** All writes of the transaction that really wrote the version that this one does. */
  NaiveChecker.Input realWriter(NaiveChecker.Input writer) {
    Operations write = writer.operations();
    for (NaiveChecker.Input real : truth.values()) {
      for (int i = 0; i < real.operations().size(); i++) {
        if (real.operations().kind(i) == OperationKind.WRITE
            && real.operations().key(i) == write.key(0)
            && real.operations().version(i) == write.version(0)) {
          return new NaiveChecker.Input(
              real.session(),
              real.position(),
              real.outcome(),
              Times.NONE,
              real.operations().withoutReads());
        }
      }
    }
    return writer;
  }

  private static void read(
      Operations.Builder shown, Operations.Builder real, int key, Instance current) {
    if (current.shown == null) {
      shown.readInitial(key);
    } else {
      shown.read(key, current.shown);
    }
    if (current.id == 0) {
      real.readInitial(key);
    } else {
      real.read(key, current.id);
    }
  }

  private void record(
      int n,
      int session,
      long sequence,
      Outcome told,
      boolean commits,
      Operations shown,
      Operations real) {
    int clock = session % clocks;
    long beginNs = untimed ? TransactionRecord.NO_TIME : n * 20L + clockOffsets[clock];
    long endNs = untimed ? TransactionRecord.NO_TIME : beginNs + 5 + random.nextInt(30);
    String ranAt =
        postgres
            ? "postgresql:" + POSTGRES_LEVELS.get(random.nextInt(3))
            : IsolationLevel.values()[random.nextInt(7)].label();
    TransactionRecord record =
        new TransactionRecord(
            SessionInfo.ofFile(session, "s" + session),
            sequence,
            sequence,
            0,
            told,
            ranAt,
            beginNs,
            endNs,
            untimed ? null : "c" + clock,
            shown);
    captured.add(record);
    NaiveChecker.Input done =
        new NaiveChecker.Input(
            session,
            sequence,
            commits ? Outcome.COMMITTED : Outcome.ABORTED,
            Times.of(record, beginNs),
            real);
    this.told.put(List.of((long) session, sequence), done);
    truth.put(
        List.of((long) session, sequence),
        new NaiveChecker.Input(
            session, sequence, done.outcome(), done.times(), real.withReplacedOf(key -> false)));
  }

  /** Rows with an even number count their versions, unless all versions are unique. */
  private static String table(int key) {
    return key % 2 == 0 ? COUNTING : ANY;
  }

  private Instance version(int key, long before) {
    long shown =
        namesWriters
            ? underId % IDS
            : unique
                ? nextUnique++
                : table(key).equals(COUNTING) ? before + 1 : 1 + random.nextInt(3);
    return new Instance(nextId++, shown);
  }

  /**
   * How far two clocks may be apart, as the naive checker asks for it; negative if not compared.
   */
  long uncertaintyNs() {
    return config.clockUncertaintyNs() == CheckerConfig.NEVER_COMPARED
        ? -1
        : config.clockUncertaintyNs();
  }
}
