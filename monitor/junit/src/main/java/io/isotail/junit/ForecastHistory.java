package io.isotail.junit;

import io.isotail.incremental.forecast.Execution;
import io.isotail.incremental.forecast.Forecaster;
import io.isotail.incremental.forecast.Step;
import io.isotail.incremental.forecast.Template;
import io.isotail.incremental.forecast.Templates;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.JsonlWriter;
import io.isotail.ingest.jdbc.SentStatement;
import io.isotail.ingest.jdbc.StatementListener;
import io.isotail.monitor.forecast.Foreseen;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one data source, to make forecasts from: what they sent, and some of the
 * states of the database before them.
 *
 * <p>Listens while a test runs that asks for forecasts. Bounds: {@link #MOST_STATEMENTS} of a
 * transaction, of the executions those that {@link Templates} keeps, {@link #MOST_SNAPSHOTS}
 * snapshots at a time, {@link #SNAPSHOTS_OF_ONE} for transactions whose first write has the same
 * text.
 *
 * <p>Safe for many threads.
 */
final class ForecastHistory implements StatementListener {
  private static final int MOST_STATEMENTS = 500;
  private static final int MOST_SNAPSHOTS = 8;
  private static final int SNAPSHOTS_OF_ONE = 3;
  private static final int MOST_TRAFFIC_CHARS = 20_000_000;

  /** Tests that ask for forecasts and run now, and those of them that want them tried. */
  private static final AtomicInteger ASKING = new AtomicInteger();

  private static final AtomicInteger PROVING = new AtomicInteger();

  private final Map<Long, Queue<SentStatement>> running = new ConcurrentHashMap<>();
  private final Map<Long, HeldSnapshot> snapshots = new ConcurrentHashMap<>();
  private final Map<String, Integer> taken = new HashMap<>();
  private final List<HeldSnapshot> open = new ArrayList<>();
  private final Templates templates = Foreseen.templates();
  private final IdentityHashMap<Execution, Script> scripts = new IdentityHashMap<>();
  private final Map<IsolationLevel, Forecaster> forecasters = new EnumMap<>(IsolationLevel.class);
  private final List<String> traffic = new ArrayList<>();
  private final Set<Long> tooLong = ConcurrentHashMap.newKeySet();
  private final @Nullable CheckedHistory rehearsals;
  private volatile boolean broken;
  private volatile @Nullable DataSource real;
  private long trafficChars;
  private boolean trafficIsCut;
  private boolean changed;

  /** A test begins: from here on transactions are listened to. */
  static void begin(boolean prove) {
    ASKING.incrementAndGet();
    PROVING.addAndGet(prove ? 1 : 0);
  }

  /** It is over. */
  static void end(boolean prove) {
    PROVING.addAndGet(prove ? -1 : 0);
    ASKING.decrementAndGet();
  }

  /**
   * Nothing yet.
   *
   * @param rehearses whether forecasts may be made, and so be tried
   */
  ForecastHistory(boolean rehearses) {
    this.rehearsals = rehearses ? CheckedHistory.ofRehearsals() : null;
  }

  /**
   * Where connections come from.
   *
   * @param source makes a new one each time, and holds none back
   */
  void connectsBy(DataSource source) {
    real = source;
  }

  @Nullable DataSource real() {
    return real;
  }

  @Override
  public boolean listens() {
    return rehearsals != null && ASKING.get() > 0;
  }

  @Override
  public void sending(long session, boolean alone, SentStatement statement) {
    try {
      if (alone) {
        ended(session);
      }
      Queue<SentStatement> sent =
          running.computeIfAbsent(session, s -> new ConcurrentLinkedQueue<>());
      if (statement.mayWrite() && sent.stream().noneMatch(SentStatement::mayWrite)) {
        takeSnapshot(session, statement.fingerprint());
      }
      sent.add(statement);
      if (sent.size() > MOST_STATEMENTS) {
        tooLong.add(session);
        sent.clear();
      }
    } catch (RuntimeException e) {
      broken = true; // a fault of isotail's is not the application's
    }
  }

  private void takeSnapshot(long session, String fingerprint) {
    DataSource source = real;
    if (PROVING.get() == 0 || source == null) {
      return;
    }
    synchronized (this) {
      if (open.size() >= MOST_SNAPSHOTS
          || taken.merge(fingerprint, 1, Integer::sum) > SNAPSHOTS_OF_ONE) {
        return;
      }
    }
    HeldSnapshot snapshot = HeldSnapshot.take(source);
    if (snapshot != null) {
      synchronized (this) {
        open.add(snapshot);
      }
      snapshots.put(session, snapshot);
    }
  }

  @Override
  public void ended(long session) {
    running.remove(session);
    snapshots.remove(session);
    tooLong.remove(session);
  }

  /** A transaction has ended, or a chunk of one; its statements are those sent last. */
  void ended(TransactionRecord record) {
    if (!listens()) {
      return;
    }
    try {
      take(record);
    } catch (RuntimeException | StackOverflowError e) {
      broken = true;
    }
  }

  private void take(TransactionRecord record) {
    long session = record.session().id();
    boolean whole =
        record.chunk() == 0 && record.outcome() != Outcome.OPEN && !tooLong.contains(session);
    Queue<SentStatement> sent = whole ? running.get(session) : null;
    Script script = sent == null ? null : new Script(new ArrayList<>(sent), snapshots.get(session));
    String line = JsonlWriter.line(record);
    synchronized (this) {
      Execution kept = templates.accept(record, script == null ? List.of() : script.ran());
      if (kept != null && script != null) {
        scripts.put(kept, script);
      }
      changed |= kept != null;
      if (trafficChars + line.length() <= MOST_TRAFFIC_CHARS) {
        trafficChars += line.length();
        traffic.add(line);
      } else {
        trafficIsCut = true;
      }
    }
  }

  /** Whether something is new since the last call. */
  synchronized boolean hasChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** The forecasts for all that ran so far, not merged. */
  Foreseen foreseen(IsolationLevel promise) {
    List<Template> all;
    synchronized (this) {
      all = templates.all();
    }
    Forecaster.Result result;
    synchronized (forecasters) { // applications may go on meanwhile
      result = forecasters.computeIfAbsent(promise, Forecaster::new).of(all);
    }
    return Foreseen.of(all.size(), templates.seen(), result, promise);
  }

  /** What goes wrong in isotail is told, and fails no test. */
  void isBroken() {
    broken = true;
  }

  /** What is to be known of all forecasts; empty if nothing is. */
  synchronized String warning() {
    return (broken ? "A fault of isotail's own has cost some of them. " : "")
        + (trafficIsCut ? "The file of traffic does not have all of it." : "");
  }

  /** The history of what runs on copies. */
  CheckedHistory rehearsals() {
    return Objects.requireNonNull(rehearsals);
  }

  /** What an execution sent; null if that is not known. */
  synchronized @Nullable Script script(Execution execution) {
    return scripts.get(execution);
  }

  /** The tables that the executions touch or look at. */
  synchronized Set<String> tables() {
    Set<String> tables = new TreeSet<>();
    for (Execution execution : scripts.keySet()) {
      for (Step step : execution.steps()) {
        tables.addAll(Rehearsal.tables(step));
      }
    }
    return tables;
  }

  /** The transactions as lines of a history file. */
  synchronized List<String> traffic() {
    return List.copyOf(traffic);
  }

  /** Ends all snapshots: the test is over. */
  void endSnapshots() {
    List<HeldSnapshot> ended;
    synchronized (this) {
      ended = List.copyOf(open);
      open.clear();
    }
    ended.forEach(HeldSnapshot::close);
  }
}
