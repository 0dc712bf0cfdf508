package io.isotail.monitor.tail;

import io.isotail.ingest.capture.DatabaseIds;
import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.capture.Dialects;
import io.isotail.ingest.sql.ObservedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;

/** What a PostgreSQL server is asked beside its log, over a connection of its own. */
final class WalServer implements AutoCloseable {
  /** The first version whose output plugin tells messages. */
  private static final int FIRST_WITH_MESSAGES = 14;

  /** The first version that can be asked to write a message to disk at once. */
  private static final int FIRST_WITH_FLUSH = 17;

  private static final Dialect DIALECT = Dialects.of("postgresql");

  private final Connection connection;
  private final int version;

  WalServer(Connection connection) throws SQLException {
    this.connection = connection;
    this.version = connection.getMetaData().getDatabaseMajorVersion();
    try (Statement statement = connection.createStatement()) {
      // A mark need not wait for standbys, nor a publication for whoever has a table locked.
      statement.execute("SET synchronous_commit = local; SET lock_timeout = '5s'");
    }
  }

  /**
   * Ids of transactions, of 64 bits.
   *
   * @param oldest lower ones have ended
   * @param next it and higher ones have not been given
   */
  record Ids(long oldest, long next) {}

  /** What of a server's settings keeps its log from telling all; empty if nothing does. */
  List<String> problems() throws SQLException {
    List<String> problems = new ArrayList<>();
    if (version < FIRST_WITH_MESSAGES) {
      problems.add(
          "the server is PostgreSQL %d; expected %d or later"
              .formatted(version, FIRST_WITH_MESSAGES));
      return problems;
    }
    if ("t".equals(one("SELECT pg_catalog.pg_is_in_recovery()"))) {
      problems.add("the server is a standby; expected the primary, whose log is followed");
    }
    String level = one("SELECT pg_catalog.current_setting('wal_level')");
    if (!"logical".equals(level)) {
      problems.add(
          "wal_level is %s; expected logical: ALTER SYSTEM SET wal_level = logical, and restart the server"
              .formatted(level));
    }
    String mayReplicate =
        one(
            "SELECT r.rolreplication OR r.rolsuper OR EXISTS ("
                + "SELECT 1 FROM pg_catalog.pg_roles g WHERE g.rolname = 'rds_replication'"
                + " AND pg_catalog.pg_has_role(g.oid, 'MEMBER'))"
                + " FROM pg_catalog.pg_roles r WHERE r.rolname = current_user");
    if (!"t".equals(mayReplicate)) {
      problems.add("the user may not replicate: ALTER ROLE … REPLICATION");
    }
    return problems;
  }

  /** The number of the database, as a driver's session tells it. */
  long database() throws SQLException {
    return DatabaseIds.numberOf(one("SELECT " + DIALECT.databaseIdentity(version)));
  }

  /** The database that is followed. */
  @Nullable String name() throws SQLException {
    return one("SELECT pg_catalog.current_database()");
  }

  /** Whether there is a publication of this name. */
  boolean hasPublication(String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT 1 FROM pg_catalog.pg_publication WHERE pubname = ?")) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  /** What of a publication keeps it from telling all changes of its tables. */
  List<String> problemsOf(String publication) throws SQLException {
    List<String> problems = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT pubinsert AND pubupdate AND pubdelete AND pubtruncate, pubviaroot, puballtables"
                + " FROM pg_catalog.pg_publication WHERE pubname = ?")) {
      statement.setString(1, publication);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          if (!rows.getBoolean(1)) {
            problems.add(
                "publication %s does not publish insert, update, delete and truncate"
                    .formatted(publication));
          }
          if (!rows.getBoolean(2)) {
            problems.add(
                "publication %s is without publish_via_partition_root".formatted(publication));
          }
          if (rows.getBoolean(3)) {
            problems.add(
                "publication %s is FOR ALL TABLES, which makes updates of tables without a key fail; expected one for tables by name"
                    .formatted(publication));
          }
        }
      }
    }
    return problems;
  }

  /** Makes a publication of these tables, or adds them to it. */
  void publish(String publication, boolean add, Set<String> tables) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(publishing(publication, add, tables));
    }
  }

  /** The statement that does so. */
  static String publishing(String publication, boolean add, Set<String> tables) {
    String name = ObservedTable.quoted(publication);
    String list = String.join(", ", tables);
    return add
        ? "ALTER PUBLICATION %s ADD TABLE %s".formatted(name, list)
        : "CREATE PUBLICATION %s FOR TABLE %s WITH (publish_via_partition_root = true)"
            .formatted(name, list);
  }

  /** In one word: which tables a publication tells, and what of them. */
  String form(String publication) throws SQLException {
    String filters =
        version < WalTables.FIRST_WITH_FILTERS ? "''" : "concat(r.prqual IS NULL, r.prattrs)";
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(' ', c.oid, c.relname,
              c.relnamespace, r.oid, l.oid, l.relfilenode, l.relreplident, i.indexrelid, p.pubinsert,
              p.pubupdate, p.pubdelete, p.pubtruncate, p.pubviaroot, %s), ',' ORDER BY l.oid))
            FROM pg_catalog.pg_publication p
            JOIN pg_catalog.pg_publication_rel r ON r.prpubid = p.oid
            JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
            LEFT JOIN LATERAL pg_catalog.pg_partition_tree(c.oid) t
              ON c.relkind = 'p' AND t.isleaf
            JOIN pg_catalog.pg_class l ON l.oid = COALESCE(t.relid, c.oid)
            LEFT JOIN pg_catalog.pg_index i ON i.indrelid = l.oid AND i.indisreplident
            WHERE p.pubname = ?"""
                .formatted(filters))) {
      statement.setString(1, publication);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return String.valueOf(rows.getString(1));
      }
    }
  }

  /** The tables that the driver observes, and what a publication tells of them. */
  WalTables tables(String publication) throws SQLException {
    return WalTables.of(connection, publication);
  }

  /** Which transactions run. */
  Ids ids() throws SQLException {
    List<@Nullable String> row =
        row(
            "SELECT pg_catalog.txid_snapshot_xmin(s), pg_catalog.txid_snapshot_xmax(s)"
                + " FROM pg_catalog.txid_current_snapshot() s");
    return new Ids(number(row.get(0)), number(row.get(1)));
  }

  /**
   * Whether transactions of the log are visible to whoever begins one now. One that waits for a
   * standby stands in the log before.
   */
  boolean areVisible(Set<Long> committed) throws SQLException {
    if (committed.isEmpty()) {
      return true;
    }
    String[] snapshot =
        String.valueOf(one("SELECT pg_catalog.txid_current_snapshot()")).split(":", -1);
    long next = Long.parseLong(snapshot[1]);
    if (committed.stream().anyMatch(id -> id >= next)) {
      return false;
    }
    return Stream.of(snapshot[2].split(",", -1))
        .filter(id -> !id.isEmpty())
        .map(Long::valueOf)
        .noneMatch(committed::contains);
  }

  /** The place behind all that is in the log. */
  long end() throws SQLException {
    return place(one("SELECT pg_catalog.pg_current_wal_insert_lsn()"));
  }

  /**
   * Writes a message into the log, and sees to it that it is on disk soon.
   *
   * @return the place behind it; 0 if that is not known
   */
  long emit(String prefix, String message) throws SQLException {
    boolean flushes = version >= FIRST_WITH_FLUSH;
    String query =
        flushes
            ? "SELECT pg_catalog.pg_logical_emit_message(false, ?, ?, true)"
            : "SELECT pg_catalog.pg_logical_emit_message(true, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, prefix);
      statement.setString(2, message);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return flushes ? place(rows.getString(1)) : 0;
      }
    }
  }

  /**
   * How many bytes of log the server keeps for a slot.
   *
   * @param behind of these, what whoever reads from it has not confirmed yet; the rest is kept for
   *     transactions that run
   * @param all the sum
   */
  record Kept(long behind, long all) {}

  /** What the server keeps for a slot; nothing if there is none. */
  Kept kept(String slot) throws SQLException {
    List<@Nullable String> row =
        row(
            ("SELECT pg_catalog.pg_wal_lsn_diff(w, confirmed_flush_lsn)::bigint,"
                    + " pg_catalog.pg_wal_lsn_diff(w, restart_lsn)::bigint"
                    + " FROM pg_catalog.pg_replication_slots, pg_catalog.pg_current_wal_lsn() w"
                    + " WHERE slot_name = '%s'")
                .formatted(slot));
    return row.isEmpty() || row.contains(null)
        ? new Kept(0, 0)
        : new Kept(number(row.get(0)), number(row.get(1)));
  }

  /** Transactions that have written and run, whose end a new slot waits for. */
  String writing() throws SQLException {
    return String.valueOf(
        one(
            "SELECT pg_catalog.string_agg(t, ', ') FROM (SELECT 'backend ' || pid || ' since ' ||"
                + " xact_start AS t FROM pg_catalog.pg_stat_activity WHERE backend_xid IS NOT NULL"
                + " UNION ALL SELECT 'prepared ' || gid FROM pg_catalog.pg_prepared_xacts) w"));
  }

  private static long place(@Nullable String text) {
    return text == null ? 0 : LogSequenceNumber.valueOf(text).asLong();
  }

  private static long number(@Nullable String text) {
    return Long.parseLong(String.valueOf(text));
  }

  private @Nullable String one(String query) throws SQLException {
    List<@Nullable String> row = row(query);
    return row.isEmpty() ? null : row.get(0);
  }

  private List<@Nullable String> row(String query) throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      int count = rows.getMetaData().getColumnCount();
      boolean found = rows.next();
      for (int i = 1; found && i <= count; i++) {
        values.add(rows.getString(i));
      }
    }
    return values;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
