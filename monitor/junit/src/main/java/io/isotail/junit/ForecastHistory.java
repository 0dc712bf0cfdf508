package io.isotail.junit;

import io.isotail.incremental.forecast.Execution;
import io.isotail.incremental.forecast.Step;
import io.isotail.incremental.forecast.Templates;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.JsonlWriter;
import io.isotail.ingest.jdbc.SentStatement;
import io.isotail.ingest.jdbc.StatementListener;
import io.isotail.monitor.forecast.Foreseen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one data source, to make forecasts from: what they sent, and some of the
 * states of the database before them.
 *
 * <p>Listens once a test asks for forecasts. Bounds: {@link #MOST_STATEMENTS} of a transaction, of
 * the executions those that {@link Templates} keeps, {@link #MOST_SNAPSHOTS} snapshots at a time,
 * {@link #SNAPSHOTS_OF_ONE} for transactions whose first write has the same text.
 *
 * <p>Safe for many threads.
 */
final class ForecastHistory implements StatementListener {
  private static final int MOST_STATEMENTS = 500;
  private static final int MOST_SNAPSHOTS = 8;
  private static final int SNAPSHOTS_OF_ONE = 3;
  private static final int MOST_LINES = 100_000;

  private static volatile boolean asked;
  private static volatile boolean proves;

  private final Map<Long, List<SentStatement>> running = new ConcurrentHashMap<>();
  private final Map<Long, HeldSnapshot> snapshots = new ConcurrentHashMap<>();
  private final Map<String, Integer> taken = new HashMap<>();
  private final List<HeldSnapshot> open = new ArrayList<>();
  private final Templates templates = Foreseen.templates();
  private final IdentityHashMap<Execution, Script> scripts = new IdentityHashMap<>();
  private final List<String> traffic = new ArrayList<>();
  private volatile @Nullable DataSource real;
  private boolean changed;

  /** From here on transactions are listened to. */
  static void ask(boolean prove) {
    asked = true;
    proves |= prove;
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
    return asked;
  }

  @Override
  public void sending(long session, boolean alone, SentStatement statement) {
    List<SentStatement> sent = running.computeIfAbsent(session, s -> new ArrayList<>());
    if (alone) {
      sent.clear();
    }
    if (statement.mayWrite() && sent.stream().noneMatch(SentStatement::mayWrite)) {
      takeSnapshot(session, statement.fingerprint());
    }
    if (sent.size() < MOST_STATEMENTS) {
      sent.add(statement);
    }
  }

  private void takeSnapshot(long session, String fingerprint) {
    DataSource source = real;
    if (!proves || source == null) {
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
  }

  /** A transaction has ended, or a chunk of one; its statements are those sent last. */
  void ended(TransactionRecord record) {
    if (!asked) {
      return;
    }
    long session = record.session().id();
    boolean whole = record.chunk() == 0 && record.outcome() != Outcome.OPEN;
    List<SentStatement> sent = whole ? running.get(session) : null;
    Script script = sent == null ? null : new Script(List.copyOf(sent), snapshots.get(session));
    synchronized (this) {
      Execution kept = templates.accept(record, script == null ? List.of() : script.fingerprints());
      if (kept != null && script != null) {
        scripts.put(kept, script);
      }
      changed |= kept != null;
      if (traffic.size() < MOST_LINES) {
        traffic.add(JsonlWriter.line(record));
      }
    }
  }

  /** Whether something is new since the last call. */
  synchronized boolean hasChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** The forecasts for all that ran so far. */
  synchronized Foreseen foreseen(IsolationLevel promise) {
    return Foreseen.of(templates, promise);
  }

  /** What an execution sent; null if that is not known. */
  synchronized @Nullable Script script(Execution execution) {
    return scripts.get(execution);
  }

  /** The tables that the executions touch. */
  synchronized Set<String> tables() {
    Set<String> tables = new TreeSet<>();
    for (Execution execution : scripts.keySet()) {
      for (Step step : execution.steps()) {
        String table = step.statement().table();
        if (table != null) {
          tables.add(table);
        }
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
