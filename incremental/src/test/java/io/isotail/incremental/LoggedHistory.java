package io.isotail.incremental;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A small database with a log, two proxies before some of its sessions, and somebody who follows
 * the log: what these tell, in the order in which it may come, and what really happened.
 *
 * <p>Rows have two columns of few values, so that contents come back. Some sessions have no proxy.
 * A third of the databases is serializable, a third has snapshots of which the first committer
 * wins, a third has snapshots and overwrites what it has not seen; some reads then return another
 * version. Captured writes are told as such, as opaque statements or not at all.
 *
 * <p>Some write a row and leave it as it was, which the log does not tell, and may overwrite what
 * they have not seen.
 *
 * <p>Where rows show ids, reads and writes name these, be it of parts of transactions that the log
 * does not tell, and ids do not grow in the order of the log.
 */
final class LoggedHistory {
  static final LoggedTable TABLE = new LoggedTable("t", List.of("a", "b"));
  private static final Set<String> TABLES = Set.of("t");
  private static final Statement WRITES = new Statement("t", "UPDATE t …");
  private static final Statement NAMING = new Statement("t", "UPDATE t …", true);

  /** Number of the session of the first writer that nobody has captured, in the truth. */
  static final long FOREIGN = 1_000;

  private static final Statement ELSEWHERE = new Statement(Statement.ELSEWHERE, "UPDATE other …");
  private static final Statement OF_SERVER = new Statement(Statement.ELSEWHERE, "", true);
  private static final long FIRST = 100;
  private static final int SESSIONS = 5;

  /** Keys where it matters that few write the same ones. */
  private static final int LYING_KEYS = 20;

  private static final long MS = 1_000_000;

  /** A version of a row: its number in the truth, and its content; null for no row. */
  private static final class Version {
    private final long number;
    private final long[] content;
    private final long shown;

    /** The one before, if this has the same content; else null. */
    private final @Nullable Version same;

    /** When the first mark came behind it, in ms. */
    private long markedMs = Long.MAX_VALUE;

    Version(long number, long[] content, long shown) {
      this(number, content, shown, null);
    }

    Version(long number, long[] content, long shown, @Nullable Version same) {
      this.number = number;
      this.content = content;
      this.shown = shown;
      this.same = same;
    }

    /** The version that the log tells. */
    Version changed() {
      return same == null ? this : same.changed();
    }

    long number() {
      return number;
    }

    long[] content() {
      return content;
    }

    long shown() {
      return shown;
    }
  }

  private record Commit(long id, List<RowChange> rows, List<Version> versions) {}

  private static final class Running {
    final int session;
    final long number;
    final long beginNs;
    final Version[] view;

    /** 0 if it is given when it commits. */
    long id;

    Running(int session, long number, long beginNs, Version[] view) {
      this.session = session;
      this.number = number;
      this.beginNs = beginNs;
      this.view = view;
    }
  }

  final List<StreamRecord> stream = new ArrayList<>();

  /** When each record was appended, in ms. */
  final List<Long> times = new ArrayList<>();

  final List<NaiveChecker.Input> truth = new ArrayList<>();

  /** The truth as if nobody had written a row and left it as it was. */
  final List<NaiveChecker.Input> truthOfChanges = new ArrayList<>();

  /** Those of which nobody tells what they replaced: without an id, or in parts. */
  final Set<NaiveChecker.Input> replacingUntold = new HashSet<>();

  /** Numbers of the captured ones in their sessions. */
  final Map<NaiveChecker.Input, Long> numbers = new HashMap<>();

  int foreign;
  int captured;

  private final Random random;
  private final int store;
  private final int keys;
  private final double strange;
  private final int[] followedFrom = new int[LYING_KEYS];
  private final boolean damaged;
  private final boolean lossy;

  /** Names of those that were rolled back, and told to be committed. */
  final Set<String> lost = new HashSet<>();

  /** Names of those that were committed, and told to be rolled back. */
  final Set<String> unasked = new HashSet<>();

  /** Whether rows show ids. */
  private final boolean shows;

  private final boolean lies;

  /** Whether all statements of it are understood. */
  private final boolean plain;

  private final List<List<Version>> versions = new ArrayList<>();
  private final Map<Integer, Running> running = new HashMap<>();
  private final List<ArrayDeque<TransactionRecord>> queues =
      List.of(new ArrayDeque<>(), new ArrayDeque<>());
  private final long[] beats = new long[2];
  private final long[] sequences = new long[SESSIONS];
  private final long[] begun = new long[SESSIONS];
  private final List<Commit> log = new ArrayList<>();
  private long nextId = FIRST;
  private long nextVersion = 1;
  private long tick;
  private int source = -1;
  private int told;
  private long logSequence;
  private int target = -1;
  private int done;

  /** Whether something of the log was lost since it began. */
  private boolean cut;

  /** What happens to the log. */
  enum Log {
    /** It is followed from the beginning to the end. */
    WHOLE,
    /** It pauses, and another one goes on with it. */
    PAUSED,
    /** It is followed late, and something of it is lost, too. */
    DAMAGED
  }

  LoggedHistory(long seed, int transactions, Log fate, boolean shows) {
    this(seed, transactions, fate, shows, false);
  }

  /**
   * A history.
   *
   * @param lies whether clients are told of some transactions that they were committed which were
   *     rolled back, and the other way round
   */
  LoggedHistory(long seed, int transactions, Log fate, boolean shows, boolean lies) {
    this.shows = shows;
    this.lies = lies;
    this.plain = lies && seed % 2 == 0;
    this.random = Seeds.random(seed);
    this.damaged = fate != Log.WHOLE;
    this.lossy = fate == Log.DAMAGED;
    this.store = random.nextInt(3);
    this.keys = lies ? LYING_KEYS : 1 + random.nextInt(3);
    this.strange = random.nextInt(3) == 0 ? 0.15 : 0;
    for (int key = 0; key < keys; key++) {
      versions.add(new ArrayList<>());
      versions.get(key).add(new Version(0, random.nextBoolean() ? null : content(), FIRST - 2));
    }
    boolean late = lossy && random.nextInt(3) == 0;
    if (!late) {
      follow();
    }
    for (int proxy = 0; proxy < 2; proxy++) {
      append(new Hello("p" + proxy, "shop", "i", 100, FIRST));
    }
    while (done < transactions) {
      if (late && done > 1 && source < 0) {
        follow();
      }
      step();
    }
    for (int i = 0; i < 40; i++) {
      tick++;
      flush(i % 2);
      flush(i % 2);
      heartbeat(i % 2);
      for (int j = 0; j < 4; j++) {
        tail();
      }
    }
  }

  private void append(StreamRecord record) {
    stream.add(record);
    times.add(tick);
  }

  private long[] content() {
    return new long[] {1 + random.nextInt(3), 10 * (1 + random.nextInt(2))};
  }

  /** Somebody begins to follow the log. */
  private void follow() {
    source++;
    // Some that were told before, or had ended, are told again.
    told = Math.max(0, log.size() - (shows || random.nextBoolean() ? 0 : random.nextInt(4)));
    logSequence = 0;
    target = -1;
    cut = false;
    followFromHere();
    if (shows) {
      long oldest = nextId;
      for (Running t : running.values()) {
        oldest = t.id == 0 ? oldest : Math.min(oldest, t.id);
      }
      append(
          new LogStart(
              "log" + source,
              SessionInfo.NO_DATABASE,
              oldest,
              nextId,
              true,
              TABLES,
              null,
              Set.of()));
    } else {
      append(new LogStart("log" + source, SessionInfo.NO_DATABASE, firstTold(), TABLES));
    }
  }

  /** What was there before is not told. */
  private void followFromHere() {
    for (int key = 0; key < keys; key++) {
      followedFrom[key] = versions.get(key).size() - 1;
    }
    for (Commit again : log.subList(told, log.size())) {
      again.rows().forEach(row -> followedFrom[(int) row.key()]--);
    }
  }

  /** Another one goes on with the log; some that were told are told again. */
  private void goOn() {
    if (shows) {
      follow(); // Nobody goes on with such a log.
      return;
    }
    boolean anew = lossy && random.nextInt(4) == 0;
    if (anew || cut) {
      followFromHere();
    }
    String before = "log" + source++;
    told = Math.max(0, told - random.nextInt(4));
    logSequence = 0;
    target = -1;
    append(
        new LogStart(
            "log" + source,
            SessionInfo.NO_DATABASE,
            firstTold(),
            TABLES,
            before,
            anew ? TABLES : Set.of()));
  }

  private long firstTold() {
    return told < log.size() ? log.get(told).id() : nextId;
  }

  private void step() {
    tick += 1 + random.nextInt(3);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> session(random.nextInt(SESSIONS));
      case 3 -> flush(random.nextInt(2));
      case 4 -> heartbeat(random.nextInt(2));
      case 5, 6 -> tail();
      default -> damage();
    }
  }

  private void damage() {
    if (damaged && source >= 0 && random.nextInt(12) == 0) {
      switch (random.nextInt(lossy ? 5 : 2)) {
        case 0 -> append(new Goodbye("log" + source)); // Another mark comes all the same.
        case 1 -> goOn();
        case 2 -> {
          append(new Gap("log" + source, 1));
          cut = true;
        }
        case 3 -> {
          told = Math.min(log.size(), told + 1);
          logSequence++;
          cut = true;
        }
        default -> follow();
      }
    }
  }

  private void session(int session) {
    Running t = running.remove(session);
    if (t == null) {
      Version[] view = new Version[keys];
      for (int key = 0; key < keys; key++) {
        view[key] = latest(key);
      }
      Running begins = new Running(session, begun[session]++, tick * MS, view);
      begins.id = shows && random.nextInt(3) == 0 ? nextId++ : 0;
      running.put(session, begins);
    } else {
      commit(t);
    }
  }

  private Version latest(int key) {
    return versions.get(key).get(versions.get(key).size() - 1);
  }

  /** What was visible by a mark when a transaction began, it does not see as it was before. */
  private int seen(int key, long beginMs) {
    int seen = 0;
    for (int i = 0; i < versions.get(key).size(); i++) {
      seen = versions.get(key).get(i).markedMs < beginMs ? i : seen;
    }
    return seen;
  }

  private boolean isCaptured(int session) {
    return session < 3;
  }

  private void commit(Running t) {
    Version[] view = t.view;
    if (store == 0) {
      for (int key = 0; key < keys; key++) {
        view[key] = latest(key);
      }
    }
    Operations.Builder record = new Operations.Builder();
    Operations.Builder real = new Operations.Builder();
    Operations.Builder changes = new Operations.Builder();
    Map<Integer, Version> own = new LinkedHashMap<>();
    Map<Integer, List<long[]>> left = new HashMap<>(); // one after the other
    boolean toldWrite = false; // by the operation before
    boolean showsId = random.nextInt(8) > (shows ? 5 : 0);
    boolean inParts = shows && random.nextInt(3) == 0;
    if (shows && t.id == 0) {
      t.id = nextId++;
    }
    boolean elsewhere = !plain && random.nextInt(5) == 0;
    if (elsewhere) {
      record.statement(ELSEWHERE).opaque();
    }
    int length = 1 + random.nextInt(4);
    for (int o = 0; o < length; o++) {
      int key = random.nextInt(keys);
      // Who has left a row as it was does not see what it found.
      boolean changedIt = own.containsKey(key) && own.get(key).same == null;
      Version seen = changedIt ? own.get(key) : view[key];
      if (random.nextInt(5) < 3) {
        toldWrite = false;
        if (random.nextDouble() < strange && !own.containsKey(key)) {
          // None from before the log was followed: see LoggedRows.
          int oldest = Math.max(followedFrom[key], seen(key, t.beginNs / MS));
          seen = versions.get(key).get(oldest + random.nextInt(versions.get(key).size() - oldest));
        }
        read(record, key, seen);
        readReally(real, key, seen);
        readReally(changes, key, seen.changed());
      } else {
        long[] content = random.nextInt(4) == 0 ? null : content();
        Version before = own.getOrDefault(key, store == 2 ? latest(key) : view[key]);
        boolean unchanged =
            content == null ? before.content() == null : Arrays.equals(content, before.content());
        if (unchanged) {
          if (content != null && !shows && !own.containsKey(key) && isCaptured(t.session)) {
            own.put(key, new Version(nextVersion++, content, t.id, latest(key)));
          }
          if (!shows && random.nextInt(3) > 0) {
            tellStatement(record, key, content);
            toldWrite = true;
          }
          continue;
        }
        int shown = random.nextInt(5);
        if (removes(shows, content, shown)) {
          readReally(real, key, before);
          readReally(changes, key, before);
        }
        boolean first = !own.containsKey(key) || own.get(key).same != null;
        long part = inParts && random.nextInt(2) == 0 ? nextId++ : t.id;
        own.put(key, new Version(nextVersion++, content, part));
        left.computeIfAbsent(key, k -> new ArrayList<>()).add(content);
        real.statement(null).write(key, own.get(key).number());
        if (first && latest(key).number() > 0) {
          real.replaces(latest(key).number()); // Nobody writes it before this one commits.
        }
        changes.statement(null).write(key, own.get(key).number());
        if (first && latest(key).changed().number() > 0) {
          changes.replaces(latest(key).changed().number());
        }
        // A trigger writes with a statement that is seen, and is known if the log is whole. Where
        // rows show ids it is a statement's that may write anything.
        if (shown < 3 || !toldWrite || damaged || !showsId || shows) {
          if (removes(shows, content, shown)) {
            record.statement(NAMING).read(key, before.shown()); // It returns what it removes.
          }
          record.statement(shows ? NAMING : WRITES);
          if (!shows && random.nextInt(3) == 0) {
            tellStatement(record, key, content);
          } else if (!plain && (shown == 0 || (shows && shown == 4))) {
            record.opaque();
          } else if (content == null) {
            record.delete(key);
          } else if (shows && random.nextInt(8) > 0) {
            record.write(key, part);
          } else {
            record.writeUnknown(key);
          }
          toldWrite = true;
        }
      }
    }
    own.forEach(
        (key, version) -> {
          if (version.same != null) {
            write(real, key, version, version.same);
          }
        });
    if (store == 1) {
      for (int key : own.keySet()) {
        if (!Objects.equals(latest(key), t.view[key])) {
          return; // The first committer wins.
        }
      }
    }
    for (Map.Entry<Integer, Version> each : own.entrySet()) {
      if (each.getValue().content() == null && latest(each.getKey()).content() == null) {
        return; // No version of the row at all: it is rolled back instead.
      }
    }
    if (shows && isCaptured(t.session) && !own.isEmpty() && random.nextInt(15) == 0) {
      if (showsId) {
        record.statement(OF_SERVER).write(t.id, t.id);
      }
      // It was rolled back, and nobody has told the application.
      long position = sequences[t.session]++;
      queues.get(t.session % 2).add(record(t, position, 0, Outcome.UNKNOWN, record.build()));
      return;
    }
    boolean changed = own.values().stream().anyMatch(version -> version.same == null);
    boolean lie = lies && isCaptured(t.session) && !own.isEmpty() && random.nextInt(6) == 0;
    if (lie && random.nextBoolean()) {
      lost.add("s%d/%d".formatted(t.session, t.number));
      long position = sequences[t.session]++;
      queues.get(t.session % 2).add(record(t, position, 0, Outcome.COMMITTED, record.build()));
      return;
    }
    if (lie) {
      unasked.add("s%d/%d".formatted(t.session, t.number));
    }
    done++;
    List<RowChange> rows = new ArrayList<>();
    own.forEach(
        (key, version) -> {
          long[] before = latest(key).content();
          for (long[] content : left.getOrDefault(key, List.of())) {
            if (content != before) {
              rows.add(new RowChange(TABLE, key, before, content));
              before = content;
            }
          }
          versions.get(key).add(version);
        });
    // What is written elsewhere has an id, and the log does not tell it.
    long given = shows ? t.id : nextId;
    long id = !changed && !(elsewhere && isCaptured(t.session)) ? 0 : given;
    nextId += id != 0 && !shows ? 1 : 0;
    if (changed) {
      log.add(new Commit(id, rows, List.copyOf(own.values())));
    }
    long position = sequences[t.session]++;
    if (isCaptured(t.session)) {
      captured++;
      Operations.Builder told = new Operations.Builder();
      boolean first = random.nextInt(3) == 0;
      if (id != 0 && showsId && first) {
        told.statement(OF_SERVER).write(id, id);
      }
      told.addAll(record.build());
      if (id != 0 && showsId && !first) {
        told.statement(OF_SERVER).write(id, id);
      }
      if (id == 0 && showsId && anyContent(record.build())) {
        told.statement(OF_SERVER).opaque();
      }
      Operations ops = told.build();
      int parts = ops.size() > 1 && random.nextInt(10) == 0 ? 2 : 1;
      // Read whole, it is as if nobody knew how it ended. Where rows show ids the log does not tell
      // of what came in parts.
      Outcome outcome =
          !lie
                  && id != 0
                  && showsId
                  && !damaged
                  && (parts == 1 || !shows)
                  && random.nextInt(12) == 0
              ? Outcome.UNKNOWN
              : lie ? Outcome.ABORTED : Outcome.COMMITTED;
      TransactionRecord last = null;
      for (int part = 0; part < parts; part++) {
        BitSet selected = new BitSet();
        selected.set(part * ops.size() / parts, (part + 1) * ops.size() / parts);
        boolean ends = part == parts - 1;
        last = record(t, position, part, ends ? outcome : Outcome.OPEN, ops.only(selected));
        queues.get(t.session % 2).add(last);
        position = ends ? position : sequences[t.session]++;
      }
      NaiveChecker.Input input =
          new NaiveChecker.Input(
              t.session, position, Outcome.COMMITTED, Times.of(last, t.beginNs), real.build());
      NaiveChecker.Input ofChanges =
          new NaiveChecker.Input(
              t.session, position, Outcome.COMMITTED, Times.of(last, t.beginNs), changes.build());
      truth.add(input);
      truthOfChanges.add(ofChanges);
      for (NaiveChecker.Input each : List.of(input, ofChanges)) {
        numbers.put(each, t.number);
        if (!showsId || parts > 1 || inParts) {
          replacingUntold.add(each);
        }
      }
    } else if (id != 0) {
      foreign++;
      Operations.Builder writes = new Operations.Builder();
      Operations.Builder changing = new Operations.Builder();
      own.forEach(
          (key, version) -> {
            Version replaced = versions.get(key).get(versions.get(key).size() - 2);
            write(writes, key, version, replaced);
            write(changing, key, version, replaced.changed());
          });
      truth.add(foreign(id, writes));
      truthOfChanges.add(foreign(id, changing));
    }
  }

  private static void write(Operations.Builder writes, int key, Version version, Version replaced) {
    writes.write(key, version.number());
    if (replaced.number() > 0) {
      writes.replaces(replaced.number());
    }
  }

  private static NaiveChecker.Input foreign(long id, Operations.Builder writes) {
    return new NaiveChecker.Input(FOREIGN + id, 0, Outcome.COMMITTED, Times.NONE, writes.build());
  }

  /** Tells a statement that names a row, perhaps with some columns that it has set. */
  private void tellStatement(Operations.Builder record, int key, long[] content) {
    int shape = content == null ? 0 : random.nextInt(4);
    switch (shape) {
      case 1 -> record.statement(sets(List.of("a"))).opaque(key, content[0]);
      case 2 -> record.statement(sets(List.of("b"))).opaque(key, content[1]);
      case 3 -> record.statement(sets(List.of("b", "a"))).opaque(key, content[0] + content[1]);
      default -> record.statement(WRITES).opaque(key);
    }
  }

  private static Statement sets(List<String> columns) {
    return new Statement("t", "UPDATE t SET " + columns, false, false, columns);
  }

  private static boolean anyContent(Operations ops) {
    for (int i = 0; i < ops.size(); i++) {
      if (ops.tellsContent(i)) {
        return true;
      }
    }
    return false;
  }

  private TransactionRecord record(
      Running t, long position, int part, Outcome outcome, Operations operations) {
    return new TransactionRecord(
        new SessionInfo(
            t.session,
            "s" + t.session,
            "p" + t.session % 2,
            "shop",
            "i",
            null,
            0,
            SessionInfo.NO_DATABASE,
            Hello.NOT_KNOWN),
        position,
        t.number,
        part,
        outcome,
        null,
        t.beginNs,
        tick * MS,
        "c",
        operations);
  }

  /** Whether a write is told as the removal of a version that it returns. */
  private static boolean removes(boolean shows, long[] left, int shown) {
    return shows && left == null && shown > 0 && shown < 4;
  }

  private static void readReally(Operations.Builder real, int key, Version seen) {
    if (seen.number() == 0) {
      real.statement(null).readInitial(key);
    } else {
      real.statement(null).read(key, seen.number());
    }
  }

  private void read(Operations.Builder record, int key, Version seen) {
    if (seen.content() == null) {
      record.statement(shows ? NAMING : shape(List.of("a", "b"))).readInitial(key);
    } else if (shows) {
      record.statement(NAMING).read(key, seen.shown());
    } else {
      int shape = random.nextInt(4);
      long a = seen.content()[0];
      long b = seen.content()[1];
      if (shape == 0) {
        record.statement(shape(List.of("b"))).read(key, b);
      } else if (shape == 1) {
        record.statement(shape(List.of("b", "a"))).read(key, a + b);
      } else {
        record.statement(shape(List.of("a", "b"))).read(key, a + b);
      }
    }
  }

  private static Statement shape(List<String> columns) {
    return new Statement("t", "SELECT " + columns, false, false, columns);
  }

  private void flush(int proxy) {
    TransactionRecord next = queues.get(proxy).poll();
    if (next != null) {
      append(next);
    }
  }

  private void heartbeat(int proxy) {
    List<OpenTransaction> open = new ArrayList<>();
    running.forEach(
        (session, t) -> {
          if (isCaptured(session) && session % 2 == proxy) {
            open.add(new OpenTransaction(session, t.number));
          }
        });
    queues
        .get(proxy)
        .forEach(t -> open.add(new OpenTransaction(t.session().id(), t.transaction())));
    append(new Heartbeat("p" + proxy, beats[proxy]++, open, null, tick * MS));
  }

  /** Whoever follows the log takes one step. */
  private void tail() {
    if (source < 0) {
      return;
    }
    if (target < 0) {
      target = log.size();
    }
    if (told < target || (told < log.size() && random.nextBoolean())) {
      Commit next = log.get(told++);
      int parts = 1 + random.nextInt(Math.max(1, next.rows().size()));
      for (int part = 0; part < parts; part++) {
        List<RowChange> rows =
            next.rows()
                .subList(
                    part * next.rows().size() / parts, (part + 1) * next.rows().size() / parts);
        if (lossy && random.nextInt(8 * parts) == 0) {
          logSequence++; // A record of it is lost.
          cut = true;
        }
        if (lossy && part > 0 && told > target && random.nextInt(3) == 0) {
          mark(); // All before it is told.
        }
        append(
            new Changes(
                "log" + source,
                logSequence++,
                next.id(),
                shows ? told : next.id(),
                part == parts - 1,
                rows));
        if (lossy && part < parts - 1 && random.nextInt(4) == 0) {
          told--;
          cut = true; // The end of it does not come from this source.
          goOn();
          return;
        }
      }
    } else {
      mark();
    }
  }

  private void mark() {
    append(new LogMark("log" + source, logSequence));
    for (Commit marked : log.subList(0, told)) {
      marked.versions().forEach(v -> v.markedMs = Math.min(v.markedMs, tick));
    }
    if (cut) {
      followFromHere(); // From here on, or from a later mark, it is followed again.
    }
    target = -1;
  }

  /** What the checker tells of it at every level. */
  CheckRun checked(long seed) {
    CheckerConfig config =
        CheckerConfig.forLive("h").withPromise(IsolationLevel.STRICT_SERIALIZABLE);
    CheckRun run = new CheckRun(config, seed);
    for (int i = 0; i < stream.size(); i++) {
      run.accept(times.get(i), stream.get(i));
    }
    return run.finish();
  }

  static boolean holds(List<NaiveChecker.Input> truth, IsolationLevel level) {
    return NaiveChecker.satisfies(truth, level, false);
  }
}
