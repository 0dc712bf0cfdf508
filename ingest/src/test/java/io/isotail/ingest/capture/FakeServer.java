package io.isotail.ingest.capture;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers as a PostgreSQL server with the observed tables in {@code public}. */
final class FakeServer implements Server {
  TransactionState state = TransactionState.IDLE;
  Dialect dialect = Dialects.of("postgresql");
  DatabaseCopy reported = DatabaseCopy.NOT_TOLD;
  String standby = "no";

  String database = "4711/1/5";
  String oldestRunning = "757";
  String nextId = "761";
  boolean refusesIdentity;

  /** Whether the connection to it has ended. */
  boolean lost;

  /** Tables of its catalog, each with the key {@code k}. */
  List<String> tables = List.of();

  @Override
  public TransactionState state() {
    return state;
  }

  @Override
  public int backendPid() {
    return 7;
  }

  @Override
  public int majorVersion() {
    return 15;
  }

  @Override
  public void outsideOfTransactions(Questions questions) throws Exception {
    questions.ask();
  }

  @Override
  public String isolation() {
    return "read committed";
  }

  @Override
  public List<List<@Nullable String>> rows(String query) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (String table : tables) {
      rows.add(List.of("public", table, "yes", "k", "int8", "yes", "", "no", "", "no"));
    }
    return query.equals(dialect.tablesQuery()) ? rows : List.of();
  }

  @Override
  public List<String> firstRow(String query) {
    if (lost) {
      throw new ServerLostException("the client has left");
    }
    if (refusesIdentity && query.contains("pg_control_system")) {
      throw new IllegalStateException("permission denied for function pg_control_system");
    }
    if (query.equals(dialect.runningQuery())) {
      return List.of(oldestRunning, nextId);
    }
    if (query.equals(dialect.standbyQuery())) {
      return List.of(standby);
    }
    List<String> row = new ArrayList<>(List.of("repeatable read", standby));
    row.add(query.contains("pg_control_system") ? database : null);
    int names = query.lastIndexOf("ARRAY[");
    if (names >= 0) {
      row.add("of".repeat(query.substring(names).split("', '", -1).length));
    }
    row.add("shop");
    return row;
  }

  @Override
  public DatabaseCopy copy() {
    return reported;
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public List<Column> columns(String schema, String table) {
    return List.of();
  }

  @Override
  public String currentSchema() {
    return "public";
  }

  @Override
  public boolean wasCutShort(Exception failure) {
    return false;
  }
}
