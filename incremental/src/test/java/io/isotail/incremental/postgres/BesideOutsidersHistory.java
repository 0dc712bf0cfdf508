package io.isotail.incremental.postgres;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.postgres.SerializableDatabase.Level;
import io.isotail.incremental.postgres.SerializableDatabase.Running;
import io.isotail.incremental.postgres.SerializableDatabase.Version;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A random run of {@link SerializableDatabase}: serializable sessions beside weaker ones, of which
 * some are not captured, are not understood, come late, never learn how they ended, or are of a
 * proxy that dies.
 */
final class BesideOutsidersHistory {
  private static final int SESSIONS = 6;
  private static final Statement TABLE = new Statement("t", "UPDATE t SET v = ? WHERE k = ?");
  private static final String[] RAN_AT = {
    "postgresql:read-committed", "postgresql:repeatable-read", "postgresql:serializable"
  };

  /** How a session is seen. */
  private enum Seen {
    WELL,
    NOT_AT_ALL,
    OPAQUE,
    UNKNOWN_OUTCOME
  }

  final CheckerConfig config;
  final List<StreamRecord> stream = new ArrayList<>();
  final List<Running> serializable = new ArrayList<>();
  final Map<Running, Integer> sessionOf = new HashMap<>();

  private final Random random;
  private final SerializableDatabase database;
  private final Session[] sessions = new Session[SESSIONS];
  private final int rows;
  private final double blindShare;
  private final boolean closed;
  private final Map<Integer, ArrayDeque<StreamRecord>> held = new HashMap<>();
  private final Set<String> running = new HashSet<>();
  private final long[] heartbeats = new long[2];
  private final boolean[] stopped = new boolean[2];
  private final boolean[] dead = new boolean[2];
  private int left;

  /** One session, with a transaction under way or none. */
  private static final class Session {
    final int number;
    final Level level;
    final Seen seen;
    long sequence;
    Running running;
    Operations.Builder operations = new Operations.Builder();
    int steps;

    Session(int number, Level level, Seen seen) {
      this.number = number;
      this.level = level;
      this.seen = seen;
    }
  }

  /**
   * A run.
   *
   * @param detects whether the database aborts what is not serializable
   * @param blindShare of the writes, how many overwrite what the transaction has not read
   */
  BesideOutsidersHistory(long seed, boolean detects, double blindShare) {
    this.random = Seeds.random(seed);
    this.database = new SerializableDatabase(detects);
    this.rows = 2 + random.nextInt(4);
    this.blindShare = blindShare;
    this.closed = random.nextInt(3) == 0;
    this.left = 20 + random.nextInt(40);
    boolean outsiders = random.nextInt(5) > 0;
    for (int i = 0; i < SESSIONS; i++) {
      boolean weak = outsiders && i >= 3;
      Level level =
          !weak
              ? Level.SERIALIZABLE
              : random.nextInt(3) == 0 ? Level.REPEATABLE_READ : Level.READ_COMMITTED;
      Seen seen = Seen.values()[weak ? random.nextInt(Seen.values().length) : 0];
      sessions[i] = new Session(i, level, closed && seen == Seen.NOT_AT_ALL ? Seen.WELL : seen);
    }
    int window = random.nextInt(3) == 0 ? 2 + random.nextInt(8) : 1_000;
    this.config =
        CheckerConfig.forLive("h")
            .withClosed(closed)
            .withUniqueVersions(true)
            .withDeletes(false)
            .withStrongest(IsolationLevel.SERIALIZABLE)
            .withProvenPerInterval(CheckerConfig.PROVE_ALL)
            .withWindow(window);
    run();
  }

  private void run() {
    for (int proxy = 0; proxy < 2; proxy++) {
      stream.add(new Hello("p" + proxy, "shop", "a", 100));
    }
    if (random.nextInt(4) > 0) {
      writeAllRows(sessions[0]);
    }
    int idle = 0;
    while (left > 0 && idle < 1_000) {
      idle = step(sessions[random.nextInt(SESSIONS)]) ? 0 : idle + 1;
      if (random.nextInt(4) == 0) {
        heartbeat(random.nextInt(2));
      }
      if (random.nextInt(12) == 0) {
        stopOrGoOn(random.nextInt(2));
      }
    }
    for (Session session : sessions) {
      if (session.running != null) {
        end(session, false);
      }
    }
    for (int proxy = 0; proxy < 2; proxy++) {
      if (!dead[proxy]) {
        goOn(proxy);
      }
    }
    // It takes as long until a dead one is taken for dead.
    for (int i = 0; i < (dead[1] ? 600 : 6); i++) {
      heartbeat(i % 2);
    }
    for (int proxy = 0; proxy < 2; proxy++) {
      if (!dead[proxy]) {
        stream.add(new Goodbye("p" + proxy));
      }
    }
  }

  /** The rows are there before anything else happens. */
  private void writeAllRows(Session session) {
    session.running = database.begin(session.level);
    for (int row = 0; row < rows; row++) {
      session.running.write(row);
      note(session, OperationKind.WRITE, row, session.running.writes.get(row));
    }
    end(session, session.running.commit());
  }

  /** One step of a session; false where it waits. */
  private boolean step(Session session) {
    if (session.running == null) {
      session.running = database.begin(session.level);
      session.operations = new Operations.Builder();
      session.steps = 1 + random.nextInt(4);
      return true;
    }
    if (session.steps-- <= 0) {
      end(session, session.running.commit());
      return true;
    }
    int row = random.nextInt(rows);
    boolean writes = random.nextBoolean();
    boolean blind = random.nextDouble() < blindShare;
    if ((!writes || !blind) && !session.running.writes.containsKey(row)) {
      Version read = session.running.read(row);
      if (read == null) {
        end(session, false);
        return true;
      }
      note(session, OperationKind.READ, row, read);
    }
    if (!writes) {
      return true;
    }
    SerializableDatabase.Step step = session.running.write(row);
    switch (step) {
      case DONE -> note(session, OperationKind.WRITE, row, session.running.writes.get(row));
      case ABORTED -> end(session, false);
      case WAITS -> {
        session.steps++;
        if (random.nextInt(20) == 0) {
          end(session, false);
        }
      }
    }
    return step != SerializableDatabase.Step.WAITS;
  }

  private void note(Session session, OperationKind kind, int row, Version version) {
    if (kind == OperationKind.WRITE && session.seen == Seen.OPAQUE) {
      session.operations.statement(TABLE).opaque();
      return;
    }
    boolean initial = version == Version.INITIAL;
    session
        .operations
        .statement(TABLE)
        .add(
            kind,
            row,
            initial ? VersionKind.INITIAL : VersionKind.KNOWN,
            initial ? 0 : version.number());
  }

  private void end(Session session, boolean committed) {
    Running ended = session.running;
    session.running = null;
    left--;
    if (!committed) {
      ended.abort();
    } else if (session.level == Level.SERIALIZABLE) {
      serializable.add(ended);
      sessionOf.put(ended, session.number);
    }
    if (session.seen == Seen.NOT_AT_ALL) {
      return;
    }
    Outcome outcome = committed ? Outcome.COMMITTED : Outcome.ABORTED;
    int proxy = session.number % 2;
    long number = session.sequence++;
    TransactionRecord record =
        new TransactionRecord(
            new SessionInfo(
                session.number, "s" + session.number, "p" + proxy, "shop", "a", "db", 7),
            number,
            number,
            0,
            session.seen == Seen.UNKNOWN_OUTCOME ? Outcome.UNKNOWN : outcome,
            RAN_AT[session.level.ordinal()],
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            session.operations.build());
    if (dead[proxy]) {
      return;
    }
    if (stopped[proxy]) {
      held.computeIfAbsent(proxy, p -> new ArrayDeque<>()).add(record);
    } else {
      stream.add(record);
    }
  }

  /** A proxy's process stops, or goes on; rarely it dies. */
  private void stopOrGoOn(int proxy) {
    if (stopped[proxy] && random.nextInt(3) > 0) {
      goOn(proxy);
    } else if (stopped[proxy] && proxy == 1 && random.nextInt(8) == 0) {
      dead[proxy] = true;
    } else {
      stopped[proxy] = true;
    }
  }

  private void goOn(int proxy) {
    stopped[proxy] = false;
    ArrayDeque<StreamRecord> late = held.remove(proxy);
    if (late != null && !dead[proxy]) {
      stream.addAll(late);
    }
  }

  private void heartbeat(int proxy) {
    if (stopped[proxy] || dead[proxy]) {
      return;
    }
    List<Heartbeat.OpenTransaction> open = new ArrayList<>();
    for (Session session : sessions) {
      boolean wrote = session.running != null && !session.running.writes.isEmpty();
      if (wrote && session.seen != Seen.NOT_AT_ALL && session.number % 2 == proxy) {
        open.add(new Heartbeat.OpenTransaction(session.number, session.sequence));
      }
    }
    stream.add(new Heartbeat("p" + proxy, heartbeats[proxy]++, open));
  }

  /** Whether all serializable transactions are in the stream and in one window. */
  boolean isWhole() {
    return !dead[0] && !dead[1] && config.windowTransactions() >= stream.size();
  }

  /** Whether the serializable transactions that are captured cannot be put into any order. */
  boolean isViolated() {
    Map<Running, Set<Running>> next = new HashMap<>();
    Map<Integer, Running> latest = new HashMap<>();
    serializable.sort((a, b) -> Long.compare(a.committedAt, b.committedAt));
    for (Running t : serializable) {
      Set<Running> after = next.computeIfAbsent(t, r -> new HashSet<>());
      Running before = latest.put(sessionOf.get(t), t);
      if (before != null) {
        next.get(before).add(t);
      }
      t.reads.values().forEach(version -> addEdge(version.writer(), t, next));
      t.overwrote.values().forEach(version -> addEdge(version.writer(), t, next));
      for (Running other : serializable) {
        t.reads.forEach(
            (row, version) -> {
              if (other != t && other.overwrote.get(row) == version) {
                after.add(other);
              }
            });
      }
    }
    Set<Running> done = new HashSet<>();
    return serializable.stream().anyMatch(t -> isOnCycle(t, next, new HashSet<>(), done));
  }

  private static void addEdge(Running writer, Running t, Map<Running, Set<Running>> next) {
    if (writer != null && writer != t && writer.level == Level.SERIALIZABLE) {
      next.computeIfAbsent(writer, r -> new HashSet<>()).add(t);
    }
  }

  private static boolean isOnCycle(
      Running t, Map<Running, Set<Running>> next, Set<Running> path, Set<Running> done) {
    if (path.contains(t)) {
      return true;
    }
    if (done.contains(t)) {
      return false;
    }
    path.add(t);
    for (Running after : next.getOrDefault(t, Set.of())) {
      if (isOnCycle(after, next, path, done)) {
        return true;
      }
    }
    path.remove(t);
    done.add(t);
    return false;
  }
}
