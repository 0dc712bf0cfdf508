package io.isotail.monitor.tail;

import io.isotail.ingest.capture.DatabaseIds;
import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.capture.Dialects;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a MariaDB server is asked beside its log, over a connection of its own. */
final class BinlogServer implements AutoCloseable {
  /** What a driver's session asks such a server, and this asks the same. */
  private static final Dialect DIALECT = Dialects.of("mariadb");

  private static final Pattern INACTIVE =
      Pattern.compile("evs\\.inactive_timeout\\s*=\\s*([^;\\s]+)");

  private static final Pattern GTID = Pattern.compile("(\\d+-\\d+-)\\d+");

  private final Connection connection;

  BinlogServer(Connection connection) {
    this.connection = connection;
  }

  /**
   * Where the log is followed from.
   *
   * @param file the file of the log
   * @param position in the file; {@link #WHOLE} where the place in it is not known
   * @param gtid of the last transaction before the first one; null if it is not known. If it is,
   *     the server finds the place by it
   * @param firstSequence number of the first transaction that is told: all before it are visible
   */
  record Start(String file, long position, @Nullable String gtid, long firstSequence) {
    /** The first place of a file. */
    static final long WHOLE = 4;

    /** Whether it is known behind which place all is told. */
    boolean isPlace() {
      return gtid != null && position > WHOLE;
    }

    /** Behind what was told already. */
    static Start behind(LogPlace place) {
      return new Start(place.file(), place.position(), place.gtid(), place.sequence() + 1);
    }
  }

  /** A place behind all that a log has. */
  record LogEnd(String file, long position) {}

  /** What of a server's settings keeps its log from telling all; empty if nothing does. */
  List<String> problems() throws SQLException {
    List<String> problems = new ArrayList<>();
    require(problems, "log_bin", "@@log_bin", "1", "start the server with --log-bin");
    require(
        problems,
        "binlog_format",
        "@@global.binlog_format",
        "ROW",
        "SET GLOBAL binlog_format = 'ROW'");
    require(
        problems,
        "binlog_row_image",
        "@@global.binlog_row_image",
        "FULL",
        "SET GLOBAL binlog_row_image = 'FULL'");
    require(
        problems,
        "log_bin_compress",
        "@@global.log_bin_compress",
        "0",
        "SET GLOBAL log_bin_compress = OFF");
    if (isOfCluster()) {
      require(
          problems,
          "wsrep_gtid_mode",
          "@@global.wsrep_gtid_mode",
          "1",
          "start all nodes with --wsrep-gtid-mode=ON and the same --server-id");
      require(
          problems,
          "log_slave_updates",
          "@@log_slave_updates",
          "1",
          "start the node with --log-slave-updates");
      String options = String.valueOf(one("SELECT @@global.wsrep_provider_options"));
      Matcher timeout = INACTIVE.matcher(options);
      if (timeout.find() && seconds(timeout.group(1)) >= Cluster.GONE_S) {
        problems.add(
            "evs.inactive_timeout is %s; expected less than PT%dS, in wsrep_provider_options"
                .formatted(timeout.group(1), Cluster.GONE_S));
      }
    }
    return problems;
  }

  /** Whether it is a node of a Galera cluster. */
  boolean isOfCluster() throws SQLException {
    return !column(
            "SELECT 1 FROM information_schema.global_variables"
                + " WHERE variable_name = 'WSREP_ON' AND variable_value = 'ON'")
        .isEmpty();
  }

  /** Which node of its cluster it is, since it runs; null if it is none. */
  @Nullable String nodeId() throws SQLException {
    return one(
        "SELECT variable_value FROM information_schema.global_status"
            + " WHERE variable_name = 'WSREP_GCOMM_UUID' AND variable_value <> ''");
  }

  /** No answer is waited for longer. */
  void limitWaits(int mostMs) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, mostMs);
  }

  /**
   * How many nodes its cluster has that it can reach, itself included; 0 if it takes no queries.
   */
  int clusterSize() throws SQLException {
    List<String> size =
        column(
            "SELECT s.variable_value FROM information_schema.global_status s"
                + " WHERE s.variable_name = 'WSREP_CLUSTER_SIZE' AND EXISTS ("
                + "SELECT 1 FROM information_schema.global_status r"
                + " WHERE r.variable_name = 'WSREP_READY' AND r.variable_value = 'ON')");
    return size.isEmpty() ? 0 : Integer.parseInt(size.get(0));
  }

  private static double seconds(String period) {
    try {
      return Duration.parse(period).toMillis() / 1e3;
    } catch (DateTimeParseException e) {
      return Double.MAX_VALUE;
    }
  }

  private void require(
      List<String> problems, String setting, String expression, String expected, String advice)
      throws SQLException {
    String found = one("SELECT " + expression);
    if (!expected.equals(found)) {
      problems.add("%s is %s; expected %s: %s".formatted(setting, found, expected, advice));
    }
  }

  /**
   * How many nodes its cluster has that it can reach, itself included.
   *
   * @throws SQLException if it takes no queries
   */
  int requireCluster() throws SQLException {
    int size = clusterSize();
    if (size == 0) {
      throw new SQLException("the node has lost its cluster, and takes no queries");
    }
    return size;
  }

  /** The number of the database, as a driver's session tells it. */
  long database() throws SQLException {
    String cluster = one(Objects.requireNonNull(DIALECT.clusterQuery()));
    return DatabaseIds.numberOf(
        cluster == null ? one("SELECT " + DIALECT.databaseIdentity(0)) : cluster);
  }

  /** Which server and database it is, in one word. */
  String identity() throws SQLException {
    byte[] words = (database() + " " + name()).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(words).toString();
  }

  /** Whether the log still has at a place what it had there. */
  boolean has(LogPlace place) throws SQLException {
    String file = place.file().replace("'", "''");
    return place
        .gtid()
        .equals(one("SELECT BINLOG_GTID_POS('%s', %d)".formatted(file, place.position())));
  }

  /** The database that is followed. */
  @Nullable String name() throws SQLException {
    return one("SELECT DATABASE()");
  }

  /** Number of the last transaction in the log. */
  long lastSequence() throws SQLException {
    return sequence(one("SELECT @@gtid_binlog_pos"));
  }

  /**
   * The tables whose changes are told.
   *
   * @param leftOut names of those that are not
   */
  TailedTables tables(Set<String> leftOut) throws SQLException {
    return TailedTables.of(connection, String.valueOf(name()), leftOut);
  }

  /**
   * The place to begin at: where a driver says that transactions run which have not ended, so that
   * whoever begins to capture later begins behind the log. All before is visible.
   *
   * @param byFile whether the server does not find the place, and the whole file is read
   */
  Start start(boolean byFile) throws SQLException {
    lastSequence(); // Says it if there are several domains.
    long oldestRunning =
        Long.parseLong(String.valueOf(one(Objects.requireNonNull(DIALECT.runningQuery()))));
    long wanted = LogTeller.sequence(oldestRunning);
    List<String> files = column("SHOW BINARY LOGS");
    if (files.isEmpty()) {
      throw new SQLException("the server has no binary log");
    }
    for (int i = files.size() - 1; i >= 0; i--) {
      String file = files.get(i);
      long before = sequence(one("SELECT BINLOG_GTID_POS('%s', 4)".formatted(file)));
      if (before < wanted) {
        String gtid = byFile || before == wanted - 1 ? null : gtid(wanted - 1);
        return new Start(file, Start.WHOLE, gtid, wanted);
      }
      if (i == 0) {
        return new Start(file, Start.WHOLE, null, before + 1);
      }
    }
    throw new IllegalStateException("no file is left");
  }

  /** The name of a transaction of the log; null if it may be of one of several servers. */
  private @Nullable String gtid(long sequence) throws SQLException {
    String last = String.valueOf(one("SELECT @@gtid_binlog_state"));
    Matcher only = GTID.matcher(last);
    return only.matches() ? only.group(1) + sequence : null;
  }

  /**
   * Whether all transactions before a place of the log are visible. It opens a transaction for a
   * moment: only so does the server tell a place that agrees with what a snapshot shows.
   */
  boolean isVisible(String placeFile, long placePosition) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
      String file = "";
      long position = 0;
      try (ResultSet rows = statement.executeQuery("SHOW STATUS LIKE 'binlog_snapshot_%'")) {
        while (rows.next()) {
          String name = rows.getString(1).toLowerCase(Locale.ROOT);
          if (name.equals("binlog_snapshot_file")) {
            file = rows.getString(2);
          } else if (name.equals("binlog_snapshot_position")) {
            position = rows.getLong(2);
          }
        }
      } finally {
        statement.execute("COMMIT");
      }
      int order = Long.compare(number(file), number(placeFile));
      return order > 0 || (order == 0 && position >= placePosition);
    }
  }

  /** Where the log ends. */
  LogEnd end() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW MASTER STATUS")) {
      if (!rows.next()) {
        throw new SQLException("the server has no binary log");
      }
      return new LogEnd(rows.getString(1), rows.getLong(2));
    }
  }

  /** The number at the end of a file's name. */
  private static long number(String file) {
    return Long.parseLong("0" + file.substring(file.lastIndexOf('.') + 1));
  }

  private static long sequence(@Nullable String gtid) throws SQLException {
    if (gtid == null || gtid.isEmpty()) {
      return 0;
    }
    if (gtid.indexOf(',') >= 0) {
      throw new SQLException(
          "the log has transactions of several GTID domains (%s); expected one".formatted(gtid));
    }
    return LogPlace.sequenceOf(gtid);
  }

  private @Nullable String one(String query) throws SQLException {
    List<String> column = column(query);
    return column.isEmpty() ? null : column.get(0);
  }

  private List<@Nullable String> column(String query) throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
