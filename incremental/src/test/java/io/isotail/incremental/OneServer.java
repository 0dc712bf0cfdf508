package io.isotail.incremental;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/**
 * A single server that does what it is asked, one operation after the other. What it shows is right
 * for its level, and in which order it installed versions is known.
 *
 * <p>A schedule has steps {@code session.operation}: {@code a.rx} and {@code a.wx} read and write a
 * key, {@code a.lx} reads all its versions as a list, {@code a.} commits and {@code a!} rolls back.
 * The next step of the session begins its next transaction. The n-th write of a key makes version
 * n. A client sees the end of a transaction a while after the commit. Rows are locked by their
 * writers; a step that would wait is a mistake in the schedule.
 */
public final class OneServer {
  /** What a read shows. */
  public enum Shows {
    /** The latest write, committed or not. */
    LATEST("mysql:read-uncommitted", "read uncommitted"),
    /** The latest write that is committed when the statement begins. */
    COMMITTED("postgresql:read-committed", "read committed"),
    /** The latest write that was committed when the transaction began; the first updater wins. */
    SNAPSHOT("postgresql:repeatable-read", "repeatable read");

    private final String recorded;
    private final String words;

    Shows(String recorded, String words) {
      this.recorded = recorded;
      this.words = words;
    }

    /** The level in words. */
    public String words() {
      return words;
    }
  }

  /** How long after a commit its client sees that it is over, in steps of the server. */
  private final IntSupplier delaySteps;

  /** How many steps the clock of a session's client is ahead of the server's. */
  private final IntUnaryOperator clockSteps;

  private final Map<Character, Long> busyUntilNs = new HashMap<>();

  private static final class Running {
    final long beginNs;
    final Map<Character, List<Long>> snapshot;
    final Map<Character, Long> own = new LinkedHashMap<>();
    final Operations.Builder operations = new Operations.Builder();

    Running(long beginNs, Map<Character, List<Long>> snapshot) {
      this.beginNs = beginNs;
      this.snapshot = snapshot;
    }
  }

  private static final long STEP_NS = 1_000_000;

  private final Shows shows;
  private final Map<Character, List<Long>> committed = new TreeMap<>();
  private final Map<Character, Long> latest = new HashMap<>();
  private final Map<Character, Long> numbers = new HashMap<>();
  private final Map<Character, Running> running = new LinkedHashMap<>();
  private final Map<Character, Long> sequences = new HashMap<>();
  private final List<TransactionRecord> log = new ArrayList<>();
  private long tickNs;

  OneServer(Shows shows, IntSupplier delaySteps, IntUnaryOperator clockSteps) {
    this.shows = shows;
    this.clockSteps = clockSteps;
    this.delaySteps = delaySteps;
  }

  /** The transactions in the order of their ends. */
  static List<TransactionRecord> run(Shows shows, String schedule) {
    OneServer server = new OneServer(shows, () -> 0, session -> 0);
    for (String step : schedule.strip().split("\\s+")) {
      if (!server.step(step)) {
        throw new IllegalArgumentException(step + " would wait or fail in " + schedule);
      }
    }
    return server.log();
  }

  /** Whether the step was taken; if not, it would have waited for a lock or failed. */
  boolean step(String step) {
    char session = step.charAt(0);
    tickNs += STEP_NS;
    if (busyUntilNs.getOrDefault(session, 0L) >= tickNs) {
      return false;
    }
    if (step.equals(session + ".") || step.equals(session + "!")) {
      end(session, step.endsWith("."));
      return true;
    }
    Running t =
        running.computeIfAbsent(
            session,
            key -> {
              Map<Character, List<Long>> snapshot = new HashMap<>();
              committed.forEach((name, versions) -> snapshot.put(name, List.copyOf(versions)));
              return new Running(tickNs, snapshot);
            });
    char key = step.charAt(3);
    return switch (step.charAt(2)) {
      case 'r' -> read(t, key);
      case 'l' -> readList(t, key);
      case 'w' -> write(t, key);
      default -> throw new IllegalArgumentException(step);
    };
  }

  private List<Long> seen(Running t, char key) {
    Map<Character, List<Long>> from = shows == Shows.SNAPSHOT ? t.snapshot : committed;
    return from.getOrDefault(key, List.of());
  }

  private boolean read(Running t, char key) {
    List<Long> seen = seen(t, key);
    long version = seen.isEmpty() ? 0 : seen.get(seen.size() - 1);
    version = shows == Shows.LATEST ? latest.getOrDefault(key, version) : version;
    version = t.own.getOrDefault(key, version);
    if (version == 0) {
      t.operations.readInitial(key);
    } else {
      t.operations.read(key, version);
    }
    t.operations.names(String.valueOf(key), version == 0 ? null : Long.toString(version));
    return true;
  }

  private boolean readList(Running t, char key) {
    List<Long> seen = seen(t, key);
    if (seen.isEmpty() || t.own.containsKey(key)) {
      return false;
    }
    t.operations.add(OperationKind.LISTED, key, VersionKind.INITIAL, 0);
    t.operations.names(String.valueOf(key), null);
    for (long version : seen.subList(0, seen.size() - 1)) {
      t.operations.add(OperationKind.LISTED, key, VersionKind.KNOWN, version);
      t.operations.names(String.valueOf(key), null);
    }
    long last = seen.get(seen.size() - 1);
    t.operations.read(key, last).names(String.valueOf(key), Long.toString(last));
    return true;
  }

  private boolean write(Running t, char key) {
    boolean locked = running.values().stream().anyMatch(o -> o != t && o.own.containsKey(key));
    boolean changed =
        shows == Shows.SNAPSHOT && !seen(t, key).equals(committed.getOrDefault(key, List.of()));
    if (locked || changed) {
      return false;
    }
    long version = numbers.merge(key, 1L, Long::sum);
    t.own.put(key, version);
    latest.put(key, version);
    t.operations.write(key, version);
    t.operations.names(String.valueOf(key), Long.toString(version));
    return true;
  }

  private void end(char session, boolean commit) {
    Running t = running.remove(session);
    if (t == null) {
      throw new IllegalArgumentException(session + " runs nothing");
    }
    t.own.forEach(
        (key, version) -> {
          List<Long> versions = committed.computeIfAbsent(key, k -> new ArrayList<>());
          if (commit) {
            versions.add(version);
          } else {
            latest.put(key, versions.isEmpty() ? 0 : versions.get(versions.size() - 1));
          }
        });
    long endNs = tickNs + STEP_NS * delaySteps.getAsInt();
    busyUntilNs.put(session, endNs);
    long aheadNs = STEP_NS * clockSteps.applyAsInt(session);
    long sequence = sequences.merge(session, 1L, Long::sum) - 1;
    log.add(
        new TransactionRecord(
            SessionInfo.ofFile(session, String.valueOf(session)),
            sequence,
            sequence + 1,
            0,
            commit ? Outcome.COMMITTED : Outcome.ABORTED,
            shows.recorded,
            t.beginNs + aheadNs,
            endNs + aheadNs,
            "clock" + aheadNs,
            t.operations.build()));
  }

  /** Whether a transaction of the session runs. */
  boolean runs(char session) {
    return running.containsKey(session);
  }

  List<TransactionRecord> log() {
    return log.stream().sorted(Comparator.comparingLong(TransactionRecord::endNs)).toList();
  }

  /** Whether a transaction installed a version of a key after another one, as a sentence says. */
  boolean installed(ToldOrders.Told told) {
    char key = told.version().charAt(0);
    List<Long> versions = committed.getOrDefault(key, List.of());
    String version = told.version().substring(2);
    int first = version.equals("initial") ? -1 : versions.indexOf(Long.parseLong(version));
    for (TransactionRecord t : log) {
      if ((t.session().name() + "/" + t.transaction()).equals(told.overwriter())) {
        Operations ops = t.operations();
        for (int op = 0; op < ops.size(); op++) {
          if (ops.isWrite(op) && ops.key(op) == key && versions.contains(ops.version(op))) {
            return versions.indexOf(ops.version(op)) > first;
          }
        }
      }
    }
    return false;
  }
}
