package io.isotail.ingest.chaos;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A client in a process of its own: {@code ChaosClient LEDGER NUMBER SEED THREADS PORT…}. Its
 * threads move money between accounts at serializable, and write down what they are told. It ends
 * when its standard input does.
 */
public final class ChaosClient {
  static final int ACCOUNTS = 2_000;
  private static final long IDS_OF_A_PROCESS = 100_000_000;
  private static final long IDS_OF_A_THREAD = 10_000_000;
  private static final List<String> QUERY_MODES =
      List.of("extended", "simple", "extendedForPrepared", "extendedCacheEverything");

  /** No statement takes as long unless an answer is lost. */
  private static final int LOST_ANSWER_SECONDS = 30;

  /**
   * What the server answers when it has not committed, to COMMIT too: it could not be serialized,
   * it was part of a deadlock, or a key was taken.
   */
  private static final List<String> REFUSED = List.of("40001", "40P01", "23505");

  /**
   * What a client learns when a connection is lost or cannot be made (08), and when the server, or
   * the proxy in its place, is shut down, has crashed or starts (57).
   */
  private static final List<String> LOST =
      List.of("08001", "08003", "08006", "57P01", "57P02", "57P03");

  /** How a line begins that tells of an error that nothing here explains. */
  static final String UNEXPECTED = "unexpected: ";

  private static volatile boolean stopping;

  private final Ledger ledger;
  private final Random random;
  private final int[] ports;
  private long nextId;
  private int port;

  private ChaosClient(Ledger ledger, Random random, int[] ports, long firstId) {
    this.ledger = ledger;
    this.random = random;
    this.ports = ports;
    this.nextId = firstId;
  }

  /** Runs it. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    long number = Long.parseLong(arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    int threads = Integer.parseInt(arguments[3]);
    int[] ports = Stream.of(arguments).skip(4).mapToInt(Integer::parseInt).toArray();
    try (Ledger ledger = new Ledger(Path.of(arguments[0]))) {
      List<Thread> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        ChaosClient client =
            new ChaosClient(
                ledger,
                new Random(seed * 31 + i),
                ports,
                number * IDS_OF_A_PROCESS + i * IDS_OF_A_THREAD);
        Thread thread = new Thread(client::work);
        thread.start();
        running.add(thread);
      }
      while (System.in.read() >= 0) {
        // Nothing is ever written: only the end counts.
      }
      stopping = true;
      for (Thread thread : running) {
        thread.join();
      }
    }
  }

  private void work() {
    while (!stopping) {
      port = ports[random.nextInt(ports.length)];
      String url =
          PostgresServer.url(port)
              + "&ApplicationName=ledger&connectTimeout=10&socketTimeout="
              + LOST_ANSWER_SECONDS
              + "&preferQueryMode="
              + QUERY_MODES.get(random.nextInt(QUERY_MODES.size()));
      try (Connection connection = DriverManager.getConnection(url)) {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        int transactions = 1 + random.nextInt(150);
        for (int i = 0; i < transactions && !stopping && !connection.isClosed(); i++) {
          transaction(connection);
          pause(random.nextInt(8));
        }
      } catch (SQLException e) {
        tellIfUnexpected(e);
        pause(20 + random.nextInt(200));
      } catch (IOException e) {
        throw new IllegalStateException("the ledger cannot be written", e);
      }
    }
  }

  private void transaction(Connection connection) throws SQLException, IOException {
    int kind = random.nextInt(100);
    if (kind < 10) {
      report(connection);
      return;
    }
    long id = nextId++;
    ledger.begins(id, port);
    boolean asked = false;
    try {
      connection.setAutoCommit(kind < 20);
      if (kind < 20) {
        asked = true;
        ledger.asksToCommit(id);
        book(connection, id, 1 + random.nextInt(ACCOUNTS), 0);
      } else {
        body(connection, id, kind);
        if (kind < 30) {
          connection.rollback();
          ledger.told(id, Ledger.Told.NOT_COMMITTED);
          return;
        }
        asked = true;
        ledger.asksToCommit(id);
        connection.commit();
      }
      ledger.told(id, Ledger.Told.COMMITTED);
    } catch (SQLException e) {
      failed(connection, id, asked, e);
    }
  }

  private void failed(Connection connection, long id, boolean asked, SQLException e)
      throws SQLException, IOException {
    ledger.told(id, asked && !refused(e) ? Ledger.Told.UNKNOWN : Ledger.Told.NOT_COMMITTED);
    if (!refused(e)) {
      throw e;
    }
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
  }

  private static boolean refused(SQLException e) {
    return REFUSED.contains(String.valueOf(e.getSQLState()));
  }

  /** A connection that is lost is what the campaign is about; an answer that is lost is not. */
  private static void tellIfUnexpected(SQLException e) {
    boolean timeout = false;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      timeout |= cause instanceof SocketTimeoutException;
    }
    boolean lost = LOST.contains(String.valueOf(e.getSQLState()));
    if (timeout || !lost) {
      System.out.println(UNEXPECTED + System.currentTimeMillis() + " " + e.getSQLState() + " " + e);
    }
  }

  private void body(Connection connection, long id, int kind) throws SQLException {
    int from = 1 + random.nextInt(ACCOUNTS);
    int to = 1 + (from + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    int amount = 1 + random.nextInt(20);
    long fromBalance = balance(connection, from);
    long toBalance = balance(connection, to);
    linger();
    if (kind < 35) {
      // The key is taken: the server refuses it, and the client rolls back.
      book(connection, id, from, 0);
      execute(connection, "INSERT INTO account VALUES (?, ?)", 1, 0);
    } else if (kind < 60) {
      // Both accounts together may not fall below nothing: a write skew, were it not serializable.
      long taken = fromBalance + toBalance >= amount ? amount : 0;
      execute(connection, "UPDATE account SET balance = ? WHERE id = ?", fromBalance - taken, from);
      book(connection, id, from, -taken);
    } else {
      execute(
          connection, "UPDATE account SET balance = ? WHERE id = ?", fromBalance - amount, from);
      linger();
      execute(connection, "UPDATE account SET balance = ? WHERE id = ?", toBalance + amount, to);
      book(connection, id, from, 0);
    }
    linger();
  }

  /** Reads alone, and is not in the ledger. */
  private void report(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try {
      for (int i = 0; i < 4; i++) {
        balance(connection, 1 + random.nextInt(ACCOUNTS));
      }
      connection.commit();
    } catch (SQLException e) {
      if (!refused(e)) {
        throw e;
      }
      connection.rollback();
    }
  }

  private static long balance(Connection connection, int account) throws SQLException {
    try (PreparedStatement read =
        connection.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
      read.setInt(1, account);
      try (ResultSet row = read.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void book(Connection connection, long id, int account, long amount)
      throws SQLException {
    execute(
        connection,
        "INSERT INTO booking (id, account, amount) VALUES (?, ?, ?)",
        id,
        account,
        amount);
  }

  private static void execute(Connection connection, String sql, long... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setLong(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  /** Now and then a transaction takes its time, so that it is under way when something dies. */
  private void linger() {
    if (random.nextInt(20) == 0) {
      pause(random.nextInt(150));
    }
  }

  private static void pause(int ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Makes what the clients use. A fourth of the commits take their time, so that some are under way
   * when something dies.
   */
  static void makeTables(Connection connection) throws SQLException {
    for (String sql :
        List.of(
            "CREATE TABLE account (id bigint PRIMARY KEY, balance bigint NOT NULL)",
            "CREATE TABLE booking (id bigint PRIMARY KEY, account bigint, amount bigint)",
            "CREATE TABLE counter (id bigint PRIMARY KEY, n bigint NOT NULL)",
            "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM pg_sleep(0.04 * random() * (new.id % 4 / 3)); RETURN NULL; END'",
            "CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON booking DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION linger()",
            "INSERT INTO account SELECT i, 1000 FROM generate_series(1, " + ACCOUNTS + ") i",
            "INSERT INTO counter VALUES (1, 0)")) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.execute();
      }
    }
  }
}
