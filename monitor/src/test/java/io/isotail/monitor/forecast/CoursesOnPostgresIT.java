package io.isotail.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.forecast.Course.Done;
import io.isotail.incremental.forecast.Course.Turn;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Forecaster;
import io.isotail.incremental.forecast.Template;
import io.isotail.incremental.forecast.Templates;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Forecasts for random pairs of transactions, beside what PostgreSQL does with them: each course
 * runs there as it was forecast, and what breaks the promise there was forecast.
 */
class CoursesOnPostgresIT {
  private static final int PAIRS = Integer.getInteger("isotail.forecast.pairs", 120);
  private static final int SCHEDULES = 6;
  private static final long SEED = Long.getLong("isotail.forecast.seed", 20261129);
  private static final String[] LEVELS = {
    "read-committed", "read-committed", "read-committed", "repeatable-read", "serializable"
  };

  private static EmbeddedDatabase server;
  private static Connection[] connections;

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedDatabase.start();
    connections = new Connection[3];
    for (int i = 0; i < connections.length; i++) {
      connections[i] = DriverManager.getConnection(server.jdbcUrl());
    }
    run(connections[2], "CREATE TABLE t (id int PRIMARY KEY, a int, b int)");
  }

  @AfterAll
  static void stop() throws Exception {
    for (Connection connection : connections) {
      connection.close();
    }
    server.close();
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * A statement.
   *
   * @param text without literals, as it is recorded
   * @param sql with literals; {@code NEW} stands for the value that it writes, {@code SEEN} for
   *     what the transaction has read last of a row's column
   * @param columns that it reads or writes
   */
  private record Sent(String text, String sql, boolean writes, int row, String columns) {}

  private static Sent random(Random random) {
    int row = random.nextInt(4) == 0 ? 2 : 1;
    String column = random.nextBoolean() ? "a" : "b";
    String other = column.equals("a") ? "b" : "a";
    return switch (random.nextInt(8)) {
      case 0, 1 -> query("SELECT %s FROM t WHERE id = ?".formatted(column), row, column);
      case 2 -> query("SELECT a, b FROM t WHERE id = ?", row, "ab");
      case 3 -> query("SELECT * FROM t WHERE id = ? FOR UPDATE", row, "ab");
      case 4 -> query("SELECT a, b FROM t WHERE id = ? FOR SHARE", row, "ab");
      case 5 ->
          new Sent(
              "UPDATE t SET %s = ? WHERE id = ? AND %s = ?".formatted(column, other),
              "UPDATE t SET %s = NEW WHERE id = %d AND %s = SEEN%d%s"
                  .formatted(column, row, other, row, other),
              true,
              row,
              column);
      default ->
          new Sent(
              "UPDATE t SET %s = ? WHERE id = ?".formatted(column),
              "UPDATE t SET %s = NEW WHERE id = %d".formatted(column, row),
              true,
              row,
              column);
    };
  }

  private static Sent query(String text, int row, String columns) {
    return new Sent(text, text.replace("?", String.valueOf(row)), false, row, columns);
  }

  /** A transaction; its writes write the number of the transaction, 1 or 2. */
  private record Transaction(String level, List<Sent> statements) {
    static Transaction random(Random random) {
      List<Sent> statements = new ArrayList<>();
      int count = 2 + random.nextInt(2);
      for (int i = 0; i < count; i++) {
        Sent next = CoursesOnPostgresIT.random(random);
        // What it wrote itself would not let it go on even alone.
        boolean bars =
            statements.stream().anyMatch(sent -> sent.writes() && sent.row() == next.row());
        // A read that is made again under a lock counts as not made.
        boolean again =
            statements.stream().anyMatch(sent -> !sent.writes() && sent.row() == next.row());
        boolean skip = next.sql().contains("AND") ? bars : next.sql().contains("FOR") && again;
        if (!skip) {
          statements.add(next);
        }
      }
      if (statements.isEmpty()) {
        return random(random);
      }
      return new Transaction(LEVELS[random.nextInt(LEVELS.length)], statements);
    }

    Ran ran(String name) {
      Ran ran = Ran.at("postgresql:" + level, name);
      for (Sent sent : statements) {
        String row = "t " + sent.row();
        if (sent.writes()) {
          ran.write(sent.text(), row);
        } else {
          ran.read(sent.text(), row);
        }
      }
      return ran;
    }

    int isolation() {
      return switch (level) {
        case "read-committed" -> Connection.TRANSACTION_READ_COMMITTED;
        case "repeatable-read" -> Connection.TRANSACTION_REPEATABLE_READ;
        default -> Connection.TRANSACTION_SERIALIZABLE;
      };
    }
  }

  @Test
  void coursesRunAsForecastAndViolationsAreForecast() throws Exception {
    Random random = new Random(SEED);
    int courses = 0;
    int violations = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
      List<Transaction> two = List.of(Transaction.random(random), Transaction.random(random));
      String name = "seed %d, pair %d: %s".formatted(SEED, pair, two);
      Templates templates = Foreseen.templates();
      for (int part = 0; part < 2; part++) {
        List<Templates.Ran> texts =
            two.get(part).statements().stream()
                .map(sent -> new Templates.Ran(sent.text(), false))
                .toList();
        templates.accept(two.get(part).ran("T" + (part + 1)).record(), texts);
      }
      List<Forecast> forecasts =
          new Forecaster(IsolationLevel.SERIALIZABLE).of(templates.all()).forecasts();
      for (Forecast forecast : forecasts) {
        List<Transaction> who = new ArrayList<>();
        for (Template template : forecast.templates()) {
          who.add(two.get(template.name().equals("T1") ? 0 : 1));
        }
        if (forecast.asSeen() && who.size() == 2) {
          checkCourse(name, forecast, who);
          courses++;
        }
      }
      for (int i = 0; i < SCHEDULES; i++) {
        if (violates(two, random)) {
          violations++;
          assertThat(forecasts).as(name).isNotEmpty();
        }
      }
    }
    System.out.printf(
        "%d courses ran as they were forecast, %d violations were forecast; seed %d%n",
        courses, violations, SEED);
    assertThat(courses).as("seed %d", SEED).isGreaterThan(PAIRS / 50);
    assertThat(violations).as("seed %d", SEED).isGreaterThan(PAIRS / 50);
  }

  private static void begin(List<Transaction> who) throws SQLException {
    run(connections[2], "TRUNCATE t; INSERT INTO t VALUES (1, 0, 0), (2, 0, 0)");
    for (int part = 0; part < 2; part++) {
      connections[part].setTransactionIsolation(who.get(part).isolation());
      connections[part].setAutoCommit(false);
    }
  }

  private static void end() throws SQLException {
    for (int part = 0; part < 2; part++) {
      connections[part].rollback();
      connections[part].setAutoCommit(true);
    }
  }

  /**
   * What a statement answered: the values of its columns, by their names.
   *
   * @param seen what the transaction has read last of each row and column
   */
  private static Map<String, Integer> send(int part, Sent sent, Map<String, Integer> seen)
      throws SQLException {
    Map<String, Integer> read = new HashMap<>();
    try (Statement statement = connections[part].createStatement()) {
      statement.execute("SET LOCAL lock_timeout = '40ms'");
      String sql = sent.sql().replace("NEW", String.valueOf(part + 1));
      for (String item : List.of("1a", "1b", "2a", "2b")) {
        sql = sql.replace("SEEN" + item, String.valueOf(seen.getOrDefault(item, 0)));
      }
      if (statement.execute(sql)) {
        try (ResultSet row = statement.getResultSet()) {
          row.next();
          for (String column : sent.columns().split("")) {
            read.put(column, row.getInt(column));
            seen.put(sent.row() + column, row.getInt(column));
          }
        }
      } else if (statement.getUpdateCount() == 0) {
        throw new SQLException("gives up");
      }
    }
    return read;
  }

  private static void checkCourse(String name, Forecast forecast, List<Transaction> who)
      throws SQLException {
    begin(who);
    try {
      int[] next = new int[2];
      List<Map<String, Integer>> seen = List.of(new HashMap<>(), new HashMap<>());
      for (Turn turn : forecast.course().turns()) {
        List<Sent> statements = who.get(turn.part()).statements();
        int end = turn.step() == null ? statements.size() : turn.step().number() + 1;
        Map<String, Integer> read = Map.of();
        while (next[turn.part()] < end) {
          int part = turn.part();
          read = send(part, statements.get(next[part]++), seen.get(part));
        }
        if (turn.step() == null) {
          connections[turn.part()].commit();
        }
        for (Done done : turn.done()) {
          if (done.from() != Done.NOT_READ) {
            int from = done.from() == Done.BEFORE_ALL ? 0 : done.from() + 1;
            assertThat(read.values()).as(name + forecast.course().turns()).contains(from);
          }
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(name + forecast.course().turns(), e);
    } finally {
      end();
    }
  }

  /** Whether a random schedule runs to its end and is not serializable by what was read. */
  private static boolean violates(List<Transaction> two, Random random) throws SQLException {
    begin(two);
    int[] next = new int[2];
    List<Integer> commits = new ArrayList<>();
    List<Map<String, Integer>> seen = List.of(new HashMap<>(), new HashMap<>());
    List<List<Map<String, Integer>>> reads = List.of(new ArrayList<>(), new ArrayList<>());
    try {
      while (commits.size() < 2) {
        int part = commits.isEmpty() ? random.nextInt(2) : 1 - commits.get(0);
        List<Sent> statements = two.get(part).statements();
        if (next[part] == statements.size()) {
          connections[part].commit();
          commits.add(part);
        } else {
          reads.get(part).add(send(part, statements.get(next[part]++), seen.get(part)));
        }
      }
    } catch (SQLException e) {
      return false; // it waits, fails or gives up
    } finally {
      end();
    }
    boolean[] before = new boolean[2];
    for (int part = 0; part < 2; part++) {
      before[part] = dependsOn(two, reads, commits, 1 - part, part);
    }
    return before[0] && before[1];
  }

  /** Whether one has an edge to the other, by the definitions. */
  private static boolean dependsOn(
      List<Transaction> two,
      List<List<Map<String, Integer>>> reads,
      List<Integer> commits,
      int later,
      int earlier) {
    Set<String> mine = written(two.get(earlier));
    Set<String> others = written(two.get(later));
    boolean first = commits.get(0) == earlier;
    if (first && mine.stream().anyMatch(others::contains)) {
      return true; // ww
    }
    return reads(two.get(later), reads.get(later)).stream()
            .anyMatch(read -> read.value() == earlier + 1) // wr
        || reads(two.get(earlier), reads.get(earlier)).stream()
            .anyMatch(read -> others.contains(read.item()) && read.value() == 0); // rw
  }

  private record Read(String item, int value) {}

  private static List<Read> reads(Transaction of, List<Map<String, Integer>> answers) {
    List<Read> reads = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      int row = of.statements().get(i).row();
      answers.get(i).forEach((column, value) -> reads.add(new Read(row + column, value)));
    }
    return reads;
  }

  private static Set<String> written(Transaction of) {
    return of.statements().stream()
        .filter(Sent::writes)
        .map(sent -> sent.row() + sent.columns())
        .collect(Collectors.toSet());
  }
}
