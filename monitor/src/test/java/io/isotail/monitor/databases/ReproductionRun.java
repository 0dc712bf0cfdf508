package io.isotail.monitor.databases;

import io.isotail.monitor.databases.Reproduction.Step;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a script on a database, by JDBC and nothing else. Each session has a thread: a statement
 * that waits for a lock holds up its own session, and no other.
 */
final class ReproductionRun {
  private static final long WAITS_AFTER_MS = 400;
  private static final long END_MS = 8_000;
  private static final String NO_ROW_CHANGED = "no row changed";
  private static final String COUNT = "SELECT count(*) FROM isotail_r";

  /** Opens the connection of a session, at the level that is tried. */
  interface Sessions {
    Connection open() throws SQLException;
  }

  /**
   * What became of it.
   *
   * @param shown whether the anomaly was there
   * @param why what kept it away; empty if nothing did
   */
  record Outcome(boolean shown, String why) {}

  private ReproductionRun() {}

  /** Runs a script; its table is removed before and after. */
  static Outcome run(Reproduction script, Sessions sessions) throws Exception {
    return run(script, sessions, sessions);
  }

  /**
   * Runs a script while somebody observes its sessions; its table is removed before and after.
   *
   * @param plain sessions that make and remove the table, whom nobody observes
   */
  static Outcome run(Reproduction script, Sessions plain, Sessions sessions) throws Exception {
    try (Connection c = plain.open()) {
      drop(c);
      execute(c, script.setUp().get(0));
      c.commit();
    }
    try (Connection c = sessions.open()) {
      for (String sql : script.setUp().subList(1, script.setUp().size())) {
        execute(c, sql);
        c.commit();
      }
    }
    String rows = Integer.toString(script.setUp().size() - 1);
    Map<Character, Connection> connections = new TreeMap<>();
    Map<Character, ExecutorService> threads = new TreeMap<>();
    try {
      for (Step step : script.steps()) {
        if (!connections.containsKey(step.session())) {
          connections.put(step.session(), ready(sessions, rows));
          threads.put(
              step.session(),
              Executors.newSingleThreadExecutor(
                  body -> {
                    Thread thread = new Thread(body, "session-" + step.session());
                    thread.setDaemon(true);
                    return thread;
                  }));
        }
      }
      return steps(script, connections, threads);
    } finally {
      for (Map.Entry<Character, ExecutorService> thread : threads.entrySet()) {
        Connection c = connections.get(thread.getKey());
        thread.getValue().submit(() -> end(c));
        thread.getValue().shutdown();
      }
      for (Map.Entry<Character, ExecutorService> thread : threads.entrySet()) {
        if (!thread.getValue().awaitTermination(END_MS, TimeUnit.MILLISECONDS)) {
          thread.getValue().shutdownNow();
          // What it holds would keep the table for ever.
          connections.get(thread.getKey()).abort(Runnable::run);
        }
      }
      try (Connection c = plain.open()) {
        drop(c);
      }
    }
  }

  /** A session whose node has the rows that were made on another. */
  private static Connection ready(Sessions sessions, String rows) throws Exception {
    Connection c = sessions.open();
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MS);
    for (String seen = ""; !seen.equals(rows); ) {
      try {
        seen = execute(c, COUNT);
      } catch (SQLException e) {
        seen = message(e);
      }
      c.rollback();
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException("found %s rows; expected %s".formatted(seen, rows));
      }
    }
    return c;
  }

  private static Outcome steps(
      Reproduction script,
      Map<Character, Connection> connections,
      Map<Character, ExecutorService> threads)
      throws InterruptedException {
    List<Future<String>> running = new ArrayList<>();
    for (Step step : script.steps()) {
      Connection c = connections.get(step.session());
      Future<String> done = threads.get(step.session()).submit(() -> deviation(c, step));
      running.add(done);
      String why = answer(step, done, WAITS_AFTER_MS, "");
      if (!why.isEmpty()) {
        return new Outcome(false, why);
      }
    }
    for (int i = 0; i < running.size(); i++) {
      String why = answer(script.steps().get(i), running.get(i), END_MS, "waited longer than 8 s");
      if (!why.isEmpty()) {
        return new Outcome(false, why);
      }
    }
    return new Outcome(true, "");
  }

  /** What went otherwise than the script says; empty if nothing did, so far. */
  private static String answer(Step step, Future<String> done, long waitMs, String late)
      throws InterruptedException {
    try {
      String deviation = done.get(waitMs, TimeUnit.MILLISECONDS);
      return deviation.isEmpty() ? "" : name(step) + deviation;
    } catch (TimeoutException e) {
      return late.isEmpty() ? "" : name(step) + late;
    } catch (ExecutionException e) {
      return name(step) + "failed: " + message(e.getCause());
    }
  }

  private static String name(Step step) {
    return "%s: %s ".formatted(step.session(), step.sql().split("\\s+", 2)[0]);
  }

  private static String message(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    return thrown instanceof SQLException e ? message + " (" + e.getSQLState() + ")" : message;
  }

  private static String deviation(Connection c, Step step) throws SQLException {
    switch (step.sql()) {
      case "COMMIT" -> c.commit();
      case "ROLLBACK" -> c.rollback();
      default -> {
        String read = execute(c, step.sql());
        if (read.equals(NO_ROW_CHANGED)) {
          return "changed no row";
        }
        if (step.reads() != null && !step.reads().equals(read)) {
          return "read %s, not %s".formatted(read, step.reads());
        }
      }
    }
    return "";
  }

  /** The first column of the first row; {@code none} without one. */
  private static String execute(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      if (!s.execute(sql)) {
        return sql.startsWith("UPDATE") && s.getUpdateCount() == 0 ? NO_ROW_CHANGED : "none";
      }
      try (ResultSet rows = s.getResultSet()) {
        return rows.next() ? rows.getString(1) : "none";
      }
    }
  }

  /** Gives back what a session holds, after all that it still does. */
  private static boolean end(Connection c) throws SQLException {
    try (c) {
      c.rollback();
    }
    return true;
  }

  private static void drop(Connection c) throws SQLException {
    try {
      execute(c, "DROP TABLE isotail_r");
      c.commit();
    } catch (SQLException e) {
      c.rollback();
    }
  }
}
