package io.isotail.monitor.serial;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.slf4j.LoggerFactory;

/**
 * The database of the serial runs, and an account of who wrote which row last.
 *
 * <p>Tables: {@code plain}; {@code child}, whose rows go with their parent in plain; {@code
 * mirror}, which a trigger on plain may write; {@code counted}, with a version column; {@code
 * vault} for what is planted. All have the key {@code k}, the version {@code v} and a column {@code
 * w} that is not observed. A trigger writes each change into {@code audit}.
 */
final class SerialDatabase implements AutoCloseable {
  /** The observed tables, as the driver reads them. */
  static final String OBSERVED =
      "plain(k; v), child(k; v), mirror(k; v), counted(k; v), vault(k; v)";

  /** The tables that random statements use. */
  static final List<String> TABLES = List.of("plain", "child", "mirror", "counted");

  /** Keys of random statements: from 1 to this. */
  static final int KEYS = 4;

  private static final List<String> SCHEMA =
      List.of(
          "CREATE SEQUENCE fresh START 1000000000",
          "CREATE TABLE plain (k bigint PRIMARY KEY, v bigint, w bigint DEFAULT 0)",
          "CREATE TABLE child (k bigint PRIMARY KEY, v bigint, w bigint DEFAULT 0,"
              + " parent bigint REFERENCES plain(k) ON DELETE CASCADE)",
          "CREATE TABLE mirror (k bigint PRIMARY KEY, v bigint, w bigint DEFAULT 0)",
          "CREATE TABLE counted (k bigint PRIMARY KEY, v bigint NOT NULL, w bigint DEFAULT 0)",
          "CREATE TABLE vault (k bigint PRIMARY KEY, v bigint NOT NULL, w bigint DEFAULT 0)",
          "CREATE TABLE audit (seq bigserial PRIMARY KEY, tab text, k bigint, v bigint, pid int)",
          "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " IF TG_OP = 'DELETE' THEN INSERT INTO audit (tab, k, v, pid)"
              + " VALUES (TG_TABLE_NAME, OLD.k, -1, pg_backend_pid());"
              + " ELSE INSERT INTO audit (tab, k, v, pid)"
              + " VALUES (TG_TABLE_NAME, NEW.k, NEW.v, pg_backend_pid()); END IF;"
              + " RETURN NULL; END $$",
          "CREATE FUNCTION reflect() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " UPDATE mirror SET v = NEW.v WHERE k = NEW.k; RETURN NULL; END $$",
          "CREATE FUNCTION reflect_fresh() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " UPDATE mirror SET v = nextval('fresh') WHERE k = NEW.k; RETURN NULL; END $$",
          "CREATE TRIGGER reflect AFTER INSERT OR UPDATE ON plain"
              + " FOR EACH ROW EXECUTE FUNCTION reflect()",
          "CREATE TRIGGER reflect_fresh AFTER INSERT OR UPDATE ON plain"
              + " FOR EACH ROW EXECUTE FUNCTION reflect_fresh()");

  private final EmbeddedDatabase database;
  private final Connection auditor;
  private long audited;

  private SerialDatabase(EmbeddedDatabase database, Connection auditor) {
    this.database = database;
    this.auditor = auditor;
  }

  /**
   * A change of a row.
   *
   * @param version the version that it got, -1 for a delete
   * @param pid backend of who did it, be it by a trigger or a cascade
   */
  record Change(String table, long key, long version, int pid) {}

  /** Starts a server and makes the tables. Quietens what every new capture says once. */
  static SerialDatabase start() throws IOException, SQLException {
    if (LoggerFactory.getLogger(CaptureStats.class) instanceof Logger logger) {
      logger.setLevel(Level.WARN);
    }
    EmbeddedDatabase database = EmbeddedDatabase.start();
    try {
      SerialDatabase serial = new SerialDatabase(database, connect(database));
      for (String sql : SCHEMA) {
        serial.execute(sql);
      }
      for (String table : List.of("plain", "child", "mirror", "counted", "vault")) {
        serial.execute(
            "CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION note()"
                .formatted(table));
      }
      return serial;
    } catch (SQLException e) {
      database.close();
      throw e;
    }
  }

  /** A connection past isotail. */
  Connection connect() throws SQLException {
    return connect(database);
  }

  private static Connection connect(EmbeddedDatabase database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl());
  }

  /** Empties the tables, and loads rows that are there before capture begins. */
  void reset(SerialPlan plan, Versions versions, Random random) throws SQLException {
    execute("TRUNCATE plain, child, mirror, counted, vault CASCADE");
    boolean mirrored = plan.mirrored();
    execute(trigger("reflect", mirrored && !plan.unique()));
    execute(trigger("reflect_fresh", mirrored && plan.unique()));
    for (String table : TABLES) {
      for (long key = 1; key <= KEYS; key++) {
        if (random.nextInt(4) > 0) {
          execute(
              "INSERT INTO %s (k, v) VALUES (%d, %d)"
                  .formatted(table, key, versions.ofInsert(table, key)));
        }
      }
    }
    execute(
        "UPDATE child SET parent = k WHERE EXISTS (SELECT 1 FROM plain WHERE plain.k = child.k)");
    changes();
  }

  private static String trigger(String name, boolean enabled) {
    return "ALTER TABLE plain %s TRIGGER %s".formatted(enabled ? "ENABLE" : "DISABLE", name);
  }

  /** What was committed since the last call, in order. */
  List<Change> changes() throws SQLException {
    List<Change> changes = new ArrayList<>();
    try (Statement statement = auditor.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT seq, tab, k, v, pid FROM audit WHERE seq > " + audited + " ORDER BY seq")) {
      while (rows.next()) {
        audited = rows.getLong(1);
        changes.add(
            new Change(rows.getString(2), rows.getLong(3), rows.getLong(4), rows.getInt(5)));
      }
    }
    return changes;
  }

  /** Runs a statement past isotail. */
  void execute(String sql) throws SQLException {
    try (Statement statement = auditor.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws IOException, SQLException {
    try {
      auditor.close();
    } finally {
      database.close();
    }
  }
}
