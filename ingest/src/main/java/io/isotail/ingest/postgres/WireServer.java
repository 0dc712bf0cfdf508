package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.DatabaseCopy;
import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.capture.Dialects;
import io.isotail.ingest.capture.PostgresColumns;
import io.isotail.ingest.capture.Server;
import io.isotail.ingest.capture.ServerLostException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The database behind a conversation: what the server has reported of itself, and answers to
 * questions in the client's own session. It can be asked only by the work that {@link #during}
 * runs, on another thread than the conversation's. What it reports may be read by both.
 */
final class WireServer implements Server {
  /** How long an answer is waited for. A later one is still taken off the wire. */
  private static final long PATIENCE_MS = 10_000;

  private final Dialect dialect = Dialects.of("postgresql");
  private final Map<String, String> startup;
  private final Function<String, Question> asking;
  private final Map<String, String> reported = new HashMap<>();
  private volatile TransactionState state = TransactionState.UNKNOWN;
  private volatile int backendPid;
  private volatile boolean canAsk;
  private @Nullable PostgresColumns columns;

  /** The question that was not answered in time; what is asked behind it waits for it. */
  private volatile @Nullable Question late;

  /**
   * A server.
   *
   * @param startup what the client said at its start
   * @param asking sends a query; safe for the thread that asks
   */
  WireServer(Map<String, String> startup, Function<String, Question> asking) {
    this.startup = Map.copyOf(startup);
    this.asking = asking;
  }

  /** A ParameterStatus message: the server reports a setting. */
  void reports(String name, String value) {
    synchronized (reported) {
      reported.put(name, value);
    }
  }

  private @Nullable String report(String name) {
    synchronized (reported) {
      return reported.get(name);
    }
  }

  /** The server tells its process. */
  void backendPid(int pid) {
    backendPid = pid;
  }

  /** The state after the server's last answer, as it says or as it must be. */
  void state(TransactionState now) {
    state = now;
  }

  /** Runs work that may ask. */
  void during(Runnable work) {
    canAsk = true;
    try {
      work.run();
    } finally {
      canAsk = false;
      columns = null;
    }
  }

  @Override
  public boolean canAsk() {
    return canAsk;
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public TransactionState state() {
    return state;
  }

  @Override
  public int backendPid() {
    return backendPid;
  }

  @Override
  public int majorVersion() {
    String version = report("server_version");
    if (version == null) {
      return 0;
    }
    int end = 0;
    while (end < version.length() && Character.isDigit(version.charAt(end))) {
      end++;
    }
    return end == 0 || end > 4 ? 0 : Integer.parseInt(version.substring(0, end));
  }

  @Override
  public DatabaseCopy copy() {
    String standby = report("in_hot_standby");
    return standby == null
        ? DatabaseCopy.NOT_TOLD
        : standby.equals("on") ? DatabaseCopy.STANDBY : DatabaseCopy.PRIMARY;
  }

  @Override
  public String names() {
    return String.join(
        "\n",
        startup.getOrDefault("database", startup.getOrDefault("user", "")),
        startup.getOrDefault("user", ""),
        startup.getOrDefault("options", ""),
        startup.getOrDefault("search_path", ""));
  }

  @Override
  public @Nullable String applicationName() {
    String name = report("application_name");
    return name == null || name.isEmpty() ? null : name;
  }

  @Override
  public void outsideOfTransactions(Questions questions) throws Exception {
    questions.ask(); // Each is a transaction of its own while the session is in none.
  }

  @Override
  public @Nullable String isolation() throws Exception {
    List<@Nullable String> row = firstRow("SHOW transaction_isolation");
    return row == null ? null : row.get(0);
  }

  @Override
  public @Nullable List<@Nullable String> firstRow(String query) throws Exception {
    List<List<@Nullable String>> rows = rows(query);
    return rows.isEmpty() ? null : rows.get(0);
  }

  @Override
  public List<List<@Nullable String>> rows(String query) throws Exception {
    if (!canAsk) {
      throw new IllegalStateException("the server cannot be asked now");
    }
    Question before = late;
    if (before != null && !before.answer().isDone()) {
      throw new IllegalStateException("the server has not answered the question before");
    }
    Question question = asking.apply(query);
    try {
      return question.answer().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerLostException("the proxy ends");
    } catch (TimeoutException e) {
      late = question;
      throw new IllegalStateException("no answer within %d ms".formatted(PATIENCE_MS), e);
    }
  }

  @Override
  public List<Column> columns(@Nullable String schema, String table) throws Exception {
    PostgresColumns all = columns;
    if (all == null) {
      all = PostgresColumns.of(this);
      columns = all;
    }
    return all.columns(schema, table);
  }

  @Override
  public boolean wasCutShort(Exception failure) {
    return failure instanceof SQLException e && Server.isCutShort(e.getSQLState());
  }

  @Override
  public @Nullable String currentSchema() throws Exception {
    List<@Nullable String> row = firstRow("SELECT pg_catalog.current_schema()");
    return row == null ? null : row.get(0);
  }
}
